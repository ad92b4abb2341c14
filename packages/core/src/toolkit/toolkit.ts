// What an adapter sees: neutral tools, and what skills change in one model call, the same for every framework.

import { findSpelling } from '../catalog/resolve.ts';
import {
  countUnlisted,
  type OfferedTools,
  renderCatalog,
  renderCatalogChange,
  renderSystemText,
} from '../disclosure/catalog-text.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { ActiveSkill, MessageView, Preparation, SkillState } from './conversation.ts';
import { assertPreloadable, decideSkills, preloadedNames, type SkillDecision } from './decisions.ts';
import { type InlineInstructions, renderInlineInstructions } from './inline-instructions.ts';
import { createInstructionsReader } from './instructions.ts';
import { createOffers, type Offer } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import { placeSkills } from './place.ts';
import { chooseToolNames, type ToolNames, type ToolServices } from './setting.ts';
import { readStoredResult, readStoredState, type StoredResult } from './stored.ts';
import type { SkillContext, SkillTool } from './tool.ts';
import { createTools, nameTools, possibleTools, usefulTools } from './toolset.ts';
import { listActive, mergeStates, type TrackedSkills, trackSkills } from './track.ts';

/** A call of a tool by name. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** What an adapter translates into its framework, and never adds to. */
export interface SkillToolkit {
  /** All tools to register. Empty if the catalog is known to be empty. */
  readonly tools: readonly SkillTool[];
  /**
   * Works out what skills change in one model call. Call it last, with the messages as the model will read them, once for
   * each call: the catalog function runs once, and the tools of the same `run` use the same catalog.
   */
  prepare(messages: readonly MessageView[], context?: SkillContext): Promise<Preparation>;
  /**
   * Finds the catalog of the next model call, and returns the tools to leave out of it: for frameworks that choose tools
   * before the messages are final. The next `prepare` of the same `run` uses that catalog.
   */
  begin(context: SkillContext & { readonly run: object }): Promise<readonly string[]>;
  /** Derives what to keep of a conversation, without reading a skill. `prepare` does the same and reports its result. */
  track(messages: readonly MessageView[], context?: SkillContext): Promise<SkillState>;
  /** Lists what is active in a conversation, the latest activation last. */
  active(messages: readonly MessageView[], context?: SkillContext): Promise<readonly ActiveSkill[]>;
  /**
   * Activates and ends skills for the application, in a conversation with these messages. Store the state that it returns:
   * it counts from the next model call on, and nothing in the conversation can change it.
   *
   * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
   */
  decide(decision: SkillDecision, messages: readonly MessageView[], context?: SkillContext): Promise<SkillState>;
  /** Merges states of a store: of each skill, what happened last. What is no state counts as nothing. */
  merge(...states: readonly unknown[]): SkillState;
  /** Reads a stored result of a tool, whose parts are its `files`; whatever is none becomes a sentence. */
  readResult(tool: string, stored: unknown): StoredResult;
  /** Emits `state-failed`. A failed write must not fail the model call. */
  reportStateFailure(error: unknown, context?: SkillContext): void;
  /** Corrects a call of a skill's name as if it were a tool; `undefined` if it is not one. */
  correctCall(call: ToolCall, context?: SkillContext): Promise<ToolCall | undefined>;
  /**
   * Checks that the application's own tools do not have the names of these tools: frameworks let one silently win.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertNamesFree(applicationTools: readonly string[]): void;
}

/** What one run remembers between its model calls and their tools. */
interface RunMemory {
  offer?: Offer;
  /** The offer was found for a model call that is not prepared yet. */
  hasBegun?: boolean;
  state?: SkillState;
}

/**
 * Creates the tools and the texts of a catalog. With no skills there are no tools and no text.
 *
 * @throws {SkillError} `options-invalid` if the options contradict each other; `skill-unknown` if the catalog has no skill
 * that `preload` names
 */
export function createToolkit(input: CatalogInput, options: ToolkitOptions = {}): SkillToolkit {
  const { mode = 'tool', placement = 'system', onEvent = () => {}, baseline, preload = [], reattach = {} } = options;
  const planOptions = { ...options.plan, locations: mode === 'awareness' || options.plan?.locations === true };
  const countTokens = planOptions.countTokens ?? estimateTokens;
  const offerOf = createOffers(planOptions);
  const staticOffer = typeof input === 'function' ? undefined : offerOf(input);
  if (staticOffer === undefined && placement === 'tool') {
    throw new SkillError(
      'options-invalid',
      "`placement: 'tool'` needs a fixed catalog, but `createToolkit` was given a function. Use `placement: 'system'`.",
    );
  }
  const names = chooseToolNames(options.toolNames);
  const runs = new WeakMap<object, RunMemory>();

  const services: ToolServices = {
    names,
    offerFor: async (context) => {
      const memory = memoryOf(context);
      memory.offer ??= await findOffer(context);
      return memory.offer;
    },
    toolsOf: (offer) => nameTools(names, possibleTools(offer, options)),
    trackIn: (offer, context) => track(offer, context.messages ?? [], context),
    countTokens,
    emit: (event, { about, replay }) => {
      if (replay !== true) onEvent(about === undefined ? event : { ...event, about });
    },
  };
  const allTools = createTools(services, staticOffer, options);
  const registered = possibleTools(staticOffer, options);
  if (staticOffer !== undefined) assertPreloadable(staticOffer.reachable, preload);

  /** A call without a run remembers nothing. */
  function memoryOf({ run }: SkillContext): RunMemory {
    const memory = (run && runs.get(run)) ?? {};
    if (run !== undefined) runs.set(run, memory);
    return memory;
  }

  async function findOffer(context: SkillContext): Promise<Offer> {
    if (typeof input !== 'function') return offerOf(input);
    return offerOf(await untilAborted(Promise.resolve(input(context)), context.signal));
  }

  function track(offer: Offer, messages: readonly MessageView[], context: SkillContext): TrackedSkills {
    const { mentions = options.mentions } = context;
    return trackSkills(messages, mergeStates(memoryOf(context).state, context.state), {
      catalog: offer.reachable,
      tools: names,
      preloaded: preloadedNames(offer.reachable, preload),
      mentions: typeof mentions === 'boolean' ? { slash: mentions, dollar: mentions } : mentions,
    });
  }

  /** The catalog in the words of its mode; `tools` are the ones that the model can call. */
  async function renderCatalogText(offer: Offer, tools: OfferedTools, signal: AbortSignal | undefined) {
    if (offer.catalog.skills.length === 0) return noText;
    if (mode === 'direct') return renderInlineInstructions(offer, services, signal);
    if (placement === 'tool' || (mode === 'tool' && tools.activate === undefined)) return noText;
    return { text: renderSystemText(renderCatalog(offer.plan), tools, countUnlisted(offer.plan)), shown: noText.shown };
  }

  function withhold(useful: readonly (keyof ToolNames)[]): readonly string[] {
    return registered.filter((kind) => !useful.includes(kind)).map((kind) => names[kind]);
  }

  return {
    tools: registered.map((kind) => allTools[kind]),
    async prepare(messages, context = {}) {
      const memory = memoryOf(context);
      const offer = (memory.hasBegun && memory.offer) || (await findOffer(context));
      Object.assign(memory, { offer, hasBegun: false });
      const useful = await usefulTools(offer, options, context.signal);
      const callable = useful.filter((kind) => context.offered?.includes(names[kind]) !== false);
      const tools = nameTools(names, callable);
      reportPlan(offer, context);
      const began = baseline?.(context);
      const announced = began === undefined ? offer : offerOf(began);
      const { text, shown } = await renderCatalogText(announced, tools, context.signal);
      const change = announced === offer || text === '' ? '' : renderCatalogChange(announced.plan, offer.plan);
      const tracked = track(offer, context.messages ?? messages, context);
      const placed = await placeSkills(messages, tracked, {
        catalog: offer.reachable,
        activateTool: names.activate,
        canActivate: tools.activate !== undefined,
        shown,
        read: createInstructionsReader(offer.reachable, {
          signal: context.signal,
          readTool: tools.read,
          budget: reattach,
          countTokens,
        }),
        movedTokens: reattach.tokens ?? 25_000,
        countTokens,
        emit: (event) => services.emit(event, context),
      });
      const state = { ...(tracked.seen !== undefined && { seen: tracked.seen }), skills: placed.records };
      memory.state = state;
      return {
        system: [text, ...placed.preloaded, change].filter((part) => part !== '').join('\n\n'),
        withheld: withhold(useful),
        edits: placed.edits,
        state,
        active: listActive(tracked, placed.records),
      };
    },
    async begin(context) {
      const offer = await findOffer(context);
      Object.assign(memoryOf(context), { offer, hasBegun: true });
      return withhold(await usefulTools(offer, options, context.signal));
    },
    async track(messages, context = {}) {
      const { records, seen } = track(await services.offerFor(context), messages, context);
      return { ...(seen !== undefined && { seen }), skills: Object.fromEntries(records) };
    },
    async active(messages, context = {}) {
      const tracked = track(await services.offerFor(context), messages, context);
      return listActive(tracked, Object.fromEntries(tracked.records));
    },
    async decide(decision, messages, context = {}) {
      const offer = await services.offerFor(context);
      return decideSkills(decision, offer.reachable, track(offer, messages, context), (event) =>
        services.emit(event, context),
      );
    },
    merge: (...states) => mergeStates(...states.map(readStoredState)),
    readResult: readStoredResult,
    reportStateFailure(error, context = {}) {
      services.emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context);
    },
    async correctCall(call, context = {}) {
      if (mode !== 'tool') return undefined;
      const { catalog } = await services.offerFor(context);
      const name = findSpelling(catalog, call.name);
      return name === undefined ? undefined : { name: names.activate, input: { name } };
    },
    assertNamesFree(applicationTools) {
      const taken = registered.map((kind) => names[kind]).filter((name) => applicationTools.includes(name));
      if (taken.length === 0) return;
      throw new SkillError(
        'options-invalid',
        `The application already has a tool \`${taken.join('`, `')}\`. Rename Skillful's with the option \`toolNames\`.`,
      );
    },
  };

  function reportPlan({ plan }: Offer, context: SkillContext): void {
    if (options.onEvent === undefined) return;
    const skills = plan.skills.filter(({ tokens }) => tokens > 0).length;
    services.emit({ type: 'offered', skills, tokens: plan.tokens }, context);
    for (const { skill, cut, description } of plan.skills) {
      if (cut === undefined || cut === 'choice' || cut === 'not-for-models') continue;
      const tokens = countTokens(skill.description) - countTokens(description);
      services.emit({ type: 'cut', skill: skill.name, reason: cut, tokens }, context);
    }
  }
}

const noText: InlineInstructions = { text: '', shown: new Set() };
