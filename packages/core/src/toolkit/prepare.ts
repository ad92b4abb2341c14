// Prepares a model call: computes what skills change in the system prompt, the tools, the messages and the state.

import { combineConversation } from '../conversation/combine.ts';
import type { MessageView, Preparation } from '../conversation/conversation.ts';
import type { SkillEvent } from '../conversation/event.ts';
import { placeSkills } from '../conversation/place.ts';
import { type TrackedSkills, toState } from '../conversation/tracked.ts';
import type { ApplicationTools } from './application-tools.ts';
import { keepCall, trackCall } from './call-state.ts';
import { findBeginning, loadCatalogPrompt } from './catalog-prompt.ts';
import { createAnswer } from './create-parts.ts';
import { allowedIn, describeCuts, describeMissing, describeOffered, type Offer } from './offer.ts';
import { findHiddenTools } from './permission/allowed-tools.ts';
import { endQuestions } from './permission/approval.ts';
import type { SkillToolkit } from './skill-toolkit.ts';
import type { ToolKind } from './tool-names.ts';
import type { ToolkitParts } from './toolkit-parts.ts';
import type { SkillContext } from './tools/tool.ts';
import { nameTools, usefulTools } from './tools/toolset.ts';

/** Creates the functions that prepare model calls. `registered` are the toolkit's tools that the agent has. */
export function createModelCalls(
  parts: ToolkitParts,
  registered: readonly ToolKind[],
  applicationTools: ApplicationTools,
): Pick<SkillToolkit, 'begin' | 'prepare'> {
  const { names, options, countTokens, emit } = parts;
  const told = new WeakSet<Offer>();

  /** Returns the tools to hide: those of the toolkit that are of no use now, and the application's tools that skills hide. */
  function hideTools(
    useful: readonly ToolKind[],
    offer: Offer,
    tracked: TrackedSkills,
    context: SkillContext,
  ): readonly string[] {
    const own: readonly string[] = Object.values(names);
    const others = (context.offered ?? []).filter((name) => !own.includes(name));
    return [
      ...registered.filter((kind) => !useful.includes(kind)).map((kind) => names[kind]),
      ...findHiddenTools(others, options, { offer, tracked }),
    ];
  }

  /** Reports cuts once for each catalog, and only if there is a listener, because thousands of skills may be cut. */
  function reportCuts(offer: Offer, context: SkillContext): void {
    if (!parts.isHeard(context) || told.has(offer)) return;
    told.add(offer);
    for (const event of describeCuts(offer)) emit(event, context);
  }

  async function prepare(messages: readonly MessageView[], context: SkillContext = {}): Promise<Preparation> {
    const call = { ...parts, context };
    const memory = parts.memoryOf(context);
    const offer = (memory.hasBegun && memory.offer) || (await parts.findNext(context));
    Object.assign(memory, { offer, hasBegun: false }, createAnswer());
    applicationTools.report(offer, context);

    const began = findBeginning(offer, call);
    const useful = await usefulTools(offer, began, options, context.signal);
    const callable = useful.filter((kind) => context.offered?.includes(names[kind]) !== false);
    const tools = nameTools(names, callable);
    const { mode = 'tool' } = options;
    emit(describeOffered(offer, mode !== 'tool' || tools.activate !== undefined), context);
    reportCuts(offer, context);
    const { text, shown, change } = await loadCatalogPrompt(offer, began, tools, call);

    const whole = context.messages === undefined ? messages : combineConversation(context.messages, messages);
    const tracked = await trackCall(offer, call, whole);
    const report = (event: SkillEvent): void => emit(event, context, context.untold);
    for (const skill of tracked.withdrawn ?? [])
      report({ type: 'deactivated', skill, by: 'code', reason: 'consent-withdrawn', tokens: 0 });
    await endQuestions(messages, offer, call);
    const placed = await placeSkills(messages, tracked, {
      all: offer.all,
      forUser: offer.forUser,
      catalog: offer.forAnyone,
      signal: context.signal,
      checkFiles: (skill) => offer.checkFiles(skill, 'read'),
      activateTool: names.activate,
      deactivateTool: names.deactivate,
      canActivate: tools.activate !== undefined,
      readTool: tools.read,
      shown,
      budget: options.reattach ?? {},
      countTokens,
      emit: report,
    });

    const skills = Object.fromEntries(placed.included);
    if (placed.included.size > 0) emit({ type: 'included', skills, tokens: 0 }, context);

    const known = { ...tracked, records: placed.records };
    const state = toState(known);
    await keepCall(state, call);
    return {
      system: [text, ...placed.preloaded, change].filter((part) => part !== '').join('\n\n'),
      hiddenTools: hideTools(useful, offer, tracked, context),
      edits: placed.edits,
      state,
      active: allowedIn(offer, known),
    };
  }

  async function begin(context: SkillContext & { readonly run: object }): Promise<readonly string[]> {
    const isFirst = parts.memoryOf(context).hasBegun === undefined;
    const offer = await parts.findNext(context);
    if (isFirst) for (const event of describeMissing(offer, context.replaced)) emit(event, context);
    const call = { ...parts, context };
    const tracked = await trackCall(offer, call);
    const began = findBeginning(offer, call);
    return hideTools(await usefulTools(offer, began, options, context.signal), offer, tracked, context);
  }

  return { begin, prepare };
}
