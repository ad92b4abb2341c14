// Understands the switches that restrict a skill, in every spelling that clients use. If in doubt, they restrict it.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { closestNames } from '../../text/closest.ts';
import { lookKey, wordsIn } from '../../text/look-alikes.ts';
import { remember } from '../remember.ts';
import { describeKind, type FrontmatterEntry } from '../tree.ts';
import type { PropertiesContext } from './context.ts';

/** The switches that restrict a skill; `internal` is an entry of `metadata`. */
export type SwitchName = 'disable-model-invocation' | 'user-invocable' | 'internal';

/** The correct form of each switch when it restricts a skill. */
export const restrictions: Readonly<Record<SwitchName, string>> = {
  'disable-model-invocation': 'disable-model-invocation: true',
  'user-invocable': 'user-invocable: false',
  internal: 'metadata.internal: true',
};

/** What a spelling of a switch means. */
export interface Spelling {
  readonly name: SwitchName;
  /** The value that restricts the skill. */
  readonly restrictsAt: boolean;
  /** What to write instead. */
  readonly meant: string;
}

const forUsersOnly: Spelling = {
  name: 'disable-model-invocation',
  restrictsAt: true,
  meant: 'disable-model-invocation',
};
const notForUsers: Spelling = { name: 'user-invocable', restrictsAt: false, meant: 'user-invocable' };
const onlyForModels: Spelling = { ...notForUsers, restrictsAt: true, meant: restrictions['user-invocable'] };
const internal: Spelling = { name: 'internal', restrictsAt: true, meant: 'metadata.internal' };
const notForModels: Spelling = { ...forUsersOnly, restrictsAt: false, meant: restrictions['disable-model-invocation'] };

/** All spellings by their letters: the switches, their names in other clients, and words that could be mistaken for them. */
const spellings: ReadonlyMap<string, Spelling | undefined> = new Map<string, Spelling | undefined>([
  ...['model', 'llm', 'auto', 'automatic', 'implicit'].flatMap((who) =>
    [`${who}invocation`, `${who}invoke`].flatMap((what): [string, Spelling][] => [
      [`disable${what}`, forUsersOnly],
      [`enable${what}`, notForModels],
      [`allow${what}`, notForModels],
    ]),
  ),
  ['userinvocable', notForUsers],
  ['userinvocableonly', forUsersOnly],
  ['disableuserinvocation', onlyForModels],
  ['disableuserinvoke', onlyForModels],
  ['notuserinvocable', onlyForModels],
  ['modelinvocable', notForModels],
  ['autoinvoke', notForModels],
  ['opencodeautoinvoke', notForModels],
  ['internal', internal],
  ['metadatainternal', internal],
  ['interval', undefined],
]);
const known = [...spellings.keys()];

/** Returns how many typos a name may have. With more, it could be another word: `external` is two edits from `internal`. */
function maxEdits(letters: string): number {
  if (letters.length < 10) return 1;
  return letters.length < 18 ? 2 : 3;
}

/** Finds the switch that a field means, whatever its case, separators and look-alike letters, and with at most three typos. */
export const findSwitch: (key: string) => Spelling | undefined = remember((key) => {
  const letters = lettersOf(key);
  if (spellings.has(letters)) return spellings.get(letters);
  return spellings.get(closestNames(letters, known, maxEdits(letters))[0] ?? '');
});

/** Fields that forbid tools. */
const withoutTools = ['dis', 'un', 'no', 'not', 'non'].map((not) => `${not}allowedtools`);

/** Recognises a field that requests tools, with the same tolerance. If it is as close to one that forbids them, it does. */
export const isToolsField: (key: string) => boolean = remember((key) => {
  const letters = lettersOf(key);
  for (let edits = 0; edits <= maxEdits(letters); edits += 1) {
    if (closestNames(letters, withoutTools, edits).length > 0) return false;
    if (closestNames(letters, ['allowedtools'], edits).length > 0) return true;
  }
  return false;
});

function lettersOf(key: string): string {
  return key.length > 64 ? '' : wordsIn(lookKey(key)).join('');
}

/** Parses the value of a switch; undefined if it cannot be understood. */
export function parseSwitchText(text: string): boolean | undefined {
  const value = text.trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(value)) return true;
  return ['false', 'no', 'off', '0'].includes(value) ? false : undefined;
}

/** Parses the value of a field as that of a switch. */
export function switchValue({ value }: FrontmatterEntry): boolean | undefined {
  return value.kind === 'scalar' ? parseSwitchText(value.text) : undefined;
}

/** Parses the field of a switch. If the value is in doubt, it restricts. */
export function parseSwitch(
  field: FrontmatterEntry | undefined,
  restrictsAt: boolean,
  { duplicates, log }: PropertiesContext,
): boolean {
  if (field === undefined) return !restrictsAt;
  const value = switchValue(field);
  if (value === undefined) reportDoubt(field, field.key, restrictsAt, log);
  return duplicates.has(field.key) ? restrictsAt : (value ?? restrictsAt);
}

/** Reports a switch whose value cannot be understood. */
export function reportDoubt({ value }: FrontmatterEntry, field: string, assumed: boolean, log: DiagnosticLog): void {
  const written = value.kind === 'scalar' ? value.text || 'empty' : describeKind(value);
  log.report('value-not-boolean', value, { field, value: written, assumed: String(assumed) });
}
