// What the tools and the model calls of a toolkit work with. Types only.

import type { SkillEvent } from '../conversation/event.ts';
import type { TrackedSkills } from '../conversation/tracked.ts';
import type { OfferedTools } from '../disclosure/catalog-text.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { Offer } from './offer.ts';
import type { Approvals } from './permission/approval.ts';
import type { ToolNames } from './tool-names.ts';
import type { SkillContext } from './tools/tool.ts';

/** What every tool of a toolkit works with. */
export interface ToolkitParts {
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
