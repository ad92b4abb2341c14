// Decides how much of the catalog fits a budget, and records what was cut and why.

import { assertCatalog, type Catalog } from '../catalog/catalog.ts';
import { checkAmounts, checkChoice, checkCounts, checkKeys, checkTokenizer } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import type { CountTokens } from '../text/tokens.ts';
import { cutDescription, type Description, describeSkill, shortestDescription } from './description.ts';
import { type CatalogFormat, createEntry, type RenderEntry, wrapEntries } from './entry.ts';

/**
 * How a skill is shown: `pinned` (whole description, regardless of the budget), `full`, `name-only`, `deferred` (not listed, but
 * found by search and by name) or `hidden` (does not exist for the model).
 */
export type SkillVisibility = 'pinned' | 'full' | 'name-only' | 'deferred' | 'hidden';

/**
 * Why a skill is not shown with its whole description: the tokens or characters of the `budget`, its `count`, the `descriptionLimit`
 * (`entry-limit`), `show` of the application (`choice`), or the skill's own fields (`not-for-models`).
 */
export type CutReason = 'budget' | 'entry-limit' | 'count' | 'choice' | 'not-for-models';

/** Limits for the text of a catalog. All that are given apply. */
export interface CatalogBudget {
  /** @default 8,000 if no budget is given */
  readonly tokens?: number | undefined;
  readonly characters?: number | undefined;
  /** Number of listed entries. */
  readonly count?: number | undefined;
}

export interface PlanCatalogOptions {
  readonly budget?: CatalogBudget | undefined;
  /** @default 'markdown' */
  readonly format?: CatalogFormat | undefined;
  /** Shows the path of each `SKILL.md`, for a model that reads files with its own tools. */
  readonly locations?: boolean | undefined;
  /**
   * Limit for a description that is not pinned, in Unicode code points.
   * @default 1,024, with `when_to_use` 1,536
   */
  readonly descriptionLimit?: number | undefined;
  /** Decides how single skills are shown; `undefined` leaves a skill to the budget. */
  readonly show?: ((skill: Skill) => SkillVisibility | undefined) | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
}

/** How one skill is shown. */
export interface PlannedSkill {
  readonly skill: Skill;
  readonly showing: SkillVisibility;
  /** The description as shown, with `…` at the end if it was cut, or empty. */
  readonly description: string;
  /** Tokens of the entry; 0 if it is not listed. */
  readonly tokens: number;
  /** Why the skill or part of its description is not shown; absent if everything is. */
  readonly cut?: CutReason;
}

/** How a catalog is shown. */
export interface CatalogPlan {
  /** Every skill of the catalog in its order, including hidden ones. */
  readonly skills: readonly PlannedSkill[];
  readonly format: CatalogFormat;
  readonly locations: boolean;
  /** Tokens of the catalog itself, without the text around it. */
  readonly tokens: number;
}

const defaultBudget: CatalogBudget = { tokens: 8_000 };
const nothing: Description = { line: '', points: '', isLimited: false };
const showings: readonly SkillVisibility[] = ['pinned', 'full', 'name-only', 'deferred', 'hidden'];

interface Candidate {
  readonly skill: Skill;
  readonly showing: 'pinned' | 'full' | 'name-only';
  /** Empty if only the name is shown. */
  readonly description: Description;
  readonly render: RenderEntry;
}

/**
 * Plans the catalog text: names first, then as much of every description as fits.
 *
 * The longest descriptions are cut first, all to the same length. Only when every description is gone are names dropped, and
 * those skills deferred, starting from the end of the catalog. The same catalog and options result in the same plan. If the
 * catalog does not fit its budget, it is rendered and counted about 20 times.
 *
 * @throws {SkillError} `options-invalid` if an option is unknown or not valid, or the catalog is a promise
 */
export function planCatalog(catalog: Catalog, options: PlanCatalogOptions = {}): CatalogPlan {
  const { budget = defaultBudget, format = 'markdown', locations = false } = options;
  assertCatalog(catalog);
  checkPlanOptions('options', options);
  const countTokens = checkTokenizer(options.countTokens);
  const choices = catalog.skills.map((skill) => choose(skill, options));
  const candidates = choices.filter((choice) => 'render' in choice);
  const textOf = (listed: readonly Candidate[], length: number): string => {
    const entries = listed.map((candidate) => candidate.render(cutLine(candidate, length)));
    return wrapEntries(entries, format);
  };
  const fits = (listed: readonly Candidate[], length: number): boolean => {
    const { count, characters, tokens } = budget;
    if (count !== undefined && listed.length > count) return false;
    const text = textOf(listed, length);
    if (characters !== undefined && text.length > characters) return false;
    return tokens === undefined || countTokens(text) <= tokens;
  };
  const inOrder = [...candidates.filter(isPinned), ...candidates.filter((candidate) => !isPinned(candidate))];
  const longest = candidates.reduce((most, { description }) => Math.max(most, description.points.length), 0);
  const listedCount = greatest(inOrder.length, (count) => fits(inOrder.slice(0, count), 0));
  const listed = new Set(inOrder.slice(0, Math.max(listedCount, inOrder.filter(isPinned).length)));
  const inCatalogOrder = candidates.filter((candidate) => listed.has(candidate));
  const length = greatest(longest, (limit) => fits(inCatalogOrder, limit));
  const dropped = budget.count !== undefined && listed.size >= budget.count ? 'count' : 'budget';
  const skills = choices.map((choice): PlannedSkill => {
    if (!('render' in choice)) return choice;
    if (!listed.has(choice))
      return { skill: choice.skill, showing: 'deferred', description: '', tokens: 0, cut: dropped };
    return showWithin(choice, length, countTokens);
  });
  const tokens = inCatalogOrder.length === 0 ? 0 : countTokens(textOf(inCatalogOrder, length));
  return { skills, format, locations, tokens };
}

/** Checks the options of a plan. @throws {SkillError} `options-invalid` */
export function checkPlanOptions(name: 'options' | 'plan', options: PlanCatalogOptions): void {
  checkKeys(name, options, ['budget', 'format', 'locations', 'descriptionLimit', 'show', 'countTokens']);
  const { budget = {}, descriptionLimit, format } = options;
  checkKeys(`${name}.budget`, budget, ['tokens', 'characters', 'count']);
  checkChoice('format', format, ['markdown', 'xml', 'json']);
  const { tokens, characters, count } = budget;
  checkAmounts({ tokens, characters, descriptionLimit });
  checkCounts({ count });
}

/** Applies the decisions of the application and of the skill, before the budget applies. */
function choose(
  skill: Skill,
  { show, descriptionLimit, locations = false, format = 'markdown' }: PlanCatalogOptions,
): Candidate | PlannedSkill {
  const out = { skill, description: '', tokens: 0 };
  if (!isForModels(skill)) return { ...out, showing: 'hidden', cut: 'not-for-models' };
  const showing = show?.(skill) ?? 'full';
  // A misspelt `hidden` would show the skill.
  checkChoice('show(skill)', showing, showings);
  if (showing === 'hidden' || showing === 'deferred') return { ...out, showing, cut: 'choice' };
  const limit = showing === 'pinned' ? Number.POSITIVE_INFINITY : descriptionLimit;
  const description = showing === 'name-only' ? nothing : describeSkill(skill, limit);
  const render = createEntry({ name: skill.name, location: locations ? skill.location : undefined }, format);
  return { skill, showing, description, render };
}

/**
 * Checks whether a skill allows models to know about it: `disable-model-invocation` is not set, and it is not an internal skill of
 * an installed package. The people who work on a project use its internal skills themselves.
 */
export function isForModels({ properties, source }: Skill): boolean {
  return !properties.disableModelInvocation && !(properties.internal && source.scope === 'package');
}

function isPinned({ showing }: Candidate): boolean {
  return showing === 'pinned';
}

/** Returns at most `length` code points of a description, with `…` at the end if it was cut. A pinned one stays whole. */
function cutLine({ showing, description }: Candidate, length: number): string {
  return showing === 'pinned' ? description.line : cutDescription(description, length);
}

function showWithin(candidate: Candidate, length: number, countTokens: CountTokens): PlannedSkill {
  const { skill, showing, render } = candidate;
  const { points, isLimited } = candidate.description;
  const description = cutLine(candidate, length);
  const tokens = countTokens(render(description));
  const isCut = showing === 'full' && points.length > length;
  const cut = showing === 'name-only' ? 'choice' : isCut ? 'budget' : isLimited ? 'entry-limit' : undefined;
  const shown = description === '' ? 'name-only' : showing;
  return { skill, showing: shown, description, tokens, ...(cut !== undefined && { cut }) };
}

/** Finds the greatest number from 0 to `most` that passes, given that all smaller ones pass, too. */
function greatest(most: number, passes: (value: number) => boolean): number {
  if (passes(most)) return most;
  let low = 0;
  let high = Math.min(shortestDescription, most);
  // Starts with small numbers, because they cost little to try.
  while (high < most && passes(high)) {
    low = high;
    high = Math.min(2 * high, most);
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}
