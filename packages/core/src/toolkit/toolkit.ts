// Creates the toolkit for an adapter: neutral tools, and the preparation of model calls.

import { findSpelling } from '../catalog/resolve.ts';
import type { ToolCall } from '../conversation/conversation.ts';
import { assertPreloadable, decideSkills } from '../conversation/decisions.ts';
import { editMessages } from '../conversation/edit-messages.ts';
import type { SkillEvent } from '../conversation/event.ts';
import { viewMessages } from '../conversation/message-keys.ts';
import { createNewsWriter, newsOf } from '../conversation/news.ts';
import { createPromptForm, withoutEdits, writeOutput } from '../conversation/prompt-form.ts';
import { keepState } from '../conversation/store.ts';
import { parseStoredResult, parseStoredState } from '../conversation/stored.ts';
import { mergeStates, toState } from '../conversation/tracked.ts';
import { invalidOption } from '../skill/options.ts';
import { createApplicationTools } from './application-tools.ts';
import { trackCall } from './call-state.ts';
import { assertOptions, checkOptions } from './check-options.ts';
import { createParts } from './create-parts.ts';
import { createKeeping } from './kept.ts';
import { allowedIn } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import { hasToolRules } from './permission/allowed-tools.ts';
import { isKnownToAsk } from './permission/approval.ts';
import { judgeCall } from './permission/judge.ts';
import { createModelCalls } from './prepare.ts';
import { redactResult } from './redact.ts';
import type { SkillToolkit } from './skill-toolkit.ts';
import { argumentsIn, checkInput, parseInput } from './tools/input.ts';
import { refuseFailed } from './tools/refusal.ts';
import { createTools, possibleTools } from './tools/toolset.ts';
import { createTracing } from './trace.ts';
import { assertVersion, canAsk } from './version.ts';

/**
 * Creates a toolkit for a catalog. Without skills, it has no tools and adds no text.
 *
 * @throws {SkillError} `options-invalid` if an option is not valid, or options contradict each other; `skill-unknown` if the
 * catalog has no skill that `preload` names
 */
export function createToolkit<Request = unknown>(
  input: CatalogInput<Request>,
  given: ToolkitOptions<Request> = {},
): SkillToolkit<Request> {
  const options = given as ToolkitOptions;
  checkOptions(options);
  const { mode = 'tool', placement = 'system', preload = [] } = options;
  const tracing = options.tracer && createTracing(options.tracer);
  const parts = createParts(input, options, tracing);
  const { names, emit, offerFor } = parts;
  const isStatic = typeof input !== 'function' && typeof options.policy !== 'function';
  const staticOffer = isStatic ? parts.offerOf(input, parts.policyFor({})) : undefined;
  if (staticOffer === undefined && placement === 'tool') {
    throw invalidOption(
      "`placement: 'tool'` needs a fixed catalog and policy, but `createToolkit` was given a function. Use `placement: 'system'`.",
    );
  }
  if (staticOffer !== undefined) assertPreloadable(staticOffer.forCode, preload);
  const registered = possibleTools(staticOffer, options);
  const untraced = createTools(registered, parts, staticOffer);
  const registeredNames = registered.map((kind) => names[kind]);
  const applicationTools = createApplicationTools(registeredNames, parts);
  const runsScripts = registered.includes('run');
  const willAsk = typeof options.policy !== 'function' && isKnownToAsk(parts.policyFor({}), staticOffer, runsScripts);
  /** Also true if a later catalog or policy may ask. */
  const mayAsk = willAsk || staticOffer === undefined || runsScripts;

  /** Checks whether a tool will only explain how to call it, so that no one need be asked. */
  const isWrong = ({ name, input: given }: ToolCall): boolean =>
    untraced.some((tool) => tool.name === name && typeof checkInput(tool, parseInput(given)) === 'string');

  const { begin, prepare: prepareUntraced } = createModelCalls(parts, registered, applicationTools);
  const steps = { tools: untraced, prepare: prepareUntraced };
  const { tools, prepare } = tracing?.wrap(steps, parts) ?? steps;
  const { restore, keepResult, replay } = createKeeping(tools, parts);

  return {
    begin,
    prepare,
    keepResult,
    replay,
    async prepareMessages(messages, form, given = {}) {
      const known = { ...given, run: given.run ?? {} };
      const { restored, views } = await restore(withoutEdits(messages), form, known);
      const context = { ...known, messages: known.messages ?? views };
      const { edits, ...prepared } = await prepare(views, context);
      const told = { tools: Object.values(names), system: prepared.system };
      return { ...prepared, context, messages: editMessages(restored, views, edits, form, told) };
    },
    judgesAll: hasToolRules(options),
    tools,
    judge: (call, context = {}, { judgesAgain = false } = {}) =>
      parts.inTurn(call, context, async () =>
        isWrong(call) ? { effect: 'none' } : judgeCall(call, { ...parts, context }, judgesAgain),
      ),
    async track(messages, context = {}) {
      const state = toState(await trackCall(await offerFor(context), { ...parts, context }, messages));
      const memory = parts.memoryOf(context);
      // For later calls of the same answer, which do not receive these messages.
      memory.state = mergeStates(memory.state, { skills: state.skills });
      return state;
    },
    async active(messages, { store, ...context } = {}) {
      const { signal } = context;
      const known = store === undefined ? context : { ...context, state: await keepState(store, undefined, signal) };
      const offer = await offerFor(known);
      return allowedIn(offer, await trackCall(offer, { ...parts, context: known }, messages));
    },
    async decide(decision, messages, { store, ...context } = {}) {
      const events: SkillEvent[] = [];
      const change = async (state = context.state) => {
        const known = { ...context, state };
        const offer = await offerFor(known);
        const tracked = await trackCall(offer, { ...parts, context: known }, messages);
        return decideSkills(decision, offer, tracked, (event) => events.push(event));
      };
      const state = await (store === undefined
        ? change()
        : keepState(store, async (stored) => mergeStates(stored, await change(stored)), context.signal));
      for (const event of events) emit(event, context);
      if (state !== undefined) return state;
      throw invalidOption(
        `The store has no conversation \`${store?.conversation}\`. Create it first, and pass the agent's own memory or store.`,
      );
    },
    async correctCall(call, context = {}) {
      const { offered } = context;
      if (mode !== 'tool' || offered?.includes(call.name) || offered?.includes(names.activate) === false)
        return undefined;
      const { forModel } = await offerFor(context);
      const name = findSpelling(forModel, call.name);
      if (name === undefined) return undefined;
      const skill = forModel.skills.find((each) => each.name === name);
      const given = skill && argumentsIn(parseInput(call.input), skill.properties);
      const isTaken = tools.some((tool) => tool.name === names.activate && 'arguments' in tool.inputSchema.properties);
      return { name: names.activate, input: { name, ...(isTaken && given !== undefined && { arguments: given }) } };
    },
    reportFailure: (tool, error, context = {}) => refuseFailed(tool, error, { emit, context }),
    assertNamesFree(tools, hasSkills = false) {
      if (hasSkills)
        throw invalidOption('The agent already has skills. Use one toolkit, with all sources in its catalog.');
      applicationTools.tell(tools);
    },
    merge: (...states) => mergeStates(...states.map(parseStoredState)),
    readResult: parseStoredResult,
    assertOptions,
    assertVersion,
    canAsk: (adapter, framework, oldest) => canAsk(adapter, framework, oldest, willAsk) && mayAsk,
    createNewsWriter,
    createPromptForm,
    viewMessages,
    newsOf,
    redactResult,
    withoutEdits,
    writeOutput,
  };
}
