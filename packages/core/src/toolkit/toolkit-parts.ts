// What the tools and the model calls of a toolkit work with. Types only.

import type { Catalog } from '../catalog/catalog.ts';
import type { MessageView, SkillState } from '../conversation/conversation.ts';
import type { StoreMemory } from '../conversation/store.ts';
import type { StoredResult } from '../conversation/stored.ts';
import type { TrackedSkills } from '../conversation/tracked.ts';
import type { OfferedTools } from '../disclosure/catalog-text.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import type { createOrder } from '../runtime/in-order.ts';
import type { SkillContents } from '../scripts/contents.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { Offer } from './offer.ts';
import type { ToolkitOptions } from './options.ts';
import type { ConsentMemory, ConsentParts } from './permission/consent-store.ts';
import type { ToolCall } from './permission/judgement.ts';
import type { ToolNames } from './tool-names.ts';
import type { SkillContext } from './tools/tool.ts';

/** What one run remembers between its model calls and their tools. */
export interface RunMemory extends StoreMemory, ConsentMemory {
  offer?: Offer;
  /** The offer was found for a model call that is not prepared yet. */
  hasBegun?: boolean;
  state?: SkillState;
  /**
   * What the model has done to skills since its last call, because one answer may name a skill twice: their version and arguments,
   * or nothing if it ended them.
   */
  changed?: Map<string, string | undefined> | undefined;
  /** Runs calls of one answer about the same skill one after the other. */
  inOrder?: ReturnType<typeof createOrder> | undefined;
  /** Whole results of tools, of which only a part is kept. */
  results?: Map<string, Promise<StoredResult>>;
  /** What all calls that are made again for one model call share. */
  replayed?: Promise<UsedSkills> | undefined;
}

/** The skills of one moment in a conversation. */
export interface UsedSkills {
  readonly offer: Offer;
  readonly tracked: TrackedSkills;
  /** The skills that a model may use. */
  readonly usable: Catalog;
  /** The files of those that a person agreed to, by skill and by what was agreed to: each is read once. */
  readonly contents: Map<string, Promise<SkillContents | undefined>>;
}

/** What every tool and every model call of a toolkit works with. */
export interface ToolkitParts extends ConsentParts {
  readonly options: ToolkitOptions;
  readonly names: ToolNames;
  /** Returns what the run of a request remembers: nothing if it has none. */
  memoryOf(context: SkillContext): RunMemory;
  /**
   * Judges or runs a call that activates or ends a skill after all earlier calls of the run that name it: one answer may contain
   * several, and frameworks start them at the same time. Other calls begin at once.
   */
  inTurn<T>(call: ToolCall, context: SkillContext, work: () => Promise<T>): Promise<T>;
  /** Finds what is offered now. */
  findOffer(context: SkillContext): Promise<Offer>;
  /** Returns what was offered in the last model call of the run. */
  offerFor(context: SkillContext): Promise<Offer>;
  /**
   * Derives the active skills from messages, and from the state that is stored with them.
   * @param messages default: as far as the context shows them
   */
  track(offer: Offer, context: SkillContext, messages?: readonly MessageView[]): Promise<TrackedSkills>;
  /** Works out what a policy offers of a catalog. */
  readonly offerOf: (catalog: Catalog, policy: SkillPolicy) => Offer;
  /** Returns the names of the offered tools, for the texts that mention them. */
  readonly toolsOf: (offer: Offer) => OfferedTools;
  /** Keeps the state of a model call: for its tools, and where the context says. */
  keep(state: SkillState, context: SkillContext): Promise<void>;
  readonly countTokens: CountTokens;
  /** Checks whether anybody hears what is emitted. */
  readonly isHeard: (context: SkillContext) => boolean;
}

/** What a tool or a model call works with in one call: the parts of the toolkit, and what is known about the call. */
export interface CallParts extends ToolkitParts {
  readonly context: SkillContext;
}
