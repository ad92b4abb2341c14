// What an adapter sees: instructions for the system prompt and neutral tools, the same for every framework.

import { activationLimit } from './activate.ts';
import { type AttachBudget, type Attachment, attachActive, attachedCharacters } from './attach.ts';
import type { Catalog } from './catalog.ts';
import { directCharacters, renderDirect } from './direct.ts';
import { SkillError } from './error.ts';
import type { OnSkillEvent } from './event.ts';
import { type ActiveSkill, frameName, readLedger } from './ledger.ts';
import { type Offer, restrictCatalog, type ToolNames, type ToolSetting } from './offer.ts';
import { isForModels, type PlanCatalogOptions, planCatalog } from './plan.ts';
import { type OfferedTools, renderCatalog, renderCatalogChange, renderInstructions } from './render.ts';
import { resolveSkill } from './resolve.ts';
import { estimateTokens } from './tokens.ts';
import type { SkillContext, SkillTool } from './tool.ts';
import { createActivateTool } from './tool-activate.ts';
import { createDeactivateTool } from './tool-deactivate.ts';
import { type CreateSkillIndex, createFindTool, createListTool } from './tool-find.ts';
import { createReadTool } from './tool-read.ts';

/** A catalog, or a function that finds the one for a request: its tenant's, its user's, the latest after a reload. */
export type CatalogInput = Catalog | ((context: SkillContext) => Catalog | Promise<Catalog>);

/**
 * How skills reach the model: by `tool` (names and descriptions, activated by a call), by `awareness` (locations, read with
 * the agent's own file tools) or `direct` (instructions in the prompt).
 */
export type DisclosureMode = 'tool' | 'awareness' | 'direct';

export interface ToolkitOptions {
  /** @default 'tool' */
  readonly mode?: DisclosureMode | undefined;
  /**
   * Where the catalog stands: in the system prompt, or in the description of the activation tool.
   * @default 'system'
   */
  readonly placement?: 'system' | 'tool' | undefined;
  /** Budget, format and the choice for single skills. */
  readonly plan?: PlanCatalogOptions | undefined;
  /** How much of the active skills is attached again after a compaction. */
  readonly attach?: AttachBudget | undefined;
  /** Names of skills that are active from the start of every conversation. */
  readonly preload?: readonly string[] | undefined;
  /** Tools that are off unless asked for. `find` comes by itself where the catalog does not fit its budget. */
  readonly tools?: { readonly find?: boolean; readonly list?: boolean; readonly deactivate?: boolean } | undefined;
  /** Directories that resources are read from, such as `references`; all where it is left out. */
  readonly resourceDirectories?: readonly string[] | undefined;
  /** Other names for the tools, where an application has tools of these names already. */
  readonly toolNames?: Partial<ToolNames> | undefined;
  /** Searches for `find_skills`, over embeddings for example. */
  readonly createIndex?: CreateSkillIndex | undefined;
  /**
   * The catalog that a conversation began with. Its text stays in the prompt byte for byte, and what has changed since is
   * announced behind it, so that a provider's prompt cache holds.
   */
  readonly baseline?: ((context: SkillContext) => Catalog | undefined) | undefined;
  readonly onEvent?: OnSkillEvent | undefined;
}

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
  /** Understands a call of a skill's name as if it were a tool; nothing where it is none. */
  recoverCall(call: ToolCall, context?: SkillContext): Promise<ToolCall | undefined>;
  /**
   * Makes sure that the application's own tools leave the toolkit's names alone: frameworks let one silently win.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertNamesFree(applicationTools: readonly string[]): void;
}

const defaultNames: ToolNames = {
  activate: 'activate_skill',
  read: 'read_skill_resource',
  find: 'find_skills',
  list: 'list_skills',
  deactivate: 'deactivate_skill',
};

/**
 * Creates the tools and the instructions of a catalog. With no skills there are no tools and no text.
 *
 * @throws {SkillError} `options-invalid` where the catalog is to stand in a tool's description but is found per request
 */
export function createToolkit(input: CatalogInput, options: ToolkitOptions = {}): SkillToolkit {
  const { mode = 'tool', placement = 'system', onEvent = () => {}, baseline, preload = [] } = options;
  const planOptions = { ...options.plan, locations: mode === 'awareness' || options.plan?.locations === true };
  const offers = new WeakMap<Catalog, Offer>();
  const offerOf = (catalog: Catalog): Offer => {
    const known = offers.get(catalog);
    if (known !== undefined) return known;
    const reachable = restrictCatalog(catalog, (skill) => planOptions.show?.(skill) !== 'hidden');
    const offered = restrictCatalog(reachable, isForModels);
    const offer = { catalog: offered, reachable, plan: planCatalog(offered, planOptions) };
    offers.set(catalog, offer);
    return offer;
  };
  // Bytes of a `SKILL.md` from which its body may be too long to be disclosed at once.
  const longBody = mode === 'direct' ? directCharacters : Math.min(activationLimit, attachedCharacters(options.attach));
  const fixed = typeof input === 'function' ? undefined : offerOf(input);
  if (fixed === undefined && placement === 'tool') {
    throw new SkillError(
      'options-invalid',
      'A catalog that is found per request cannot stand in the description of a tool. Use placement `system`.',
    );
  }
  const names = { ...defaultNames, ...options.toolNames };
  assertDistinct(Object.values(names));
  const setting: ToolSetting = {
    names,
    offerFor: async (context) => fixed ?? offerOf(typeof input === 'function' ? await input(context) : input),
    toolsOf: (offer) => namesOf(toolsFor(offer)),
    activeIn,
    countTokens: planOptions.countTokens ?? estimateTokens,
    emit: onEvent,
  };
  const catalogText = placement === 'tool' && fixed !== undefined ? renderCatalog(fixed.plan) : '';
  const activate = createActivateTool(setting, fixed, catalogText);
  const read = createReadTool(setting, options.resourceDirectories);
  const find = createFindTool(setting, options.createIndex);
  const list = createListTool(setting);
  const deactivate = createDeactivateTool(setting);

  /** The tools that make sense for an offer; all that ever might where there is none yet. */
  function toolsFor(offer: Offer | undefined): readonly SkillTool[] {
    if (offer?.reachable.skills.length === 0 || mode === 'awareness') return [];
    const isOffering = mode === 'tool' && offer?.catalog.skills.length !== 0;
    const skills = offer?.reachable.skills;
    const hasFiles = skills?.some((skill) => skill.bundled !== false || skill.bytes > longBody) ?? true;
    const hasDeferred = offer?.plan.skills.some(({ showing }) => showing === 'deferred') ?? true;
    return [
      ...(isOffering ? [activate] : []),
      ...(hasFiles ? [read] : []),
      ...(isOffering && (hasDeferred || options.tools?.find === true) ? [find] : []),
      ...(isOffering && options.tools?.list === true ? [list] : []),
      ...(isOffering && options.tools?.deactivate === true ? [deactivate] : []),
    ];
  }

  function preloaded(catalog: Catalog): readonly ActiveSkill[] {
    return preload.flatMap((name) => {
      const found = resolveSkill(catalog, name);
      return found.kind === 'found' ? [{ name: frameName(catalog, found.skill) }] : [];
    });
  }

  function activeIn(
    { reachable }: Offer,
    { conversation }: SkillContext,
    before: readonly ActiveSkill[] = preloaded(reachable),
  ): readonly ActiveSkill[] {
    return conversation?.active ?? readLedger(conversation?.items ?? [], reachable, setting.names, before);
  }

  function namesOf(tools: readonly SkillTool[]): OfferedTools {
    const nameOf = (tool: SkillTool): string | undefined => (tools.includes(tool) ? tool.name : undefined);
    return { activate: nameOf(activate), read: nameOf(read), find: nameOf(find) };
  }

  /** The catalog that the conversation began with, whose text stays as it was. */
  function announcedTo(context: SkillContext, current: Offer): Offer {
    const began = baseline?.(context);
    return began === undefined ? current : offerOf(began);
  }

  async function instructionsFor(offer: Offer, tools: readonly SkillTool[], context: SkillContext): Promise<string> {
    if (mode === 'direct') return (await renderDirect(offer, setting, context.signal)).text;
    if (placement === 'tool') return '';
    return renderInstructions(renderCatalog(offer.plan), namesOf(tools));
  }

  return {
    tools: toolsFor(fixed),
    async disclose(context = {}) {
      const offer = await setting.offerFor(context);
      const tools = toolsFor(offer);
      if (offer.catalog.skills.length === 0) return { instructions: '', tools };
      if (options.onEvent !== undefined) reportPlan(offer, setting);
      return { instructions: await instructionsFor(announcedTo(context, offer), tools, context), tools };
    },
    async attach(context) {
      const offer = await setting.offerFor(context);
      const conversation = context.conversation ?? { items: [] };
      const announced = announcedTo(context, offer);
      const active = activeIn(offer, context);
      const prompted =
        mode === 'direct' && active.length > 0 ? await renderDirect(announced, setting, context.signal) : undefined;
      const missing = active.filter((entry) => entry.arguments || prompted?.shown.has(entry.name) !== true);
      const budget = options.attach ?? {};
      const attached = await attachActive(offer, conversation, missing, setting, budget, context.signal);
      const change = announced === offer ? '' : renderCatalogChange(announced.plan, offer.plan);
      return { results: attached.results, text: [change, attached.text].filter((text) => text !== '').join('\n\n') };
    },
    async readActive(context, before) {
      const offer = await setting.offerFor(context);
      return activeIn(offer, context, before);
    },
    async recoverCall(call, context = {}) {
      if (mode !== 'tool') return undefined;
      const { catalog } = await setting.offerFor(context);
      const spelling = toolSpelling(call.name);
      const exact = catalog.skills.find(({ name }) => name === call.name);
      const spelled = exact === undefined ? catalog.skills.filter(({ name }) => toolSpelling(name) === spelling) : [];
      const skill = exact ?? (spelled.length === 1 ? spelled[0] : undefined);
      return skill === undefined ? undefined : { name: activate.name, input: { name: skill.name } };
    },
    assertNamesFree(applicationTools) {
      const taken = toolsFor(fixed)
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

function assertDistinct(names: readonly string[]): void {
  const repeated = names.find((name, index) => name === '' || names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new SkillError(
    'options-invalid',
    `The option \`toolNames\` gives two tools the name \`${repeated}\`, or none.`,
  );
}

/** Providers allow few characters in the name of a tool, so a model that calls a skill spells it with those. */
function toolSpelling(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}

function reportPlan({ plan }: Offer, { emit, countTokens }: ToolSetting): void {
  emit({ type: 'offered', skills: plan.skills.filter(({ tokens }) => tokens > 0).length, tokens: plan.tokens });
  for (const { skill, cut, description } of plan.skills) {
    if (cut === undefined || cut === 'choice' || cut === 'not-for-models') continue;
    emit({
      type: 'cut',
      skill: skill.name,
      reason: cut,
      tokens: countTokens(skill.description) - countTokens(description),
    });
  }
}
