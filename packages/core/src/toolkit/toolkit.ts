// Creates what an adapter sees: neutral tools, and what skills change in one model call.

import { findSpelling } from '../catalog/resolve.ts';
import { renderCatalogChange } from '../disclosure/catalog-text.ts';
import { definePolicy, type SkillPolicy } from '../policy/policy.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { estimateTokens } from '../text/tokens.ts';
import { findUnknownTools, hasToolRules, hiddenTools } from './allowed-tools.ts';
import { createApprovals } from './approval.ts';
import { renderCatalogPrompt } from './catalog-prompt.ts';
import { askableTools, endWithdrawn, findGiven } from './consented.ts';
import type { MessageView, SkillState } from './conversation.ts';
import { assertPreloadable, decideSkills, preloadedNames } from './decisions.ts';
import { editMessages } from './edit-messages.ts';
import { knownAbout } from './event.ts';
import { createInstructionsReader } from './instructions.ts';
import { judgeCall } from './judge.ts';
import { keepState } from './keep-state.ts';
import { keyMessages } from './message-keys.ts';
import { newsOf } from './news.ts';
import { createOffers, describeMissing, describeOffer, type Offer } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import { placeSkills } from './place.ts';
import { redactResult } from './redact.ts';
import { chooseToolNames, type ToolNames, type ToolServices } from './setting.ts';
import type { SkillToolkit } from './skill-toolkit.ts';
import { type StoreMemory, storeState } from './store-state.ts';
import { readStoredResult, readStoredState } from './stored.ts';
import type { SkillContext } from './tool.ts';
import { createTools, nameTools, possibleTools, usefulTools } from './toolset.ts';
import { createTracing } from './trace.ts';
import { listActive, mergeStates, type TrackedSkills, trackSkills } from './track.ts';
import { assertVersion } from './version.ts';

/** What one run remembers between its model calls and their tools. */
interface RunMemory extends StoreMemory {
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
export function createToolkit<Request = unknown>(
  input: CatalogInput<Request>,
  options: ToolkitOptions = {},
): SkillToolkit<Request> {
  const { mode = 'tool', placement = 'system', onEvent, baseline, preload = [], reattach = {} } = options;
  const planOptions = { ...options.plan, locations: mode === 'awareness' || options.plan?.locations === true };
  const countTokens = planOptions.countTokens ?? estimateTokens;
  const offerOf = createOffers(planOptions);
  const { policy = definePolicy() } = options;
  const policyFor = (context: SkillContext): SkillPolicy => (typeof policy === 'function' ? policy(context) : policy);
  const isStatic = typeof input !== 'function' && typeof policy !== 'function';
  const staticOffer = isStatic ? offerOf(input, policy) : undefined;
  if (staticOffer === undefined && placement === 'tool') {
    throw new SkillError(
      'options-invalid',
      "`placement: 'tool'` needs a fixed catalog and policy, but `createToolkit` was given a function. Use `placement: 'system'`.",
    );
  }
  const names = chooseToolNames(options.toolNames);
  const runs = new WeakMap<object, RunMemory>();
  const tracing = options.tracer && createTracing(options.tracer);

  const emit: ToolServices['emit'] = (event, context) => {
    if (context.replay === true) return;
    tracing?.report(event, context);
    const about = knownAbout(context);
    const told = about === undefined ? event : { ...event, about };
    onEvent?.(told);
    context.onEvent?.(told);
  };
  const services: ToolServices = {
    names,
    offerFor: async (context) => {
      const memory = memoryOf(context);
      memory.offer ??= await findOffer(context);
      return memory.offer;
    },
    toolsOf: (offer) => nameTools(names, possibleTools(offer, options)),
    policyFor,
    trackIn: (offer, context) => track(offer, context.messages ?? [], context),
    countTokens,
    emit,
    approvals: createApprovals(options.consent, { policyFor, emit }),
  };
  const allTools = createTools(services, staticOffer, options);
  const registered = possibleTools(staticOffer, options);
  let applicationTools: readonly string[] | undefined;
  const checked = new WeakSet<Offer>();
  if (staticOffer !== undefined) assertPreloadable(staticOffer.decidable, preload);

  /** A call without a run remembers nothing. */
  function memoryOf({ run }: SkillContext): RunMemory {
    const memory = (run && runs.get(run)) ?? {};
    if (run !== undefined) runs.set(run, memory);
    return memory;
  }

  async function findOffer(context: SkillContext): Promise<Offer> {
    if (typeof input !== 'function') return offerOf(input, policyFor(context));
    const catalog = input(context as SkillContext & { request: Request });
    return offerOf(await untilAborted(Promise.resolve(catalog), context.signal), policyFor(context));
  }

  async function track(offer: Offer, messages: readonly MessageView[], context: SkillContext): Promise<TrackedSkills> {
    const { mentions = options.mentions } = context;
    const given = await findGiven(offer, messages, services, context);
    const tracked = trackSkills(messages, mergeStates(memoryOf(context).state, context.state), {
      catalog: offer.reachable,
      named: offer.named,
      allowed: offer.allowed,
      given,
      tools: names,
      preloaded: preloadedNames(offer.decidable, preload),
      mentions: typeof mentions === 'boolean' ? { slash: mentions, dollar: mentions } : mentions,
    });
    return endWithdrawn(tracked, offer, services.approvals, context);
  }

  /** Once for each catalog: as soon as the application's tools are known. */
  function reportUnknownTools(offer: Offer, context: SkillContext): void {
    if (applicationTools === undefined || checked.has(offer)) return;
    checked.add(offer);
    const known = [...applicationTools, ...Object.values(names)];
    for (const event of findUnknownTools(offer, known, options)) services.emit(event, context);
  }

  function withhold(useful: readonly (keyof ToolNames)[]): readonly string[] {
    return registered.filter((kind) => !useful.includes(kind)).map((kind) => names[kind]);
  }

  function hide(offer: Offer, tracked: TrackedSkills, context: SkillContext): readonly string[] {
    const others = (context.offered ?? []).filter((name) => !Object.values(names).includes(name));
    return hiddenTools(others, options, { offer, tracked, policy: policyFor(context) });
  }

  const toolkit: SkillToolkit<Request> = {
    judgesAll: hasToolRules(options),
    tools: registered.map((kind) => allTools[kind]),
    async prepare(messages, context = {}) {
      const memory = memoryOf(context);
      const offer = (memory.hasBegun && memory.offer) || (await findOffer(context));
      Object.assign(memory, { offer, hasBegun: false });
      const useful = await usefulTools(offer, options, context.signal);
      const callable = useful.filter((kind) => context.offered?.includes(names[kind]) !== false);
      const tools = nameTools(names, callable);
      reportUnknownTools(offer, context);
      if (onEvent ?? tracing ?? context.onEvent)
        for (const event of describeOffer(offer, countTokens)) services.emit(event, context);
      const began = baseline?.(context);
      const announced = began === undefined ? offer : offerOf(began, policyFor(context));
      const { text, shown } = await renderCatalogPrompt(announced, tools, options, services, context.signal);
      const change = announced === offer || text === '' ? '' : renderCatalogChange(announced.plan, offer.plan);
      const tracked = await track(offer, context.messages ?? messages, context);
      for (const skill of tracked.withdrawn ?? [])
        services.emit({ type: 'deactivated', skill, by: 'code', tokens: 0 }, context);
      await services.approvals.settle(messages, askableTools(offer, policyFor(context), names), context);
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
      const { onState } = context;
      if (onState !== undefined) await toolkit.storeState(() => onState(state), context);
      return {
        system: [text, ...placed.preloaded, change].filter((part) => part !== '').join('\n\n'),
        withheld: [...withhold(useful), ...hide(offer, tracked, context)],
        edits: placed.edits,
        state,
        active: listActive(tracked, placed.records),
      };
    },
    async begin(context) {
      const offer = await findOffer(context);
      const memory = memoryOf(context);
      if (memory.hasBegun === undefined)
        for (const event of describeMissing(offer, context.replaced)) services.emit(event, context);
      Object.assign(memory, { offer, hasBegun: true });
      const tracked = await track(offer, context.messages ?? [], context);
      return [...withhold(await usefulTools(offer, options, context.signal)), ...hide(offer, tracked, context)];
    },
    async track(messages, context = {}) {
      const { records, seen } = await track(await services.offerFor(context), messages, context);
      return { ...(seen !== undefined && { seen }), skills: Object.fromEntries(records) };
    },
    async active(messages, context = {}) {
      const tracked = await track(await services.offerFor(context), messages, context);
      return listActive(tracked, Object.fromEntries(tracked.records));
    },
    async decide(decision, messages, context = {}) {
      const offer = await services.offerFor(context);
      return decideSkills(decision, offer, await track(offer, messages, context), (event) =>
        services.emit(event, context),
      );
    },
    judge: (call, context = {}) => judgeCall(call, services, options, context),
    merge: (...states) => mergeStates(...states.map(readStoredState)),
    readResult: readStoredResult,
    keepState,
    newsOf,
    redactResult,
    keyMessages,
    editMessages: (messages, views, edits, writer) =>
      editMessages(messages, views, edits, writer, Object.values(names)),
    storeState: (write, context = {}) =>
      storeState(write, memoryOf(context), context.signal, (error) =>
        services.emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context),
      ),
    async correctCall(call, context = {}) {
      const { offered } = context;
      if (mode !== 'tool' || offered?.includes(call.name) || offered?.includes(names.activate) === false)
        return undefined;
      const { catalog } = await services.offerFor(context);
      const name = findSpelling(catalog, call.name);
      return name === undefined ? undefined : { name: names.activate, input: { name } };
    },
    assertVersion,
    assertNamesFree(tools) {
      applicationTools = tools;
      if (staticOffer !== undefined) reportUnknownTools(staticOffer, {});
      const taken = registered.map((kind) => names[kind]).filter((name) => tools.includes(name));
      if (taken.length === 0) return;
      throw new SkillError(
        'options-invalid',
        `The application already has a tool \`${taken.join('`, `')}\`. Rename Skillful's with the option \`toolNames\`.`,
      );
    },
  };
  return tracing?.wrap(toolkit) ?? toolkit;
}
