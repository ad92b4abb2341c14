// Creates the parts that the tools and the model calls of a toolkit share.

import { nameKey } from '../catalog/names.ts';
import { longestWanted } from '../catalog/resolve.ts';
import type { ToolCall } from '../conversation/conversation.ts';
import { knownAbout, type SkillEvent } from '../conversation/event.ts';
import { showToClients } from '../conversation/news.ts';
import { createConsentStore } from '../policy/consent.ts';
import { definePolicy, type SkillPolicy } from '../policy/policy.ts';
import { createOrder } from '../runtime/in-order.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { checkTokenizer } from '../skill/options.ts';
import { createOffers, type Offer } from './offer.ts';
import type { CatalogInput, RequestContext, ToolkitOptions } from './options.ts';
import { chooseToolNames } from './tool-names.ts';
import type { RunMemory, ToolkitParts } from './toolkit-parts.ts';
import { parseInput } from './tools/input.ts';
import type { SkillContext } from './tools/tool.ts';
import { nameTools, possibleTools } from './tools/toolset.ts';
import type { Tracing } from './trace.ts';

/** Creates the parts of a toolkit. @throws {SkillError} `options-invalid` if two tools have one name */
export function createParts<Request>(
  input: CatalogInput<Request>,
  options: ToolkitOptions,
  tracing: Tracing | undefined,
): ToolkitParts {
  const { mode, onEvent, policy = definePolicy() } = options;
  const names = chooseToolNames(options.toolNames);
  const offerOf = createOffers({
    ...options.plan,
    locations: mode === 'awareness' || options.plan?.locations === true,
  });
  const consent = { ...options.consent, store: options.consent?.store ?? createConsentStore() };
  const runs = new WeakMap<object, RunMemory>();

  function policyFor(context: SkillContext): SkillPolicy {
    return typeof policy === 'function' ? policy(context as RequestContext) : policy;
  }

  function memoryOf({ run }: SkillContext): RunMemory {
    const memory = (run && runs.get(run)) ?? {
      ...createAnswer(),
      hidden: new Set(),
      results: new Map(),
    };
    if (run !== undefined) runs.set(run, memory);
    return memory;
  }

  async function inTurn<T>({ name, input }: ToolCall, context: SkillContext, work: () => Promise<T>): Promise<T> {
    // A replayed call changes nothing, so it need not wait.
    if (context.replay === true || (name !== names.activate && name !== names.deactivate)) return work();
    const { inOrder } = memoryOf(context);
    return untilAborted(inOrder(nameIn(parseInput(input)), work), context.signal);
  }

  async function findOffer(context: SkillContext): Promise<Offer> {
    if (typeof input !== 'function') return offerOf(input, policyFor(context));
    const catalog = input(context as RequestContext<Request>);
    return offerOf(await untilAborted(catalog, context.signal), policyFor(context));
  }

  async function findNext(context: SkillContext): Promise<Offer> {
    const offer = await findOffer(context);
    Object.assign(memoryOf(context), { offer, hasBegun: true, hasLoaded: false, isSilent: false });
    return offer;
  }

  async function offerFor(context: SkillContext): Promise<Offer> {
    const memory = memoryOf(context);
    memory.offer ??= await findOffer(context);
    return memory.offer;
  }

  function emit(event: SkillEvent, context: SkillContext, untold?: (() => void)[]): void {
    if (context.replay === true) return;
    tracing?.report(event, context);
    const about = knownAbout(context);
    const { call } = context;
    const told = { ...event, ...(about && { about }), ...(call !== undefined && { call }) };
    if (untold === undefined) onEvent?.(told);
    else untold.push(() => onEvent?.(told));
    const shown = showToClients(told);
    if (shown !== undefined) context.onEvent?.(shown);
  }

  return {
    ...{ options, names, consent, policyFor, emit, memoryOf, offerOf, inTurn, findNext, offerFor },
    toolsOf: (offer) => nameTools(names, possibleTools(offer, options)),
    countTokens: checkTokenizer(options.plan?.countTokens),
    isHeard: (context) => (onEvent ?? tracing ?? context.onEvent) !== undefined,
  };
}

/** Creates what a run remembers about the model's next answer. */
export function createAnswer(): Pick<RunMemory, 'changed' | 'inOrder' | 'reported'> {
  return { changed: new Map(), inOrder: createOrder(), reported: new Set() };
}

/** Returns the name of a skill without its scope and plugin, in the same form for all spellings. */
function nameIn(input: unknown): string {
  try {
    // Cut, because a model may write any text, and comparing marks takes long.
    return nameKey(
      String(Object(input).name)
        .slice(0, longestWanted)
        .replace(/^.*[:/]/s, ''),
    );
  } catch {
    return '';
  }
}
