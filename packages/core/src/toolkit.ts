// What an adapter sees: instructions for the system prompt and neutral tools, the same for every framework.

import { type Attachment, attachActive } from './attach.ts';
import type { Catalog } from './catalog.ts';
import { renderDirect } from './direct.ts';
import { SkillError } from './error.ts';
import { type ActiveSkill, type ConversationItem, frameName, readLedger, recordItem } from './ledger.ts';
import { type Offer, restrictCatalog, type ToolSetting } from './offer.ts';
import { isForModels, type PlanCatalogOptions, planCatalog } from './plan.ts';
import { renderCatalog, renderCatalogChange, renderInstructions } from './render.ts';
import { resolveSkill } from './resolve.ts';
import { estimateTokens } from './tokens.ts';
import type { SkillContext, SkillTool } from './tool.ts';
import type { CatalogInput, ToolkitOptions } from './toolkit-options.ts';
import { chooseToolNames, createToolset } from './toolset.ts';

/** What one model call is told. Both are empty where there are no skills. */
export interface SkillDisclosure {
  /** For the system prompt, behind the application's own; the same bytes as long as the catalog is the same. */
  readonly instructions: string;
  readonly tools: readonly SkillTool[];
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
  /** What the model call at hand is told; a registered tool that is not in it is to be withheld from that call. */
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
    activeIn: ({ reachable }, { conversation }, before = preloaded(reachable, preload)) =>
      conversation?.active ?? readLedger(conversation?.items ?? [], reachable, setting.names, before),
    countTokens: planOptions.countTokens ?? estimateTokens,
    emit: onEvent,
  };
  const toolset = createToolset(setting, fixed, options);
  if (fixed !== undefined) assertPreloadable(fixed.reachable, preload);

  /** The catalog that the conversation began with, whose text stays as it was. */
  function announcedTo(context: SkillContext, current: Offer): Offer {
    const began = baseline?.(context);
    return began === undefined ? current : offerOf(began);
  }

  async function instructionsFor(offer: Offer, tools: readonly SkillTool[], context: SkillContext): Promise<string> {
    if (mode === 'direct') return (await renderDirect(offer, setting, context.signal)).text;
    if (placement === 'tool') return '';
    return renderInstructions(renderCatalog(offer.plan), toolset.namesOf(tools));
  }

  return {
    tools: toolset.toolsFor(fixed),
    async disclose(context = {}) {
      const offer = await setting.offerFor(context);
      const tools = toolset.toolsFor(offer);
      if (offer.catalog.skills.length === 0) return { instructions: '', tools };
      if (options.onEvent !== undefined) reportPlan(offer, setting);
      return { instructions: await instructionsFor(announcedTo(context, offer), tools, context), tools };
    },
    async attach(context) {
      const offer = await setting.offerFor(context);
      const conversation = context.conversation ?? { items: [] };
      const announced = announcedTo(context, offer);
      const active = setting.activeIn(offer, context);
      const prompted =
        mode === 'direct' && active.length > 0 ? await renderDirect(announced, setting, context.signal) : undefined;
      const missing = active.filter((entry) => entry.arguments || prompted?.shown.has(entry.name) !== true);
      const attached = await attachActive(offer, conversation, missing, setting, budget, context.signal);
      const change = announced === offer ? '' : renderCatalogChange(announced.plan, offer.plan);
      return { results: attached.results, text: [change, attached.text].filter((text) => text !== '').join('\n\n') };
    },
    async readActive(context, before) {
      return setting.activeIn(await setting.offerFor(context), context, before);
    },
    recordItem: (item) => recordItem(item, setting.names),
    async recoverCall(call, context = {}) {
      if (mode !== 'tool') return undefined;
      const { catalog } = await setting.offerFor(context);
      const name = findSpelling(catalog, call.name);
      return name === undefined ? undefined : { name: toolset.activate.name, input: { name } };
    },
    assertNamesFree(applicationTools) {
      const taken = toolset
        .toolsFor(fixed)
        .map((tool) => tool.name)
        .filter((name) => applicationTools.includes(name));
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
    const reachable = restrictCatalog(catalog, (skill) => planOptions.show?.(skill) !== 'hidden');
    const offered = restrictCatalog(reachable, isForModels);
    const offer = { catalog: offered, reachable, plan: planCatalog(offered, planOptions) };
    offers.set(catalog, offer);
    return offer;
  };
}

function preloaded(catalog: Catalog, names: readonly string[]): readonly ActiveSkill[] {
  return names.flatMap((name) => {
    const found = resolveSkill(catalog, name);
    return found.kind === 'found' ? [{ name: frameName(catalog, found.skill) }] : [];
  });
}

function assertPreloadable(catalog: Catalog, names: readonly string[]): void {
  const missing = names.find((name) => resolveSkill(catalog, name).kind !== 'found');
  if (missing === undefined) return;
  throw new SkillError(
    'skill-unknown',
    `The option \`preload\` names \`${missing}\`, which is no skill of the catalog.`,
  );
}

/** Finds the one skill that a tool's name spells; providers allow few characters there. */
function findSpelling(catalog: Catalog, toolName: string): string | undefined {
  const names = catalog.skills.map(({ name }) => name);
  if (names.includes(toolName)) return toolName;
  const spelled = names.filter((name) => toolSpelling(name) === toolSpelling(toolName));
  return spelled.length === 1 ? spelled[0] : undefined;
}

function toolSpelling(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}

function reportPlan({ plan }: Offer, { emit, countTokens }: ToolSetting): void {
  emit({ type: 'offered', skills: plan.skills.filter(({ tokens }) => tokens > 0).length, tokens: plan.tokens });
  for (const { skill, cut, description } of plan.skills) {
    if (cut === undefined || cut === 'choice' || cut === 'not-for-models') continue;
    const tokens = countTokens(skill.description) - countTokens(description);
    emit({ type: 'cut', skill: skill.name, reason: cut, tokens });
  }
}
