// Defines the parts that the tools and the model calls of a toolkit share. Types only.

import type { Catalog } from '../catalog/catalog.ts';
import type { SkillState, ToolCall } from '../conversation/conversation.ts';
import type { SkillEvent } from '../conversation/event.ts';
import type { StoreMemory } from '../conversation/store.ts';
import type { StoredResult } from '../conversation/stored.ts';
import type { TrackedSkills } from '../conversation/tracked.ts';
import type { OfferedTools } from '../disclosure/catalog-text.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import type { createOrder } from '../runtime/in-order.ts';
import type { SkillContents } from '../scripts/contents.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { Offer } from './offer.ts';
import type { ConsentOptions, ToolkitOptions } from './options.ts';
import type { ToolNames } from './tool-names.ts';
import type { SkillContext } from './tools/tool.ts';

/** What one run remembers between its model calls and their tools. */
export interface RunMemory extends StoreMemory {
  offer?: Offer;
  /** Whether the offer was found for a model call that is not prepared yet. */
  hasBegun?: boolean;
  state?: SkillState | undefined;
  /**
   * The skills that the model has activated or ended since its last call, because one answer may name a skill twice. The value
   * contains version and arguments, and is undefined if the skill was ended.
   */
  changed: Map<string, string | undefined>;
  /** Runs calls of one answer about the same skill one after the other. */
  inOrder: ReturnType<typeof createOrder>;
  /** Whether the store of consents did not answer in this model call. Further look-ups do not wait for it. */
  isSilent?: boolean;
  /**
   * Keys of questions that may be stored but were not shown when their calls were last judged, for example because the store or a
   * listener failed. Some frameworks then make the call without asking.
   */
  readonly hidden: Set<string>;
  /** What was reported about the calls of one answer. */
  reported: Set<string>;
  /** Whole results of tool calls that are stored only in part. */
  readonly results: Map<string, Promise<StoredResult>>;
  /** The skills that all replays for one model call share. */
  replayed?: Promise<UsedSkills> | undefined;
}

/** The skills of one moment in a conversation. */
export interface UsedSkills {
  readonly offer: Offer;
  readonly tracked: TrackedSkills;
  /** The skills that a model may use. */
  readonly usable: Catalog;
  /** The files of skills that a person agreed to, by skill and digest, so that each is read only once. */
  readonly contents: Map<string, Promise<SkillContents | undefined>>;
}

/** The parts that every tool and every model call of a toolkit shares. */
export interface ToolkitParts {
  readonly options: ToolkitOptions;
  readonly names: ToolNames;
  readonly consent: ConsentOptions & { readonly store: NonNullable<ConsentOptions['store']> };
  readonly policyFor: (context: SkillContext) => SkillPolicy;
  /** Reports an event at once, or adds a function to `untold` that reports it to the toolkit's `onEvent`. */
  readonly emit: (event: SkillEvent, context: SkillContext, untold?: SkillContext['untold']) => void;
  /** Returns the memory of a request's run; a new, empty one if there is no run. */
  memoryOf(context: SkillContext): RunMemory;
  /**
   * Runs work for a call. If the call activates or ends a skill, waits for earlier such calls of the run about the same skill,
   * because frameworks start all calls of one answer at the same time. Other calls begin at once.
   */
  inTurn<T>(call: ToolCall, context: SkillContext, work: () => Promise<T>): Promise<T>;
  /** Finds the current offer, for a model call that is to be prepared. */
  findNext(context: SkillContext): Promise<Offer>;
  /** Returns the offer of the last model call of the run. */
  offerFor(context: SkillContext): Promise<Offer>;
  readonly offerOf: (catalog: Catalog, policy: SkillPolicy) => Offer;
  /** Returns the names of the offered tools, for texts that mention them. */
  readonly toolsOf: (offer: Offer) => OfferedTools;
  readonly countTokens: CountTokens;
  /** Checks whether events have a listener. */
  readonly isHeard: (context: SkillContext) => boolean;
}

/** The parts of the toolkit, and the context of one call. */
export interface CallParts extends ToolkitParts {
  readonly context: SkillContext;
}
