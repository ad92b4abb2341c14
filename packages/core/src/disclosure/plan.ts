// Decides how much of the catalog fits a budget, and records what was cut and why.

import type { Catalog } from '../catalog/catalog.ts';
import { maxDescriptionLength } from '../skill/limits.ts';
import type { Skill } from '../skill/skill.ts';
import { oneLine } from '../text/neutral.ts';
import { type CountTokens, estimateTokens } from '../text/tokens.ts';
import { type CatalogFormat, createEntry, type RenderEntry, wrapEntries } from './entry.ts';
import { createLine, cutLine, type PlanLine, shortestDescription } from './plan-line.ts';

/**
 * How a skill is shown: `pinned` (whole description, whatever the budget), `full`, `name-only`, `deferred` (not listed, but
 * found by search and by name) or `hidden` (does not exist for the model).
 */
export type SkillVisibility = 'pinned' | 'full' | 'name-only' | 'deferred' | 'hidden';

/** Why a skill is shown without its whole description. */
export type CutReason = 'budget' | 'entry-limit' | 'count' | 'choice' | 'not-for-models';

/** Limits for the text of a catalog; all that are given apply. */
export interface CatalogBudget {
  /** @default 8,000 if no budget is given at all */
  readonly tokens?: number | undefined;
  readonly characters?: number | undefined;
  /** Number of listed entries. */
  readonly count?: number | undefined;
}

export interface PlanCatalogOptions {
  readonly budget?: CatalogBudget | undefined;
  /** @default 'markdown' */
  readonly format?: CatalogFormat | undefined;
  /** Shows the path of each `SKILL.md`, for a model that reads it with its own tools. */
  readonly locations?: boolean | undefined;
  /**
   * Limit for a description, in Unicode code points.
   * @default 1,024, with `when_to_use` 1,536
   */
  readonly descriptionLimit?: number | undefined;
  /** The application's choice for single skills; `undefined` leaves the skill to the budget. */
  readonly show?: ((skill: Skill) => SkillVisibility | undefined) | undefined;
  /** @default estimateTokens */
  readonly countTokens?: CountTokens | undefined;
}

/** What is shown of one skill. */
export interface PlannedSkill {
  readonly skill: Skill;
  readonly showing: SkillVisibility;
  /** The description as shown, with `…` at the end if it was cut; empty if none is shown. */
  readonly description: string;
  /** Cost of the entry; 0 if it is not listed. */
  readonly tokens: number;
  /** Why something is missing; absent if nothing is. */
  readonly cut?: CutReason;
}

/** What is shown of a catalog. */
export interface CatalogPlan {
  /** Every skill of the catalog in its order, including hidden ones. */
  readonly skills: readonly PlannedSkill[];
  readonly format: CatalogFormat;
  readonly locations: boolean;
  /** Cost of the catalog text, without the text around it. */
  readonly tokens: number;
}

const defaultBudget: CatalogBudget = { tokens: 8_000 };
const limitWithHint = 1_536;

interface Candidate {
  readonly skill: Skill;
  readonly showing: 'pinned' | 'full' | 'name-only';
  readonly line: PlanLine;
  readonly render: RenderEntry;
}

/**
 * Plans the catalog text: names first, then as much of every description as fits.
 *
 * The longest descriptions are cut first, and all that are cut have the same length. Names are dropped only when every
 * description is gone; then the last names in order are deferred. The same catalog and options result in the same plan. Renders and counts
 * the catalog about eight times if it does not fit its budget.
 */
export function planCatalog(catalog: Catalog, options: PlanCatalogOptions = {}): CatalogPlan {
  const { budget = defaultBudget, format = 'markdown', locations = false, countTokens = estimateTokens } = options;
  const choices = catalog.skills.map((skill) => choose(skill, options));
  const candidates = choices.filter((choice) => 'render' in choice);
  const textOf = (listed: readonly Candidate[], length: number): string =>
    wrapEntries(
      listed.map(({ render, line }) => render(cutLine(line, length))),
      format,
    );
  const { count = Infinity, characters = Infinity, tokens } = budget;
  /** Returns how many times its budget a catalog costs. */
  const costOf = (listed: readonly Candidate[], length: number): number => {
    const text = textOf(listed, length);
    const ofTokens = tokens === undefined ? 0 : countTokens(text) / Math.max(tokens, 0);
    return Math.max(ofTokens, text.length / Math.max(characters, 0));
  };
  const inOrder = [...candidates.filter(isPinned), ...candidates.filter((candidate) => !isPinned(candidate))];
  const allowed = inOrder.filter((_, index) => index + 1 <= count);
  const listedCount = greatest(
    allowed.length,
    (most) => costOf(allowed.slice(0, most), 0),
    (cost) => allowed.length / cost,
  );
  const listed = new Set(inOrder.slice(0, Math.max(listedCount, inOrder.filter(isPinned).length)));
  const inCatalogOrder = candidates.filter((candidate) => listed.has(candidate));
  const lengths = inCatalogOrder.map(({ line }) => line.characters.length).sort((a, b) => a - b);
  const length = greatest(
    lengths.at(-1) ?? 0,
    (limit) => costOf(inCatalogOrder, limit),
    (cost) => {
      const ofNames = costOf(inCatalogOrder, 0);
      return levelOf(lengths, (1 - ofNames) / (cost - ofNames));
    },
  );
  const dropped = listed.size >= count ? 'count' : 'budget';
  const skills = choices.map((choice): PlannedSkill => {
    if (!('render' in choice)) return choice;
    if (!listed.has(choice))
      return { skill: choice.skill, showing: 'deferred', description: '', tokens: 0, cut: dropped };
    return showWithin(choice, length, countTokens);
  });
  return {
    skills,
    format,
    locations,
    tokens: inCatalogOrder.length === 0 ? 0 : countTokens(textOf(inCatalogOrder, length)),
  };
}

/** Applies what the application and the skill itself decide, before the budget does. */
function choose(
  skill: Skill,
  { show, descriptionLimit, locations = false, format = 'markdown' }: PlanCatalogOptions,
): Candidate | PlannedSkill {
  const out = { skill, description: '', tokens: 0 };
  if (!isForModels(skill)) return { ...out, showing: 'hidden', cut: 'not-for-models' };
  const showing = show?.(skill) ?? 'full';
  if (showing === 'hidden' || showing === 'deferred') return { ...out, showing, cut: 'choice' };
  const { name, description, properties } = skill;
  const whole = properties.whenToUse === undefined ? description : `${description} ${properties.whenToUse}`;
  const limit = descriptionLimit ?? (properties.whenToUse === undefined ? maxDescriptionLength : limitWithHint);
  const line = createLine(showing === 'name-only' ? '' : oneLine(whole), limit, showing === 'pinned');
  const render = createEntry({ name, location: locations ? skill.location : undefined }, format);
  return { skill, showing, line, render };
}

/** Checks whether models may know about a skill: neither `disable-model-invocation` nor `internal` is set. */
export function isForModels({ properties }: Skill): boolean {
  return !properties.disableModelInvocation && !properties.internal;
}

function isPinned({ showing }: Candidate): boolean {
  return showing === 'pinned';
}

function showWithin(candidate: Candidate, length: number, countTokens: CountTokens): PlannedSkill {
  const { skill, showing, line, render } = candidate;
  const description = cutLine(line, length);
  const tokens = countTokens(render(description));
  const isCut = showing === 'full' && line.characters.length > length;
  const cut = showing === 'name-only' ? 'choice' : isCut ? 'budget' : line.isLimited ? 'entry-limit' : undefined;
  const shown = description === '' && line.characters.length > 0 ? 'name-only' : showing;
  return { skill, showing: shown, description, tokens, ...(cut !== undefined && { cut }) };
}

/** Returns the limit that leaves a part of all characters, from the lengths of the lines in ascending order. */
function levelOf(lengths: readonly number[], part: number): number {
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  for (const [index, length] of lengths.entries()) {
    const level = left / (lengths.length - index);
    if (length >= level) return level;
    left -= length;
  }
  return 0;
}

/**
 * Finds the greatest number from 0 to `most` that costs at most 1, if all smaller ones do, too. `guess` gets the cost of `most`; the
 * nearer it is, the fewer numbers are tried.
 */
function greatest(most: number, costOf: (value: number) => number, guess: (cost: number) => number): number {
  const cost = costOf(most);
  if (cost <= 1) return most;
  let low = 0;
  let high = most;
  let next = Math.max(shortestDescription, Math.floor(guess(cost)));
  // From the guess in longer and longer steps, until the answer is between two tries.
  for (let step = 1; low < next && next < high; step *= 2) {
    if (costOf(next) <= 1) {
      low = next;
      next += step;
    } else {
      high = next;
      next -= step;
    }
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (costOf(middle) <= 1) low = middle;
    else high = middle;
  }
  return low;
}
