// Fields with places → typed properties, with a diagnostic for every rule that the fields break.

import { splitAllowedTools } from './allowed-tools.ts';
import { showCharacter } from './diagnostic.ts';
import type { DiagnosticLog, Position } from './diagnostic-log.ts';
import { allowedToolsSpellings, fieldTable, suggestField } from './fields.ts';
import {
  describeKind,
  describeType,
  type FrontmatterEntry,
  type FrontmatterNode,
  isPolluting,
  ownText,
  toData,
} from './frontmatter.ts';
import { maxCompatibilityLength, maxDescriptionLength } from './limits.ts';
import { isTitleWithSlash, normalizeName, validateName } from './name.ts';
import { stripInvisible } from './neutral-text.ts';
import type { SkillProperties } from './skill.ts';

// Most skills have no metadata, no tools and no further fields; they share these.
const noEntries: Readonly<Record<string, never>> = Object.freeze(Object.create(null));
const noWords: readonly string[] = Object.freeze([]);

/** What is known about a skill beside its fields. */
export interface PropertiesContext {
  /** Place to report what is missing at. */
  readonly start: Position;
  /** Names the skill where `name` does not, and has to equal it. */
  readonly directoryName: string | undefined;
  /** Keys that are given more than once. */
  readonly duplicates: ReadonlySet<string>;
  /** Description to fall back to, found in the body. */
  readonly fallbackDescription?: string | undefined;
}

/** Reads the fields; undefined where the name or the description cannot be understood. */
export function readProperties(
  fields: readonly FrontmatterEntry[],
  context: PropertiesContext,
  log: DiagnosticLog,
): SkillProperties | undefined {
  const known = new Map<string, FrontmatterEntry>();
  const extensions: Record<string, unknown> = Object.create(null);
  for (const field of fields) {
    if (hasFlow(field.value)) log.report('yaml-flow', field, { field: field.key });
    if (fieldTable.has(field.key)) {
      known.set(field.key, field);
      if (fieldTable.get(field.key)?.standard === false) log.report('field-of-client', field, { field: field.key });
    } else if (isPolluting(field)) {
      log.report('key-polluting', field, { field: field.key });
    } else if (!allowedToolsSpellings.has(field.key)) {
      reportUnknown(field, log);
      extensions[field.key] = toData(field.value, (entry) => log.report('key-polluting', entry, { field: entry.key }));
    }
  }
  const name = readName(known.get('name'), context, log);
  const description = readDescription(known.get('description'), context, log);
  const license = readText(known.get('license'), 'license-not-text', extensions, log);
  const compatibility = readCompatibility(known.get('compatibility'), extensions, log);
  const whenToUse = readText(known.get('when_to_use'), 'value-not-text', extensions, log);
  const argumentHint = readText(known.get('argument-hint'), 'value-not-text', extensions, log);
  const metadata = readMetadata(known.get('metadata'), log);
  const allowedTools = readAllowedTools(fields, context.duplicates, log);
  const disabled = readDisabled(known.get('disable-model-invocation'), context.duplicates, log);
  const userInvocable = readBoolean(known.get('user-invocable'), true, true, log);
  const argumentNames = readWords(known.get('arguments'), log);
  if (name === undefined || description === undefined) return undefined;
  return {
    name,
    description,
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    metadata: orShared(metadata),
    allowedTools: allowedTools.length === 0 ? noWords : allowedTools,
    disableModelInvocation: disabled || metadata['opencode/autoinvoke'] === 'false',
    userInvocable,
    internal: metadata.internal === 'true',
    ...(whenToUse === undefined ? {} : { whenToUse }),
    ...(argumentHint === undefined ? {} : { argumentHint }),
    arguments: argumentNames.length === 0 ? noWords : argumentNames,
    extensions: orShared(extensions),
  };
}

function orShared<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  for (const _key in entries) return entries;
  return noEntries;
}

function reportUnknown(field: FrontmatterEntry, log: DiagnosticLog): void {
  const meant = suggestField(field.key);
  if (meant === undefined) log.report('field-unknown', field, { field: field.key });
  else log.report('field-misspelt', field, { field: field.key, known: meant });
}

function readName(
  field: FrontmatterEntry | undefined,
  context: PropertiesContext,
  log: DiagnosticLog,
): string | undefined {
  const value = field?.value;
  const directory = context.directoryName;
  if (field === undefined || value?.kind !== 'scalar' || value.data === null || value.text.trim() === '') {
    return nameAfterDirectory(field, context, log);
  }
  const type = describeType(value);
  if (type !== undefined) log.report('value-not-string', value, { field: 'name', kind: type });
  const name = ownText(normalizeName(value.text));
  if (directory !== undefined && isTitleWithSlash(name)) {
    log.report('name-replaced', value, { name, directory });
    return readDirectoryName(directory, value, log);
  }
  validateName(value.text, name, value, log);
  if (directory !== undefined && normalizeName(directory) !== name) {
    log.report('name-directory-mismatch', value, { name, directory });
  }
  return name;
}

/** Names a skill whose `name` is missing, empty or no text after its directory. */
function nameAfterDirectory(
  field: FrontmatterEntry | undefined,
  context: PropertiesContext,
  log: DiagnosticLog,
): string | undefined {
  const directory = context.directoryName;
  const position = field ?? context.start;
  if (directory === undefined || normalizeName(directory) === '') {
    log.report('name-unavailable', position);
    return undefined;
  }
  if (field === undefined) log.report('name-missing', position, { directory });
  else if (field.value.kind === 'scalar') log.report('name-empty', position, { directory });
  else log.report('name-not-text', position, { kind: describeKind(field.value), directory });
  return readDirectoryName(directory, position, log);
}

function readDirectoryName(directory: string, position: Position, log: DiagnosticLog): string {
  const name = normalizeName(directory);
  validateName(directory, name, position, log);
  return name;
}

function readDescription(
  field: FrontmatterEntry | undefined,
  context: PropertiesContext,
  log: DiagnosticLog,
): string | undefined {
  const value = field?.value;
  if (
    field === undefined ||
    value === undefined ||
    (value.kind === 'scalar' && (value.data === null || value.text.trim() === ''))
  ) {
    const fallback = context.fallbackDescription;
    if (fallback !== undefined) log.report('description-assumed', field ?? context.start);
    else if (field === undefined) log.report('description-missing', context.start);
    else log.report('description-empty', field);
    return fallback;
  }
  if (value.kind !== 'scalar') {
    log.report('description-not-text', value, { kind: describeKind(value) });
    return undefined;
  }
  const type = describeType(value);
  if (type !== undefined) log.report('value-not-string', value, { field: 'description', kind: type });
  const text = value.text.trim();
  const limit = maxDescriptionLength;
  const length = countPoints(text, limit);
  if (length > limit) {
    log.report('description-too-long', value, { length, limit });
  } else {
    const padded = countPoints(value.text, limit);
    if (padded > limit) log.report('description-padded', value, { length: padded, limit });
  }
  const bracket = /[<>]/.exec(text);
  if (bracket !== null) log.report('description-angle-brackets', value, { character: bracket[0] });
  if (value.commented) log.report('inline-comment', value, { field: 'description' });
  reportHidden('description', text, value, log);
  return ownText(text);
}

function readText(
  field: FrontmatterEntry | undefined,
  code: 'license-not-text' | 'compatibility-not-text' | 'value-not-text',
  extensions: Record<string, unknown>,
  log: DiagnosticLog,
): string | undefined {
  if (field === undefined) return undefined;
  const { key, value } = field;
  if (value.kind !== 'scalar') {
    if (code === 'value-not-text') log.report(code, value, { field: key, kind: describeKind(value) });
    else log.report(code, value, { kind: describeKind(value) });
    extensions[key] = toData(value, (entry) => log.report('key-polluting', entry, { field: entry.key }));
    return undefined;
  }
  if (value.data === null) return undefined;
  const type = key === 'compatibility' ? describeType(value) : undefined;
  if (type !== undefined) log.report('value-not-string', value, { field: key, kind: type });
  const text = value.text.trim();
  return text === '' ? undefined : ownText(text);
}

function readCompatibility(
  field: FrontmatterEntry | undefined,
  extensions: Record<string, unknown>,
  log: DiagnosticLog,
): string | undefined {
  const text = readText(field, 'compatibility-not-text', extensions, log);
  if (field?.value.kind === 'scalar' && text === undefined) log.report('compatibility-empty', field);
  const limit = maxCompatibilityLength;
  const length = countPoints(text ?? '', limit);
  if (field !== undefined && length > limit) log.report('compatibility-too-long', field.value, { length, limit });
  return text;
}

function readMetadata(field: FrontmatterEntry | undefined, log: DiagnosticLog): Readonly<Record<string, string>> {
  const metadata: Record<string, string> = Object.create(null);
  const value = field?.value;
  if (value === undefined || (value.kind === 'scalar' && value.data === null && value.plain)) return metadata;
  if (value.kind !== 'map') {
    log.report('metadata-not-mapping', value, { kind: describeKind(value) });
    return metadata;
  }
  for (const entry of value.entries) {
    if (entry.value.kind === 'scalar') {
      const type = describeType(entry.value);
      const { text } = entry.value;
      if (type !== undefined)
        log.report('metadata-not-string', entry.value, { key: entry.key, kind: type, value: text });
      metadata[ownText(entry.key)] =
        entry.value.data === null && entry.value.plain && text !== '~' ? '' : ownText(text);
    } else {
      log.report('metadata-nested', entry.value, { key: entry.key, kind: describeKind(entry.value) });
      metadata[entry.key] = JSON.stringify(toData(entry.value));
    }
  }
  return metadata;
}

function readAllowedTools(
  fields: readonly FrontmatterEntry[],
  duplicates: ReadonlySet<string>,
  log: DiagnosticLog,
): readonly string[] {
  const given = fields.filter((field) => field.key === 'allowed-tools' || allowedToolsSpellings.has(field.key));
  for (const field of given) {
    if (field.key !== 'allowed-tools') log.report('allowed-tools-spelling', field, { field: field.key });
  }
  const first = given[0];
  if (first === undefined) return [];
  if (given.length > 1 || duplicates.has(first.key)) {
    log.report('allowed-tools-doubtful', given[1] ?? first, { problem: 'is given more than once' });
    return [];
  }
  const { value } = first;
  if (value.kind === 'scalar' && value.data === null) return [];
  const texts = value.kind === 'list' ? value.items : [value];
  const tools: string[] = [];
  for (const text of texts) {
    if (text.kind !== 'scalar' || text.data === null) {
      log.report('allowed-tools-doubtful', text, { problem: `holds ${describeKind(text)}` });
      return [];
    }
    const split = splitAllowedTools(text.text);
    if ('problem' in split) {
      log.report('allowed-tools-doubtful', text, { problem: split.problem });
      return [];
    }
    if (split.commas) log.report('allowed-tools-comma', text);
    tools.push(...split.tools.map(ownText));
  }
  if (value.kind === 'list') log.report('allowed-tools-list', value);
  return tools;
}

/** Reads the switch that keeps a skill from the model; where it is in doubt the model does not see the skill. */
function readDisabled(
  field: FrontmatterEntry | undefined,
  duplicates: ReadonlySet<string>,
  log: DiagnosticLog,
): boolean {
  if (field === undefined || !duplicates.has(field.key)) return readBoolean(field, false, true, log);
  log.report('value-not-boolean', field, { field: field.key, value: 'given more than once', assumed: 'true' });
  return true;
}

function readBoolean(
  field: FrontmatterEntry | undefined,
  absent: boolean,
  doubtful: boolean,
  log: DiagnosticLog,
): boolean {
  if (field === undefined) return absent;
  const { key, value } = field;
  if (value.kind === 'scalar') {
    if (value.data === null) return absent;
    const text = value.text.trim().toLowerCase();
    if (['true', 'yes', 'on', '1'].includes(text)) return true;
    if (['false', 'no', 'off', '0'].includes(text)) return false;
  }
  const shown = value.kind === 'scalar' ? value.text : describeKind(value);
  log.report('value-not-boolean', value, { field: key, value: shown, assumed: String(doubtful) });
  return doubtful;
}

function readWords(field: FrontmatterEntry | undefined, log: DiagnosticLog): readonly string[] {
  if (field === undefined) return [];
  const { key, value } = field;
  const texts = value.kind === 'list' ? value.items : [value];
  const words: string[] = [];
  for (const text of texts) {
    if (text.kind === 'scalar')
      words.push(
        ...text.text
          .split(/\s+/)
          .filter((word) => word !== '')
          .map(ownText),
      );
    else log.report('value-not-text', text, { field: key, kind: describeKind(text) });
  }
  return words;
}

function reportHidden(field: string, text: string, position: Position, log: DiagnosticLog): void {
  if (/^[ -~\n\t]*$/.test(text)) return;
  const control = /[^\P{Cc}\s]/u.exec(text)?.[0];
  const seen = [...stripInvisible(text)];
  const hidden = control ?? [...text].find((point, index) => point !== seen[index]);
  if (hidden !== undefined) log.report('hidden-characters', position, { field, character: showCharacter(hidden) });
}

function hasFlow(node: FrontmatterNode): boolean {
  if (node.kind === 'list') return node.flow || node.items.some(hasFlow);
  return node.kind === 'map' && (node.flow || node.entries.some((entry) => hasFlow(entry.value)));
}

function countPoints(text: string, limit: number): number {
  return text.length <= limit ? text.length : [...text].length;
}
