// The two switches that restrict a skill, in any spelling and wherever clients write them. In doubt they restrict it.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { closestNames } from '../../text/closest.ts';
import { lookKey } from '../../text/look-alikes.ts';
import { describeKind, type FrontmatterEntry } from '../tree.ts';

/** What a skill is restricted by. */
export type SwitchName = 'disable-model-invocation' | 'user-invocable';

/** A field that means one of the switches, and the value by which it restricts. */
interface Spelling {
  readonly name: SwitchName;
  readonly restrictsAt: boolean;
}

const forUsersOnly: Spelling = { name: 'disable-model-invocation', restrictsAt: true };
const notForModels: Spelling = { name: 'disable-model-invocation', restrictsAt: false };

/** By their letters: the two switches, the same of other clients, and what could be mistaken for the opposite. */
const spellings: ReadonlyMap<string, Spelling> = new Map<string, Spelling>([
  ['disablemodelinvocation', forUsersOnly],
  ['userinvocable', { name: 'user-invocable', restrictsAt: false }],
  ['enablemodelinvocation', notForModels],
  ['modelinvocable', notForModels],
  ['allowimplicitinvocation', notForModels],
  ['opencodeautoinvoke', notForModels],
]);
const known = [...spellings.keys()];

/** With more edits it is another word: `enable` is three away from `disable`. */
const maxEdits = 2;

/** Finds the switch that a field means, whatever its case, its separators and its look-alikes, and with two typos at most. */
function findSwitch(key: string): Spelling | undefined {
  const letters = lettersOf(key);
  return spellings.get(letters) ?? spellings.get(closestNames(letters, known, maxEdits)[0] ?? '');
}

/** Recognises a field that asks for tools in the same way. */
export function isToolsField(key: string): boolean {
  return key === 'allowed-tools' || closestNames(lettersOf(key), ['allowedtools'], maxEdits).length > 0;
}

function lettersOf(key: string): string {
  return key.length > 64 ? '' : lookKey(key).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the value of a switch; undefined if there is none, and `doubtful` if it cannot be understood. */
function readSwitch({ value }: FrontmatterEntry): boolean | 'doubtful' | undefined {
  if (value.kind !== 'scalar') return 'doubtful';
  if (value.data === null) return undefined;
  const text = value.text.trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  return ['false', 'no', 'off', '0'].includes(text) ? false : 'doubtful';
}

/** Checks whether an entry restricts the skill by one of the switches. */
export function restricts(
  entry: FrontmatterEntry,
  duplicates: ReadonlySet<string> = new Set(),
): SwitchName | undefined {
  const spelling = findSwitch(entry.key);
  const value = spelling === undefined ? undefined : readSwitch(entry);
  if (spelling === undefined || value === undefined) return undefined;
  return value === 'doubtful' || duplicates.has(entry.key) || value === spelling.restrictsAt
    ? spelling.name
    : undefined;
}

/** Parses the field of a switch itself. */
export function parseSwitch(
  field: FrontmatterEntry | undefined,
  restrictsAt: boolean,
  duplicates: ReadonlySet<string>,
  log: DiagnosticLog,
): boolean {
  const value = field === undefined ? undefined : readSwitch(field);
  if (field === undefined || value === undefined) return !restrictsAt;
  const isDuplicate = duplicates.has(field.key);
  if (value !== 'doubtful' && !isDuplicate) return value;
  const shown = field.value.kind === 'scalar' ? field.value.text : describeKind(field.value);
  const position = isDuplicate ? field : field.value;
  const problem = isDuplicate ? 'given more than once' : shown;
  log.report('value-not-boolean', position, { field: field.key, value: problem, assumed: String(restrictsAt) });
  return restrictsAt;
}
