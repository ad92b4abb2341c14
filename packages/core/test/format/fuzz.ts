// Makes files that are almost skills, from a grammar and by mutation, and judges what is read from them.

import { isDeepStrictEqual } from 'node:util';
import { type Diagnostic, hasErrors, type SkillProfile } from '../../src/diagnostics/diagnostic.ts';
import { severityOf } from '../../src/diagnostics/table.ts';
import { type ParsedSkill, parseBody, parseSkill, parseSkillHead } from '../../src/format/parse.ts';
import { splitAllowedTools } from '../../src/format/properties/allowed-tools.ts';
import { normalizeName, suggestName } from '../../src/format/properties/name.ts';
import { fixSkill } from '../../src/format/write/fix.ts';
import { formatSkill } from '../../src/format/write/write.ts';
import { isSkillError } from '../../src/skill/error.ts';
import type { SkillProperties } from '../../src/skill/skill.ts';

/** Gives whole numbers from 0 up to a bound, the same ones for the same seed. */
export type Random = (bound: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const keys = [
  ...[
    'name',
    'description',
    'license',
    'compatibility',
    'metadata',
    'allowed-tools',
    'allowed_tools',
    'disable-model-invocation',
  ],
  ...[
    'user-invocable',
    'when_to_use',
    'arguments',
    'argument-hint',
    'version',
    'hooks',
    'Name',
    '__proto__',
    'constructor',
  ],
  ...['"quoted"', '? x', '<<', '1', 'true', 'clé', '', 'x y'],
];
const values = [
  ...[
    'pdf',
    'x',
    'Reads PDF files.',
    'Use when: asked',
    '"quoted"',
    '"open',
    "'it''s'",
    "'it's'",
    '[a, b]',
    '[a',
    '{a: b}',
    '{a',
  ],
  ...[
    '|',
    '>',
    '>-',
    '| text',
    '&a x',
    '*a',
    '*bold*',
    '!tag x',
    '!!js/function x',
    '@x',
    '`x`',
    '%x',
    '# comment',
    'x # comment',
  ],
  ...[
    'null',
    '~',
    'true',
    'yes',
    '1.10',
    '0x1F',
    '2026-01-01',
    '.nan',
    '-',
    '- a',
    '?',
    ':',
    '::',
    '...',
    '---',
    'a --- b',
    '',
  ],
  ...[
    'Read, Write',
    'Bash(git add *) Read',
    'Bash(git',
    'Read)',
    '*',
    '技能',
    'ｐｄｆ',
    'p\u0430y',
    '\u202e',
    '\ufeff',
    '\u0000',
    '😀',
  ],
  ...['a\\b', '"a\\u0041"', '"a\\q"', 'x'.repeat(70), 'y '.repeat(600), '../x', 'a/b', '{', '}', ']', ',', '$&', '<b>'],
];
const others = [
  '---',
  '--- ',
  '---js',
  '----',
  '...',
  '+++',
  '```',
  '```yaml',
  '# Heading',
  'Text.',
  '',
  ' ',
  '\t',
  '<!-- x -->',
  '- item',
  '  - item',
];

/** Writes a file by the grammar of skills, with slips. */
export function generate(random: Random): string {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const lines: string[] = [];
  if (random(8) === 0) lines.push(pick(others));
  if (random(10) !== 0) lines.push('---');
  if (random(3) !== 0) lines.push(`name: ${pick(['pdf', 'pdf', ...values])}`);
  if (random(4) !== 0) lines.push(`description: ${pick(['Reads PDF files.', ...values])}`);
  for (let count = random(6); count > 0; count -= 1) {
    const shape = random(10);
    if (shape < 6) lines.push(`${pick(keys)}: ${pick(values)}`);
    else if (shape < 8) lines.push(`${pick(['  ', ' ', '\t', '    '])}${pick(keys)}: ${pick(values)}`);
    else if (shape < 9) lines.push(`${pick(keys)}:`, `${pick(['  ', '', '\t'])}- ${pick(values)}`);
    else lines.push(pick(others));
  }
  if (random(10) !== 0) lines.push(pick(['---', '---', '---', '--- ', '---# T', '...']));
  for (let count = random(4); count > 0; count -= 1) lines.push(pick([...others, ...values]));
  return (random(20) === 0 ? '\ufeff' : '') + lines.join(pick(['\n', '\n', '\n', '\r\n', '\r']));
}

/** Changes a few places of a text; `other` is a text to take pieces from. */
export function mutate(text: string, other: string, random: Random): string {
  let result = text;
  for (let count = 1 + random(4); count > 0; count -= 1) {
    const from = random(result.length + 1);
    const to = Math.min(result.length, from + random(12));
    const piece = result.slice(from, to);
    const start = random(other.length + 1);
    const pieces = [
      '',
      piece + piece,
      other.slice(start, start + random(30)),
      values[random(values.length)] ?? '',
      '\n',
      ': ',
      '"',
    ];
    result = result.slice(0, from) + pieces[random(pieces.length)] + result.slice(to);
  }
  return result.slice(0, 40_000);
}

const profiles: readonly SkillProfile[] = ['strict', 'lenient', 'portable'];

/** Returns the first promise that reading the text breaks, or undefined if it keeps them all. */
export function judge(input: string): string | undefined {
  const bytes = new TextEncoder().encode(input);
  // Half a surrogate pair cannot be stored.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const options = { directoryName: 'pdf', location: 'pdf/SKILL.md' };
  const parsed = profiles.map((profile) => parseSkill(bytes, { ...options, profile }));
  const lenient = parsed[1] as ParsedSkill;
  if (
    !parsed.every(({ properties, body }) => isDeepStrictEqual([properties, body], [lenient.properties, lenient.body]))
  ) {
    return 'what is read depends on the profile';
  }
  if (hasErrors(lenient.diagnostics) && !hasErrors(parsed[0]?.diagnostics ?? []))
    return 'strict loads what lenient refuses';
  const head = parseSkillHead(bytes, { ...options, complete: true });
  if (!isDeepStrictEqual(head?.properties, lenient.properties)) return 'the head says something else than the file';
  if (parseBody(bytes, options).body !== lenient.body) return 'the body alone is not the body of the file';
  for (const [index, { diagnostics }] of parsed.entries()) {
    const problem = judgeDiagnostics(diagnostics, text, profiles[index] ?? 'lenient');
    if (problem !== undefined) return problem;
  }
  if (lenient.properties === undefined && !hasErrors(lenient.diagnostics))
    return 'nothing was read and nothing is said about it';
  if ('polluted' in {} || Object.keys(Object.prototype).length > 0) return 'a prototype was polluted';
  const { properties, body } = lenient;
  return (
    (properties === undefined ? undefined : judgeProperties(properties, body, text)) ?? judgeFix(text, lenient, options)
  );
}

function judgeDiagnostics(diagnostics: readonly Diagnostic[], text: string, profile: SkillProfile): string | undefined {
  const lines = text.split(/\r\n|\n|\r/);
  for (const { code, severity, message, hint, location, line, column } of diagnostics) {
    if (severityOf(code, profile) !== severity) return `${code} has another severity than the table`;
    if (location !== 'pdf/SKILL.md') return `${code} has no location`;
    const words = message.replaceAll(/\\u\{[0-9a-f]+\}/g, '');
    if (/\p{C}/u.test(message)) return `the message of ${code} contains what cannot be seen`;
    if (/\{\w+\}/.test(words) && !text.includes('{')) return `the message of ${code} is not filled in: ${message}`;
    if (hint === undefined) return `${code} has no hint`;
    if (line !== undefined && (line < 1 || line > lines.length)) return `${code} is on line ${line} of ${lines.length}`;
    if (line !== undefined && column !== undefined) {
      const length = lines[line - 1]?.length ?? 0;
      if (column < 1 || column > length + 2) return `${code} is in column ${column} of ${length}`;
    }
  }
  return undefined;
}

function judgeProperties(properties: SkillProperties, body: string, text: string): string | undefined {
  const { name, description, metadata, extensions, allowedTools } = properties;
  if (name === '' || normalizeName(name) !== name) return 'the name is not in its normal form';
  if (description === '' || description.trim() !== description)
    return 'the description is empty or has spaces around it';
  if (body.trim() !== body) return 'the body has spaces around it';
  if (Object.getPrototypeOf(metadata) !== null || Object.getPrototypeOf(extensions) !== null)
    return 'a map has a prototype';
  if (!Object.values(metadata).every((value) => typeof value === 'string')) return 'metadata is not text';
  if (Object.hasOwn(extensions, '__proto__')) return '__proto__ was kept';
  for (const tool of allowedTools) {
    if (!isDeepStrictEqual(splitAllowedTools(tool), { tools: [tool], commas: false })) return `${tool} is not one tool`;
    // Escapes aside, every request is in the file as it is returned.
    if (!text.includes('\\') && !bare(text).includes(bare(tool))) return `the tool ${tool} was invented`;
  }
  return judgeFormat(properties, body);
}

function bare(text: string): string {
  return text.replaceAll(/[\s'"]/g, '');
}

function judgeFormat(properties: SkillProperties, body: string): string | undefined {
  let written: string;
  try {
    written = formatSkill(properties, body);
  } catch (error) {
    // Text from escapes can be longer than a file may be.
    return isSkillError(error) && JSON.stringify(properties).length > 4000
      ? undefined
      : `it cannot be written: ${String(error)}`;
  }
  const again = parseSkill(written);
  // What is internal says so in the way that every reader knows, too.
  const { internal: _, ...metadata } = again.properties?.metadata ?? {};
  const isAdded = properties.internal && !('internal' in properties.metadata);
  const read = isAdded && again.properties ? { ...again.properties, metadata } : again.properties;
  return isDeepStrictEqual([plain(read), again.body], [plain(properties), body])
    ? undefined
    : 'it is written as something else';
}

/**
 * Makes records comparable: those that the parser makes have no prototype. A request that is in doubt is not written, and any other
 * is written under its correct name.
 */
function plain(properties: SkillProperties | undefined): unknown {
  if (properties === undefined) return undefined;
  const { allowedToolsDoubtful: _, allowedToolsMisspelt: __, ...rest } = properties;
  return { ...rest, metadata: { ...properties.metadata } };
}

/**
 * What a skill says, apart from what `--fix` may change: unknown fields count by their names, a name that is corrected to that of
 * the directory as that, and `allowed-tools` in any spelling.
 */
function gist(properties: SkillProperties | undefined, directoryName: string): unknown {
  if (properties === undefined) return undefined;
  const { name, metadata, extensions, allowedToolsMisspelt: _, ...rest } = properties;
  const keys = new Set([...Object.keys(metadata), ...Object.keys(extensions)]);
  const named = suggestName(name) === directoryName ? directoryName : name.toLowerCase();
  return { ...rest, name: named, keys: [...keys].sort() };
}

function judgeFix(text: string, before: ParsedSkill, options: { readonly directoryName: string }): string | undefined {
  const fixed = fixSkill(text, { ...options, profile: 'portable' });
  const after = parseSkill(fixed.text, options);
  const [says, said] = [after, before].map(({ properties }) => gist(properties, options.directoryName));
  if (!isDeepStrictEqual(says, said)) return 'fixing it changes what it says';
  const lineFeeds = (body: string): string => body.replaceAll(/\r\n?/g, '\n');
  return lineFeeds(after.body) === lineFeeds(before.body) ? undefined : 'fixing it changes its body';
}

/** Takes lines and then characters away for as long as the text still breaks a promise. */
export function shrink(text: string): string {
  let current = text;
  for (const size of [400, 100, 40, 10, 3, 1]) {
    for (let from = 0; from < current.length; ) {
      const shorter = current.slice(0, from) + current.slice(from + size);
      if (breaks(shorter)) current = shorter;
      else from += size;
    }
  }
  return current;
}

function breaks(text: string): boolean {
  try {
    return judge(text) !== undefined;
  } catch {
    return true;
  }
}
