// What an adapter sees: instructions for the system prompt and neutral tools, the same for every framework.

import type { Catalog } from '../catalog/catalog.ts';
import { findSpelling } from '../catalog/resolve.ts';
import { renderCatalog, renderCatalogChange, renderSystemText } from '../disclosure/catalog-text.ts';
import { parseLedger, recordItem } from '../disclosure/ledger.ts';
import type { ActiveSkill, ConversationItem } from '../disclosure/marks.ts';
import { isForModels, type PlanCatalogOptions, planCatalog } from '../disclosure/plan.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { estimateTokens } from '../text/tokens.ts';
import { type Attachment, attachActive } from './attach.ts';
import { assertPreloadable, decideSkills, preloadedSkills } from './decisions.ts';
import { renderInlineInstructions } from './inline-instructions.ts';
import { filterCatalog, type Offer, type ToolSetting } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import type { SkillContext, SkillTool } from './tool.ts';
import { chooseToolNames, createToolset } from './toolset.ts';

/** What one model call is told; nothing where there are no skills. */
export interface SkillDisclosure {
  /** For the system prompt, behind the application's own; the same bytes as long as the catalog is the same. */
  readonly system: string;
  readonly tools: readonly SkillTool[];
  /** Names of registered tools that this call makes no sense of: they are to be withheld from it. */
  readonly withheld: readonly string[];
}

/** A call of a tool by name. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** Neutral tools and instructions, which an adapter translates and never adds to. */
export interface SkillToolkit {
  /** Every tool that may be offered, to be registered once; none where it is known that there are no skills. */
  readonly tools: readonly SkillTool[];
  /** What the model call at hand is told. */
  disclose(context?: SkillContext): Promise<SkillDisclosure>;
  /** Works out, at the last moment before a model call, what active skills are missing in its conversation. */
  attach(context: SkillContext): Promise<Attachment>;
  /**
   * Reads which skills are active after a conversation, the latest last. `before` is what was active when it began, where
   * the framework keeps that; otherwise it began with the preloaded skills.
   */
  readActive(context: SkillContext, before?: readonly ActiveSkill[]): Promise<readonly ActiveSkill[]>;
  /**
   * Gives what of an item is to be kept, where a framework keeps more of a conversation than its messages, for
   * `readActive` to find the same when the item is gone; nothing where it says nothing of skills.
   */
  recordItem(item: ConversationItem): ConversationItem | undefined;
  /**
   * Gives what is to be recorded in a conversation where the application activates skills: from the next model call on they
   * are active, and their text is attached.
   *
   * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
   */
  activateSkills(names: readonly string[], context?: SkillContext): Promise<readonly ConversationItem[]>;
  /**
   * Gives what is to be recorded in a conversation where the application ends skills: their instructions leave the context
   * at the next model call, until the model, the user or the application activates them again.
   *
   * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
   */
  deactivateSkills(names: readonly string[], context?: SkillContext): Promise<readonly ConversationItem[]>;
  /** Tells the application that its framework failed to keep a record, which is to cost no model call. */
  reportRecordFailure(error: unknown): undefined;
  /** Understands a call of a skill's name as if it were a tool; nothing where it is none. */
  recoverCall(call: ToolCall, context?: SkillContext): Promise<ToolCall | undefined>;
  /**
   * Makes sure that the application's own tools leave the toolkit's names alone: frameworks let one silently win.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertNamesFree(applicationTools: readonly string[]): void;
}

/**
 * Creates the tools and the instructions of a catalog. With no skills there are no tools and no text.
 *
 * @throws {SkillError} `options-invalid` where the catalog is to stand in a tool's description but is found per request,
 * or where two tools would have one name; `skill-unknown` where a skill to preload is not in the catalog
 */
export function createToolkit(input: CatalogInput, options: ToolkitOptions = {}): SkillToolkit {
  const {
    mode = 'tool',
    placement = 'system',
    onEvent = () => {},
    baseline,
    preload = [],
    attach: budget = {},
  } = options;
  const planOptions = { ...options.plan, locations: mode === 'awareness' || options.plan?.locations === true };
  const offerOf = createOffers(planOptions);
  const fixed = typeof input === 'function' ? undefined : offerOf(input);
  if (fixed === undefined && placement === 'tool') {
    throw new SkillError(
      'options-invalid',
      'A catalog that is found per request cannot stand in the description of a tool. Use placement `system`.',
    );
  }
  const setting: ToolSetting = {
    names: chooseToolNames(options.toolNames),
    offerFor: async (context) => fixed ?? offerOf(typeof input === 'function' ? await input(context) : input),
    toolsOf: (offer) => toolset.namesOf(toolset.toolsFor(offer)),
    activeIn: ({ reachable }, { conversation }, before = preloadedSkills(reachable, preload)) =>
      conversation?.active ?? parseLedger(conversation?.items ?? [], reachable, setting.names, before),
    countTokens: planOptions.countTokens ?? estimateTokens,
    emit: onEvent,
  };
  const toolset = createToolset(setting, fixed, options);
  const registered = toolset.toolsFor(fixed);
  if (fixed !== undefined) assertPreloadable(fixed.reachable, preload);

  /** The catalog that the conversation began with, whose text stays as it was. */
  function announcedTo(context: SkillContext, current: Offer): Offer {
    const began = baseline?.(context);
    return began === undefined ? current : offerOf(began);
  }

  async function instructionsFor(offer: Offer, tools: readonly SkillTool[], context: SkillContext): Promise<string> {
    if (mode === 'direct') return (await renderInlineInstructions(offer, setting, context.signal)).text;
    if (placement === 'tool') return '';
    return renderSystemText(renderCatalog(offer.plan), toolset.namesOf(tools));
  }

  return {
    tools: registered,
    async disclose(context = {}) {
      const offer = await setting.offerFor(context);
      const tools = await toolset.toolsInUse(offer, context.signal);
      const withheld = registered.filter((tool) => !tools.includes(tool)).map(({ name }) => name);
      if (offer.catalog.skills.length === 0) return { system: '', tools, withheld };
      if (options.onEvent !== undefined) reportPlan(offer, setting);
      return { system: await instructionsFor(announcedTo(context, offer), tools, context), tools, withheld };
    },
    async attach(context) {
      const offer = await setting.offerFor(context);
      const conversation = context.conversation ?? { items: [] };
      const announced = announcedTo(context, offer);
      const active = setting.activeIn(offer, context);
      const prompted =
        mode === 'direct' && active.length > 0
          ? await renderInlineInstructions(announced, setting, context.signal)
          : undefined;
      const missing = active.filter((entry) => entry.arguments || prompted?.shown.has(entry.name) !== true);
      const attached = await attachActive(offer, conversation, missing, setting, budget, context.signal);
      const change = announced === offer ? '' : renderCatalogChange(announced.plan, offer.plan);
      return { results: attached.results, text: [change, attached.text].filter((text) => text !== '').join('\n\n') };
    },
    async readActive(context, before) {
      return setting.activeIn(await setting.offerFor(context), context, before);
    },
    recordItem: (item) => recordItem(item, setting.names),
    activateSkills: (names, context = {}) => decideSkills(names, 'activate', context, setting),
    deactivateSkills: (names, context = {}) => decideSkills(names, 'deactivate', context, setting),
    reportRecordFailure(error) {
      onEvent({ type: 'record-failed', reason: reasonOf(error), tokens: 0 });
      return undefined;
    },
    async recoverCall(call, context = {}) {
      if (mode !== 'tool') return undefined;
      const { catalog } = await setting.offerFor(context);
      const name = findSpelling(catalog, call.name);
      return name === undefined ? undefined : { name: toolset.activate.name, input: { name } };
    },
    assertNamesFree(applicationTools) {
      const taken = registered.map((tool) => tool.name).filter((name) => applicationTools.includes(name));
      if (taken.length === 0) return;
      throw new SkillError(
        'options-invalid',
        `The application has a tool \`${taken.join('`, `')}\` of its own. Rename Skillful's with the option \`toolNames\`.`,
      );
    },
  };
}

/** Creates a function that works out the offer of a catalog, once for each. */
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

function reportPlan({ plan }: Offer, { emit, countTokens }: ToolSetting): void {
  emit({ type: 'offered', skills: plan.skills.filter(({ tokens }) => tokens > 0).length, tokens: plan.tokens });
  for (const { skill, cut, description } of plan.skills) {
    if (cut === undefined || cut === 'choice' || cut === 'not-for-models') continue;
    const tokens = countTokens(skill.description) - countTokens(description);
    emit({ type: 'cut', skill: skill.name, reason: cut, tokens });
  }
}
