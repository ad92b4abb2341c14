// What an adapter sees: instructions for the system prompt and neutral tools, the same for every framework.

import { activateSkill } from './activate.ts';
import type { Catalog } from './catalog.ts';
import { SkillError } from './error.ts';
import {
  renderAmbiguousSkill,
  renderBinaryResource,
  renderInstructions,
  renderTextResource,
  renderUnknownSkill,
  type ToolNames,
} from './render.ts';
import { qualifiedName, resolveSkill } from './resolve.ts';
import { readSkillResource } from './resource.ts';
import type { Skill } from './skill.ts';
import { createTool, refuse, type SkillContext, type SkillTool, type SkillToolResult } from './tool.ts';

/** A catalog, or a function that finds the one for a request: its tenant's, its user's, the latest after a reload. */
export type CatalogInput = Catalog | ((context: SkillContext) => Catalog | Promise<Catalog>);

export interface ToolkitOptions {
  /** Other names for the tools, where an application has tools of these names already. */
  readonly toolNames?: Partial<ToolNames> | undefined;
}

/** What one model call is told: text for the system prompt, and the tools that go with it. Both empty without skills. */
export interface SkillDisclosure {
  readonly instructions: string;
  readonly tools: readonly SkillTool[];
}

/** Neutral tools and instructions, which an adapter translates and never adds to. */
export interface SkillToolkit {
  /** Every tool that may be offered, to be registered once; none where it is known that there are no skills. */
  readonly tools: readonly SkillTool[];
  /** What the model call at hand is told; a registered tool that is not in it is to be withheld from that call. */
  disclose(context?: SkillContext): Promise<SkillDisclosure>;
  /**
   * Makes sure that the application's own tools leave the toolkit's names alone: frameworks let one silently win.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertNamesFree(applicationTools: readonly string[]): void;
}

/** The activation tool spells out the names that it takes while there are no more than this. */
const maxEnumeratedNames = 100;

/** Creates the tools and the instructions of a catalog. With no skills there are no tools and no text. */
export function createToolkit(catalog: CatalogInput, options: ToolkitOptions = {}): SkillToolkit {
  const toolNames: ToolNames = { activate: 'activate_skill', read: 'read_skill_resource', ...options.toolNames };
  const fixed = typeof catalog === 'function' ? undefined : offeredSkills(catalog);
  const find: FindCatalog = typeof catalog === 'function' ? async (context) => catalog(context) : async () => catalog;
  const tools = [createActivateTool(toolNames, find, fixed), createReadTool(toolNames, find)];
  return {
    tools: fixed?.length === 0 ? [] : tools,
    async disclose(context = {}) {
      const skills = fixed ?? offeredSkills(await find(context));
      if (skills.length === 0) return { instructions: '', tools: [] };
      return { instructions: renderInstructions(skills, toolNames), tools };
    },
    assertNamesFree(applicationTools) {
      const taken = tools.map((tool) => tool.name).filter((name) => applicationTools.includes(name));
      if (taken.length === 0) return;
      throw new SkillError(
        'options-invalid',
        `The application has a tool \`${taken.join('`, `')}\` of its own. Rename Skillful's with the option \`toolNames\`.`,
      );
    },
  };
}

type FindCatalog = (context: SkillContext) => Promise<Catalog>;

/** The skills that a model may know of. */
function offeredSkills(catalog: Catalog): readonly Skill[] {
  return catalog.skills.filter((skill) => !skill.properties.disableModelInvocation);
}

function createActivateTool(toolNames: ToolNames, find: FindCatalog, fixed: readonly Skill[] | undefined): SkillTool {
  const name: { type: 'string'; description: string; enum?: string[] } = {
    type: 'string',
    description: 'Name of the skill, as listed in available_skills.',
  };
  if (fixed !== undefined && fixed.length <= maxEnumeratedNames) name.enum = fixed.map((skill) => skill.name);
  return createTool(
    {
      name: toolNames.activate,
      description: 'Loads the instructions of a skill. Call it before you work on a task that the skill covers.',
      inputSchema: { type: 'object', properties: { name }, required: ['name'], additionalProperties: false },
    },
    async (input, context) => {
      const found = findOffered(await find(context), input['name'] ?? '');
      if (found.refusal !== undefined) return found.refusal;
      const activation = await activateSkill(found.skill, { signal: context.signal, resourceTool: toolNames.read });
      const details = { kind: 'activation', skill: found.skill.name, digest: activation.digest } as const;
      return { text: activation.text, isError: false, details };
    },
  );
}

function createReadTool(toolNames: ToolNames, find: FindCatalog): SkillTool {
  return createTool(
    {
      name: toolNames.read,
      description: 'Reads a bundled file of a skill, such as a reference that its instructions point to.',
      inputSchema: {
        type: 'object',
        properties: {
          skill: { type: 'string', description: 'Name of the skill.' },
          path: { type: 'string', description: 'Path relative to the skill directory, such as references/guide.md.' },
        },
        required: ['skill', 'path'],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const found = findOffered(await find(context), input['skill'] ?? '');
      if (found.refusal !== undefined) return found.refusal;
      const { skill } = found;
      const resource = await readSkillResource(skill, input['path'] ?? '', { signal: context.signal });
      const { path, mediaType, text, data } = resource;
      return {
        text:
          text === undefined
            ? renderBinaryResource(skill.name, path, mediaType, data.length)
            : renderTextResource(skill.name, path, text),
        isError: false,
        details: { kind: 'resource', skill: skill.name, path, mediaType },
      };
    },
  );
}

type Found = { readonly skill: Skill; readonly refusal?: never } | { readonly refusal: SkillToolResult };

/** Resolves a name among what the model may know of: what is not offered is as unknown as what does not exist. */
function findOffered(catalog: Catalog, name: string): Found {
  const skills = offeredSkills(catalog);
  const shadowed = catalog.shadowed.filter(({ skill }) => !skill.properties.disableModelInvocation);
  const resolution = resolveSkill({ ...catalog, skills, shadowed }, name);
  if (resolution.kind === 'found') return { skill: resolution.skill };
  if (resolution.kind === 'ambiguous') {
    const candidates = resolution.candidates.map(qualifiedName);
    return { refusal: refuse('skill-ambiguous', renderAmbiguousSkill(name, candidates)) };
  }
  const available = skills.map((skill) => skill.name);
  return { refusal: refuse('skill-unknown', renderUnknownSkill(name, resolution.suggestions, available)) };
}
