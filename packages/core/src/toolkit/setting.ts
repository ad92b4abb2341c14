// What the tools of a toolkit share: their names, and the functions that they work with.

import type { SkillEvent } from '../conversation/event.ts';
import type { TrackedSkills } from '../conversation/track.ts';
import type { OfferedTools } from '../disclosure/catalog-text.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import { SkillError } from '../skill/error.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { Offer } from './offer.ts';
import type { Approvals } from './permission/approval.ts';
import type { SkillContext } from './tools/tool.ts';

/** The names of the tools. */
export interface ToolNames {
  readonly activate: string;
  readonly read: string;
  readonly files: string;
  readonly find: string;
  readonly list: string;
  readonly deactivate: string;
  readonly run: string;
}

/** What every tool of a toolkit works with. */
export interface ToolServices {
  readonly names: ToolNames;
  /** Returns what is offered in a request. */
  readonly offerFor: (context: SkillContext) => Promise<Offer>;
  readonly policyFor: (context: SkillContext) => SkillPolicy;
  /** Returns the names of the offered tools, for the texts that mention them. */
  readonly toolsOf: (offer: Offer) => OfferedTools;
  /** Returns the skills of a conversation, as far as the context shows it. */
  readonly trackIn: (offer: Offer, context: SkillContext) => Promise<TrackedSkills>;
  readonly approvals: Approvals;
  readonly countTokens: CountTokens;
  readonly emit: (event: SkillEvent, context: SkillContext) => void;
  /** Checks whether anybody hears what is emitted. */
  readonly isHeard: (context: SkillContext) => boolean;
}

const defaultNames: ToolNames = {
  activate: 'activate_skill',
  read: 'read_skill_resource',
  files: 'list_skill_resources',
  find: 'find_skills',
  list: 'list_skills',
  deactivate: 'deactivate_skill',
  run: 'run_skill_script',
};

/** Returns the names of the tools. @throws {SkillError} `options-invalid` if a name is empty or used twice */
export function chooseToolNames(chosen: Partial<ToolNames> | undefined): ToolNames {
  const names = { ...defaultNames, ...chosen };
  const all: readonly string[] = Object.values(names);
  if (all.includes('')) {
    throw new SkillError('options-invalid', '`toolNames` contains an empty name. Give each tool a name of its own.');
  }
  const repeated = all.find((name, index) => all.indexOf(name) !== index);
  if (repeated === undefined) return names;
  throw new SkillError(
    'options-invalid',
    `\`toolNames\` uses \`${repeated}\` twice. Give each tool a name of its own.`,
  );
}
