// Creates what an adapter sees: neutral tools, and what skills change in one model call.

import { findSpelling } from '../catalog/resolve.ts';
import { assertPreloadable, decideSkills } from '../conversation/decisions.ts';
import { editMessages } from '../conversation/edit-messages.ts';
import { knownAbout } from '../conversation/event.ts';
import { keepState } from '../conversation/keep-state.ts';
import { keyMessages } from '../conversation/message-keys.ts';
import { newsOf } from '../conversation/news.ts';
import { storeState } from '../conversation/store-state.ts';
import { readStoredResult, readStoredState } from '../conversation/stored.ts';
import { listActive, mergeStates, toState } from '../conversation/tracked.ts';
import { definePolicy, type SkillPolicy } from '../policy/policy.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { estimateTokens } from '../text/tokens.ts';
import { createApplicationTools } from './application-tools.ts';
import { createOffers } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import { hasToolRules } from './permission/allowed-tools.ts';
import { createApprovals } from './permission/approval.ts';
import { judgeCall } from './permission/judge.ts';
import { createModelCalls } from './prepare.ts';
import { redactResult } from './redact.ts';
import { createRequests } from './requests.ts';
import type { SkillToolkit } from './skill-toolkit.ts';
import { chooseToolNames } from './tool-names.ts';
import type { ToolkitParts } from './toolkit-parts.ts';
import type { SkillContext } from './tools/tool.ts';
import { createTools, nameTools, possibleTools } from './tools/toolset.ts';
import { createTracing } from './trace.ts';
import { assertVersion } from './version.ts';

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
  const { mode = 'tool', placement = 'system', onEvent, preload = [], policy = definePolicy() } = options;
  const plan = { ...options.plan, locations: mode === 'awareness' || options.plan?.locations === true };
  const offerOf = createOffers(plan);
  const isStatic = typeof input !== 'function' && typeof policy !== 'function';
  const staticOffer = isStatic ? offerOf(input, policy) : undefined;
  if (staticOffer === undefined && placement === 'tool') {
    throw new SkillError(
      'options-invalid',
      "`placement: 'tool'` needs a fixed catalog and policy, but `createToolkit` was given a function. Use `placement: 'system'`.",
    );
  }
  if (staticOffer !== undefined) assertPreloadable(staticOffer.forCode, preload);

  const tracing = options.tracer && createTracing(options.tracer);
  const emit: ToolkitParts['emit'] = (event, context) => {
    if (context.replay === true) return;
    tracing?.report(event, context);
    const about = knownAbout(context);
    const told = about === undefined ? event : { ...event, about };
    onEvent?.(told);
    context.onEvent?.(told);
  };
  const names = chooseToolNames(options.toolNames);
  const policyFor = (context: SkillContext): SkillPolicy => (typeof policy === 'function' ? policy(context) : policy);
  const approvals = createApprovals(options.consent, { policyFor, emit });
  const requests = createRequests(input, options, { names, policyFor, offerOf, approvals });
  const { offerFor, track, memoryOf } = requests;
  const parts: ToolkitParts = {
    ...requests,
    names,
    policyFor,
    approvals,
    offerOf,
    toolsOf: (offer) => nameTools(names, possibleTools(offer, options)),
    countTokens: plan.countTokens ?? estimateTokens,
    emit,
    isHeard: (context) => (onEvent ?? tracing ?? context.onEvent) !== undefined,
    storeState: (write, context = {}) =>
      storeState(write, memoryOf(context), context.signal, (error) =>
        emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context),
      ),
  };
  const allTools = createTools(parts, staticOffer, options);
  const registered = possibleTools(staticOffer, options);
  const registeredNames = registered.map((kind) => names[kind]);
  const applicationTools = createApplicationTools(registeredNames, options, parts);

  const toolkit: SkillToolkit<Request> = {
    ...createModelCalls(options, parts, registered, applicationTools),
    judgesAll: hasToolRules(options),
    tools: registered.map((kind) => allTools[kind]),
    judge: (call, context = {}) => judgeCall(call, parts, options, context),
    async track(messages, context = {}) {
      return toState(await track(await offerFor(context), context, messages));
    },
    async active(messages, context = {}) {
      return listActive(await track(await offerFor(context), context, messages));
    },
    async decide(decision, messages, context = {}) {
      const offer = await offerFor(context);
      return decideSkills(decision, offer, await track(offer, context, messages), (event) => emit(event, context));
    },
    async correctCall(call, context = {}) {
      const { offered } = context;
      if (mode !== 'tool' || offered?.includes(call.name) || offered?.includes(names.activate) === false)
        return undefined;
      const name = findSpelling((await offerFor(context)).forModel, call.name);
      return name === undefined ? undefined : { name: names.activate, input: { name } };
    },
    assertNamesFree(tools) {
      applicationTools.tell(tools);
      if (staticOffer !== undefined) applicationTools.report(staticOffer, {});
    },
    editMessages: (messages, views, edits, writer) =>
      editMessages(messages, views, edits, writer, Object.values(names)),
    storeState: parts.storeState,
    merge: (...states) => mergeStates(...states.map(readStoredState)),
    readResult: readStoredResult,
    assertVersion,
    keepState,
    keyMessages,
    newsOf,
    redactResult,
  };
  return tracing?.wrap(toolkit) ?? toolkit;
}
