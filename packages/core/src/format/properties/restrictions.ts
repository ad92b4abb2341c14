// Collects restrictions outside the fields meant for them, so that no typo and no YAML mistake lifts a restriction.

import type { DiagnosticLog, Position } from '../../diagnostics/log.ts';
import type { FrontmatterEntry, FrontmatterNode } from '../tree.ts';
import { restrictsLine, type StraySwitch } from './stray-switches.ts';
import { findSwitch, reportDoubt, restrictions, type Spelling, type SwitchName, switchValue } from './switches.ts';

/** The restrictions found so far. */
export interface Restrictions {
  readonly names: Set<SwitchName>;
  /** Keys that are given more than once. */
  readonly duplicates: ReadonlySet<string>;
  /** Receives a diagnostic with the correct form of each restriction. */
  readonly log: DiagnosticLog;
}

/** Starts a collection with the lines that are not fields. */
export function collectRestrictions(
  strays: readonly StraySwitch[],
  duplicates: ReadonlySet<string>,
  log: DiagnosticLog,
): Restrictions {
  const found = { names: new Set<SwitchName>(), duplicates, log };
  for (const stray of strays) addStray(stray.name, stray, found);
  return found;
}

function addStray(name: SwitchName, place: Position, { names, log }: Restrictions): void {
  names.add(name);
  // The line may also be the text of `metadata`.
  if (log.diagnostics.some(({ code, line }) => code === 'field-stray' && line === place.line)) return;
  log.report('field-stray', place, { known: restrictions[name] });
}

/** Adds a field that is not parsed otherwise, if it restricts, and everything inside it. True if the field itself restricts. */
export function addField(field: FrontmatterEntry, found: Restrictions): boolean {
  if (field.key === 'metadata') addWords(field.value, found);
  return addEntry(field, '', found);
}

/** Adds the restrictions inside a field. */
export function addFieldsWithin({ key, value }: FrontmatterEntry, found: Restrictions): void {
  if (key === 'metadata') addWords(value, found);
  addWithin(value, key, found);
}

function addEntry(entry: FrontmatterEntry, parent: string, found: Restrictions): boolean {
  const spelling = findSwitch(entry.key);
  if (spelling === undefined && entry.value.kind === 'scalar') return false;
  const path = parent === '' ? entry.key : `${parent}.${entry.key}`;
  addWithin(entry.value, path, found);
  return spelling !== undefined && addSwitch(entry, path, spelling, found);
}

function addSwitch(
  entry: FrontmatterEntry,
  path: string,
  { name, restrictsAt, meant }: Spelling,
  { names, duplicates, log }: Restrictions,
): boolean {
  // At deeper levels, `internal` is an ordinary word.
  if (name === 'internal' && path !== entry.key && path !== `metadata.${entry.key}`) return false;
  const value = switchValue(entry);
  if (value === !restrictsAt && !duplicates.has(path)) return false;
  names.add(name);
  if (path === 'metadata.internal') {
    if (value === undefined) reportDoubt(entry, path, true, log);
  } else if (path !== 'metadata.opencode/autoinvoke') {
    log.report('field-misspelt', entry, { field: path, meant, known: meant });
  }
  return true;
}

function addWithin(node: FrontmatterNode, path: string, found: Restrictions): void {
  if (node.kind === 'map') for (const entry of node.entries) addEntry(entry, path, found);
  if (node.kind === 'list') for (const item of node.items) addWithin(item, path, found);
}

/** Adds restrictions written as the text of `metadata` instead of below it, such as `metadata: internal`. */
function addWords(node: FrontmatterNode, found: Restrictions): void {
  if (node.kind === 'list') for (const item of node.items) addWords(item, found);
  if (node.kind !== 'scalar') return;
  const name = restrictsLine(node.text) ?? findSwitch(node.text)?.name;
  if (name !== undefined) addStray(name, node, found);
}
