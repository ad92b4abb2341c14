// What an adapter sees: text for the system prompt and neutral tools, the same for every framework.

import type { Catalog } from '../catalog/catalog.ts';
import { findSpelling } from '../catalog/resolve.ts';
import { type OfferedTools, renderCatalog, renderCatalogChange, renderSystemText } from '../disclosure/catalog-text.ts';
import { parseLedger, recordItem } from '../disclosure/ledger.ts';
import type { ActiveSkill, ConversationItem } from '../disclosure/marks.ts';
import { isForModels, type PlanCatalogOptions, planCatalog } from '../disclosure/plan.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { estimateTokens } from '../text/tokens.ts';
import { type Attachment, attachActive } from './attach.ts';
import { assertPreloadable, decideSkills, preloadedSkills, type SkillDecision } from './decisions.ts';
import { renderInlineInstructions } from './inline-instructions.ts';
import { filterCatalog, type Offer } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import { chooseToolNames, type ToolServices } from './setting.ts';
import type { SkillContext, SkillTool } from './tool.ts';
import { createTools, nameTools, possibleTools, usefulTools } from './toolset.ts';

/** What one model call contains of skills; empty if there are none. */
export interface SkillDisclosure {
  /** Goes behind the application's own system prompt; the same bytes as long as the catalog is the same. */
  readonly system: string;
  readonly tools: readonly SkillTool[];
  /** Registered tools to hide from this call. */
  readonly withheld: readonly string[];
}

/** A call of a tool by name. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** Neutral tools and texts, which an adapter translates and never adds to. */
export interface SkillToolkit {
  /** All tools to register. Empty if the catalog is known to be empty. */
  readonly tools: readonly SkillTool[];
  /** Returns what the current model call contains of skills. */
  disclose(context?: SkillContext): Promise<SkillDisclosure>;
  /** Returns the instructions of active skills that are missing in a conversation; call it last before the model call. */
  attach(context: SkillContext): Promise<Attachment>;
  /** Returns the skills that are active after a conversation, the latest last; `before` defaults to the preloaded skills. */
  readActive(context: SkillContext, before?: readonly ActiveSkill[]): Promise<readonly ActiveSkill[]>;
  /**
   * Returns the part of an item that `readActive` needs later, or `undefined` if the item is not about skills. For
   * frameworks that store a record beside the messages.
   */
  recordItem(item: ConversationItem): ConversationItem | undefined;
  /**
   * Returns what to record in a conversation when the application activates or deactivates skills; it counts from the next
   * model call on.
   *
   * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
   */
  decide(decision: SkillDecision, context?: SkillContext): Promise<readonly ConversationItem[]>;
  /** Emits `record-failed`. A failed write must not fail the model call. */
  reportRecordFailure(error: unknown): void;
  /** Translates a call of a skill's name, as if it were a tool; `undefined` if the name is not a skill's. */
  recoverCall(call: ToolCall, context?: SkillContext): Promise<ToolCall | undefined>;
  /**
   * Checks that no tool of the application has the name of a skill tool, because frameworks let one silently win.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertNamesFree(applicationTools: readonly string[]): void;
}

/**
 * Creates the tools and texts of a catalog. Without skills there are no tools and no text.
 *
 * @throws {SkillError} `options-invalid` if a tool's description is to contain a catalog that is found per request, or if
 * two tools have one name; `skill-unknown` if a skill to preload is not in the catalog
 */
export function createToolkit(input: CatalogInput, options: ToolkitOptions = {}): SkillToolkit {
  const { mode = 'tool', placement = 'system', onEvent = () => {}, baseline, preload = [], attach: budget } = options;
  const planOptions = { ...options.plan, locations: mode === 'awareness' || options.plan?.locations === true };
  const offerOf = createOffers(planOptions);
  const staticOffer = typeof input === 'function' ? undefined : offerOf(input);
  if (staticOffer === undefined && placement === 'tool') {
    throw new SkillError(
      'options-invalid',
      "`placement: 'tool'` needs a fixed catalog, but `createToolkit` was given a function. Use `placement: 'system'`.",
    );
  }
  if (staticOffer !== undefined) assertPreloadable(staticOffer.reachable, preload);
  const names = chooseToolNames(options.toolNames);
  const services: ToolServices = {
    names,
    offerFor: async (context) => offerOf(typeof input === 'function' ? await input(context) : input),
    toolsOf: (offer) => nameTools(names, possibleTools(offer, options)),
    activeIn: ({ reachable }, { conversation }, before = preloadedSkills(reachable, preload)) =>
      conversation?.active ?? parseLedger(conversation?.items ?? [], reachable, names, before),
    countTokens: planOptions.countTokens ?? estimateTokens,
    emit: onEvent,
  };
  const tools = createTools(services, staticOffer, options);
  const registered = possibleTools(staticOffer, options).map((kind) => tools[kind]);

  /** Returns the offer that the conversation began with, whose text stays as it was. */
  function announcedTo(context: SkillContext, current: Offer): Offer {
    const began = baseline?.(context);
    return began === undefined ? current : offerOf(began);
  }

  async function writeSystem(offer: Offer, offered: OfferedTools, context: SkillContext): Promise<string> {
    if (mode === 'direct') return (await renderInlineInstructions(offer, services, context.signal)).text;
    return placement === 'tool' ? '' : renderSystemText(renderCatalog(offer.plan), offered);
  }

  return {
    tools: registered,
    async disclose(context = {}) {
      const offer = await services.offerFor(context);
      const useful = await usefulTools(offer, options, context.signal);
      const offered = useful.map((kind) => tools[kind]);
      const withheld = registered.filter((tool) => !offered.includes(tool)).map(({ name }) => name);
      if (offer.catalog.skills.length === 0) return { system: '', tools: offered, withheld };
      if (options.onEvent !== undefined) reportPlan(offer, services);
      const system = await writeSystem(announcedTo(context, offer), nameTools(names, useful), context);
      return { system, tools: offered, withheld };
    },
    async attach(context) {
      const offer = await services.offerFor(context);
      const conversation = context.conversation ?? { items: [] };
      const announced = announcedTo(context, offer);
      const active = services.activeIn(offer, context);
      const prompted =
        mode === 'direct' && active.length > 0
          ? await renderInlineInstructions(announced, services, context.signal)
          : undefined;
      const missing = active.filter((entry) => entry.arguments || prompted?.shown.has(entry.name) !== true);
      const attached = await attachActive(offer, conversation, missing, services, budget, context.signal);
      const change = announced === offer ? '' : renderCatalogChange(announced.plan, offer.plan);
      return { results: attached.results, text: [change, attached.text].filter((text) => text !== '').join('\n\n') };
    },
    async readActive(context, before) {
      return services.activeIn(await services.offerFor(context), context, before);
    },
    recordItem: (item) => recordItem(item, names),
    decide: (decision, context = {}) => decideSkills(decision, context, services),
    reportRecordFailure(error) {
      onEvent({ type: 'record-failed', reason: reasonOf(error), tokens: 0 });
    },
    async recoverCall(call, context = {}) {
      if (mode !== 'tool') return undefined;
      const { catalog } = await services.offerFor(context);
      const name = findSpelling(catalog, call.name);
      return name === undefined ? undefined : { name: names.activate, input: { name } };
    },
    assertNamesFree(applicationTools) {
      const taken = registered.map((tool) => tool.name).filter((name) => applicationTools.includes(name));
      if (taken.length === 0) return;
      throw new SkillError(
        'options-invalid',
        `The application already has a tool \`${taken.join('`, `')}\`. Rename Skillful's with the option \`toolNames\`.`,
      );
    },
  };
}

/** Creates a function that returns the offer of a catalog, computed once for each. */
function createOffers(planOptions: PlanCatalogOptions): (catalog: Catalog) => Offer {
  const offers = new WeakMap<Catalog, Offer>();
  return (catalog) => {
    const known = offers.get(catalog);
    if (known !== undefined) return known;
    const reachable = filterCatalog(catalog, (skill) => planOptions.show?.(skill) !== 'hidden');
    const offered = filterCatalog(reachable, isForModels);
    const offer = { catalog: offered, reachable, plan: planCatalog(offered, planOptions) };
    offers.set(catalog, offer);
    return offer;
  };
}

function reportPlan({ plan }: Offer, { emit, countTokens }: ToolServices): void {
  emit({ type: 'offered', skills: plan.skills.filter(({ tokens }) => tokens > 0).length, tokens: plan.tokens });
  for (const { skill, cut, description } of plan.skills) {
    if (cut === undefined || cut === 'choice' || cut === 'not-for-models') continue;
    const tokens = countTokens(skill.description) - countTokens(description);
    emit({ type: 'cut', skill: skill.name, reason: cut, tokens });
  }
}
