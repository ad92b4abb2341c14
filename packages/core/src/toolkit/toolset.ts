// The tools of a toolkit, and which of them make sense for what is offered.

import { activationLimit } from '../disclosure/activate.ts';
import { type OfferedTools, renderCatalog } from '../disclosure/catalog-text.ts';
import { SkillError } from '../skill/error.ts';
import type { Skill } from '../skill/skill.ts';
import { attachedCharacters } from './attach.ts';
import { haveFiles } from './bundled-files.ts';
import { directCharacters } from './inline-instructions.ts';
import type { Offer, ToolNames, ToolSetting } from './offer.ts';
import type { ToolkitOptions } from './options.ts';
import type { SkillTool } from './tool.ts';
import { createActivateTool } from './tools/activate.ts';
import { createDeactivateTool } from './tools/deactivate.ts';
import { createFindTool, createListTool } from './tools/find.ts';
import { createReadTool } from './tools/read.ts';

/** The tools of one toolkit. */
export interface Toolset {
  readonly activate: SkillTool;
  /** The tools that might make sense for an offer; all that ever might where there is none yet. */
  readonly toolsFor: (offer: Offer | undefined) => readonly SkillTool[];
  /** The tools that make sense for an offer: none for files where no skill has any. Lists names of files where it must. */
  readonly toolsInUse: (offer: Offer, signal: AbortSignal | undefined) => Promise<readonly SkillTool[]>;
  /** Names of some of the tools, for the words that point to them. */
  readonly namesOf: (tools: readonly SkillTool[]) => OfferedTools;
}

/** Creates the tools. `fixed` is the offer of a catalog that is known from the start. */
export function createToolset(setting: ToolSetting, fixed: Offer | undefined, options: ToolkitOptions): Toolset {
  const { mode = 'tool', placement = 'system', tools: wanted = {} } = options;
  const catalogText = placement === 'tool' && fixed !== undefined ? renderCatalog(fixed.plan) : '';
  const activate = createActivateTool(setting, fixed, catalogText);
  const read = createReadTool(setting, options.resourceDirectories);
  const find = createFindTool(setting, options.createIndex);
  const list = createListTool(setting);
  const deactivate = createDeactivateTool(setting);
  // Bytes of a `SKILL.md` from which its body may be too long to be disclosed at once, and is read on in pages.
  const longBody = mode === 'direct' ? directCharacters : Math.min(activationLimit, attachedCharacters(options.attach));

  function choose(offer: Offer | undefined, hasFiles: boolean): readonly SkillTool[] {
    if (offer?.reachable.skills.length === 0 || mode === 'awareness') return [];
    const isOffering = mode === 'tool' && offer?.catalog.skills.length !== 0;
    const hasDeferred = offer?.plan.skills.some(({ showing }) => showing === 'deferred') ?? true;
    return [
      ...(isOffering ? [activate] : []),
      ...(hasFiles ? [read] : []),
      ...(isOffering && (hasDeferred || wanted.find === true) ? [find] : []),
      ...(isOffering && wanted.list === true ? [list] : []),
      ...(isOffering && wanted.deactivate === true ? [deactivate] : []),
    ];
  }

  /** Long instructions are read on with the tool for files. */
  const isLong = ({ bytes }: Skill): boolean => bytes > longBody;

  return {
    activate,
    toolsFor(offer) {
      const skills = offer?.reachable.skills;
      return choose(offer, skills?.some((skill) => skill.hasFiles !== false || isLong(skill)) ?? true);
    },
    async toolsInUse(offer, signal) {
      const { skills } = offer.reachable;
      return choose(offer, mode !== 'awareness' && (skills.some(isLong) || (await haveFiles(skills, signal))));
    },
    namesOf(tools) {
      const nameOf = (tool: SkillTool): string | undefined => (tools.includes(tool) ? tool.name : undefined);
      return { activate: nameOf(activate), read: nameOf(read), find: nameOf(find) };
    },
  };
}

const defaultNames: ToolNames = {
  activate: 'activate_skill',
  read: 'read_skill_resource',
  find: 'find_skills',
  list: 'list_skills',
  deactivate: 'deactivate_skill',
};

/** Gives the names of the tools. @throws {SkillError} `options-invalid` where two tools would have one name, or one none */
export function chooseToolNames(chosen: Partial<ToolNames> | undefined): ToolNames {
  const names = { ...defaultNames, ...chosen };
  const all: readonly string[] = Object.values(names);
  const repeated = all.find((name, index) => name === '' || all.indexOf(name) !== index);
  if (repeated === undefined) return names;
  throw new SkillError(
    'options-invalid',
    `The option \`toolNames\` gives two tools the name \`${repeated}\`, or none.`,
  );
}
