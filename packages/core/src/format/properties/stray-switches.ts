// Finds switches in the lines of a text, because a line that YAML reads as something else must restrict the skill, too.

import type { Position } from '../../diagnostics/log.ts';
import { lookKey, wordsIn } from '../../text/look-alikes.ts';
import type { FrontmatterEntry, FrontmatterNode } from '../tree.ts';
import { findSwitch, parseSwitchText, type SwitchName } from './switches.ts';

/** A line that reads like a switch but is not a field for YAML. */
export interface StraySwitch extends Position {
  readonly name: SwitchName;
}

/** Where the frontmatter is in its file, and which of its lines do not count. */
export interface StrayLines {
  readonly firstLine: number;
  /** The line at which the body begins, if it is in the text. */
  readonly endLine?: number | undefined;
  /** Lines of repeated keys. */
  readonly duplicateLines?: readonly number[];
}

/** Characters of a line; longer lines are prose. */
const maxLine = 120;

/**
 * Finds lines that consist of a switch and its value but are not an entry for YAML: `- disable-model-invocation: true`,
 * `**internal**: true`, or a line in a field that is not valid YAML.
 */
export function findStraySwitches(
  text: string,
  { firstLine, endLine, duplicateLines }: StrayLines,
  fields: readonly FrontmatterEntry[],
): readonly StraySwitch[] {
  const strays: StraySwitch[] = [];
  let line = firstLine;
  for (let start = 0; start < text.length && line !== endLine; line += 1) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (end - start <= maxLine && mayRestrict(text, start) && !hasEntryAt(fields, line)) {
      const content = text.slice(start, end);
      const name = restrictsLine(content);
      const column = content.length - content.trimStart().length + 1;
      if (name !== undefined && !duplicateLines?.includes(line)) strays.push({ name, line, column });
    }
    start = end + 1;
  }
  return strays;
}

function hasEntryAt(entries: readonly FrontmatterEntry[], line: number): boolean {
  return entries.some((entry) => entry.line === line || isWithin(entry.value, line));
}

function isWithin(node: FrontmatterNode, line: number): boolean {
  if (node.kind === 'list') return node.items.some((item) => isWithin(item, line));
  return node.kind === 'map' && hasEntryAt(node.entries, line);
}

const longestSwitch = 'disable-model-invocation'.length;

const beginning = /[^a-z\n\u0080-\uffff]*(?:di|us|en|mo|al|au|op|in|me|.?[\u0080-\uffff])/iy;

/** Checks only how a line begins, because checking every line closely would add a fifth to the time for parsing. */
function mayRestrict(text: string, start = 0): boolean {
  beginning.lastIndex = start;
  return beginning.test(text);
}

/** The value of a switch at the end of a text, and what follows it. */
const valueAtEnd = /(true|yes|on|1|false|no|off|0)([^a-z0-9]*)$/i;

/** A text of ASCII, Chinese, Japanese and Korean characters, none of which looks like a colon or an equals sign. */
const withoutColon = /^[\t -9;<>-~\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff19\uff1b]*$/;

/** A text of signs, digits, kana, Chinese characters and Hangul, none of which looks like a Latin letter. */
const withoutLatin =
  /^[\t -@[-`{-~\u3001-\u3006\u3008-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff20]*$/;

/** Returns the switch by which a line restricts a skill. */
export function restrictsLine(line: string): SwitchName | undefined {
  if (!mayRestrict(line) || withoutLatin.test(line)) return undefined;
  const comment = /(?:^|\s)#/.exec(line)?.index ?? line.length;
  const written = line.slice(0, comment).replace(/^\W*metadata\s*:/i, '');
  const [, word = '', after = ''] = valueAtEnd.exec(written) ?? [];
  const key = written.slice(0, written.length - word.length - after.length);
  // In `configuration`, the end is no value.
  const hasValue = word !== '' && wordsIn([...key].at(-1) ?? '').length === 0 && wordsIn(after).length === 0;
  if (!hasValue) return restrictsWithoutValue(written);
  const spelling = findSwitch(key);
  return spelling?.restrictsAt === parseSwitchText(word) ? spelling?.name : undefined;
}

/** Returns the switch before a colon with at most one word behind it, unless its name is an ordinary word. */
function restrictsWithoutValue(written: string): SwitchName | undefined {
  if (written.length > 2 * longestSwitch || withoutColon.test(written)) return undefined;
  const seen = lookKey(written);
  const colon = seen.search(/[:=]/);
  if (colon <= 0 || wordsIn(seen.slice(colon)).length > 1) return undefined;
  const name = findSwitch(seen.slice(0, colon))?.name;
  return name === 'internal' ? undefined : name;
}
