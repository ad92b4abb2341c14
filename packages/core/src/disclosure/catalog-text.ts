// Renders tier 1: the catalog, and how to use the offered tools.

import { joinSome, oneLine, writeName } from '../text/neutral.ts';
import { createEntry, wrapEntries } from './entry.ts';
import type { CatalogPlan, PlannedSkill } from './plan.ts';

/** Names of the tools that are offered. */
export interface OfferedTools {
  readonly activate?: string | undefined;
  readonly read?: string | undefined;
  readonly find?: string | undefined;
}

/** Renders a planned catalog, or an empty string if it lists no skill. The same plan results in the same bytes. */
export function renderCatalog(plan: CatalogPlan): string {
  const { format, locations } = plan;
  const entries = plan.skills.filter(isListed).map(({ skill: { name, location }, description }) => {
    const entry = createEntry({ name, location: locations ? location : undefined }, format);
    return entry(oneLine(description));
  });
  return wrapEntries(entries, format);
}

function isListed({ showing }: PlannedSkill): boolean {
  return showing !== 'hidden' && showing !== 'deferred';
}

/**
 * Renders how to use skills with the offered tools, followed by `catalog`, which is empty if it is placed elsewhere.
 *
 * @param unlisted how many skills the catalog leaves out
 */
export function renderSystemText(catalog: string, tools: OfferedTools, unlisted = 0): string {
  const lines = ['## Skills', '', guidance(tools, catalog !== '', unlisted)];
  return [...lines, ...(catalog === '' ? [] : ['', catalog])].join('\n');
}

/** Counts the skills that can only be found by search. */
export function countUnlisted({ skills }: CatalogPlan): number {
  return skills.filter(({ showing }) => showing === 'deferred').length;
}

/** Renders how many skills a catalog leaves out and how to find them, or an empty string if there is nothing to say. */
export function renderUnlisted(unlisted: number, find: string | undefined): string {
  if (unlisted === 0) return find === undefined ? '' : `Find skills with ${find}.`;
  const counted = `${unlisted} ${unlisted === 1 ? 'skill is' : 'skills are'} not listed.`;
  return find === undefined ? counted : `${counted} Find unlisted skills with ${find}.`;
}

function guidance({ activate, read, find }: OfferedTools, isListed: boolean, unlisted: number): string {
  if (activate === undefined) {
    const how = 'Before a task that a skill covers, read its SKILL.md and follow it.';
    return [how, 'Paths in it are relative to its directory.', renderUnlisted(unlisted, undefined)].join(' ').trimEnd();
  }
  const isSearched = find !== undefined && !isListed;
  const sentences = [
    isSearched
      ? `Before a task, look for a skill with ${find}; call ${activate} and follow it.`
      : `Before a task that a skill covers, call ${activate} and follow it.`,
  ];
  if (read !== undefined) sentences.push(`Read its files with ${read}.`);
  if (isListed) sentences.push(renderUnlisted(unlisted, find));
  return sentences.join(' ').trimEnd();
}

/** Renders the notice for a conversation whose catalog has changed since it began. */
export function renderCatalogChange(before: CatalogPlan, after: CatalogPlan): string {
  const known = new Set(renderedEntries(before));
  const current = renderedEntries(after);
  if (known.size === current.length && current.every((entry) => known.has(entry))) return '';
  const catalog = renderCatalog(after);
  const notice = 'The skills have changed. This list supersedes every earlier one.';
  return catalog === '' ? 'The skills have changed: none are available any more.' : `${notice}\n\n${catalog}`;
}

function renderedEntries(plan: CatalogPlan): readonly string[] {
  return plan.skills
    .filter(isListed)
    .map(({ skill, description }) => JSON.stringify([skill.name, description, plan.locations ? skill.location : '']));
}

const maxNamed = 100;

/** Renders the instructions for the prompt, and names the skills whose instructions are left out. */
export function renderDirectInstructions(texts: readonly string[], leftOut: readonly string[]): string {
  const intro = 'Follow the instructions of a skill when its task comes up.';
  const omitted = `Not shown: ${joinSome(leftOut, maxNamed, writeName)}.`;
  return ['## Skills', intro, ...texts, ...(leftOut.length === 0 ? [] : [omitted])].join('\n\n');
}
