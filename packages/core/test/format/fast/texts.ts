// Makes frontmatter that has a value of some construct at some place, and does damage to it.

import fc from 'fast-check';
import { indent, oneOf, step, type Value, values } from './values.ts';

/** Lines of a map or of a list, without the indentation that they have in common. */
type Block = readonly string[];

const key = oneOf('a¦b¦name¦allowed-tools¦"q: k"¦\'s\'¦x.y¦two words¦1¦clé¦spaced ');
const word = oneOf('word¦two words¦1.0¦true¦"quoted"¦[a]¦https://a.b/c');
const between = fc.constantFrom<Block>([], [], [], [''], ['# why'], ['  # deep'], ['', '  ']);

/** Puts a value into a map or a list, among others. */
function place(value: fc.Arbitrary<Value>, list: boolean): fc.Arbitrary<Block> {
  const mark = list ? fc.constant('-') : key.map((name) => `${name}:`);
  const sibling = fc.array(
    fc.tuple(mark, word).map((parts) => parts.join(' ')),
    { maxLength: 1 },
  );
  const entry = fc
    .tuple(mark, value)
    .map(([begin, [first = '', ...rest]]) => [first === '' ? begin : `${begin} ${first}`, ...rest]);
  return fc.tuple(sibling, between, entry, between, sibling).map((parts) => parts.flat());
}

/** Makes a value of a map or a list: on the lines below, or beginning on the line of its dash. */
function nest(blocks: fc.Arbitrary<Block>, list: boolean, inList: boolean): fc.Arbitrary<Value> {
  // A list may have the indentation of the key that it belongs to.
  const by = list && !inList ? fc.oneof(step, fc.constant('')) : step;
  return fc.tuple(blocks, by, fc.boolean()).map(([lines, spaces, compact]) => {
    if (!inList || !compact) return ['', ...indent(lines, spaces)];
    const [first = '', ...rest] = indent(lines, '  ');
    return [first.slice(2), ...rest];
  });
}

/** Puts a value into maps, `false`, and lists, `true`, from the inside out. */
function wrap(value: fc.Arbitrary<Value>, lists: readonly boolean[]): fc.Arbitrary<Block> {
  const [inner = false, outer, ...more] = lists;
  const placed = place(value, inner);
  return outer === undefined ? placed : wrap(nest(placed, inner, outer), [outer, ...more]);
}

const nestings = [[false], [false, false], [true, false], [false, true, false], [true, true, false]];

function frontmatterWith(value: fc.Arbitrary<Value>): fc.Arbitrary<string> {
  const blocks = fc.oneof(...nestings.map((lists) => wrap(value, lists)));
  return fc
    .tuple(between, blocks, oneOf('¦¦¦¦ ¦  '), oneOf('\n¦\n¦¦\n\n'))
    .map(([before, lines, by, end]) => indent([...before, ...lines], by).join('\n') + end);
}

/** Frontmatter with a value of each construct, in a map or in lists and maps in it. */
export const frontmatters: ReadonlyMap<string, fc.Arbitrary<string>> = new Map(
  [...values].map(([name, value]) => [name, frontmatterWith(value)]),
);

const piece = fc.oneof(
  oneOf(' ¦  ¦: ¦:¦ #¦#¦- ¦-¦\n¦\n\n¦\n  ¦\t¦[¦]¦{¦}¦,¦"¦\'¦\\¦|¦>¦&¦*¦!¦%¦@¦`¦?¦~¦.¦---¦...'),
  oneOf('a¦a: b¦- a¦# c¦>-\n¦🗺️¦\u00a0¦\u2028¦\u0007¦\ufeff'),
);
const damage = fc.tuple(fc.nat(), oneOf('insert¦delete¦repeat line¦drop line¦indent¦unindent'), piece);

/** Does something to a text at a place that is chosen by a number. */
function hurt(written: string, [at, kind, what]: readonly [number, string, string]): string {
  const index = at % (written.length + 1);
  if (kind === 'insert') return written.slice(0, index) + what + written.slice(index);
  if (kind === 'delete') return written.slice(0, index) + written.slice(index + 1);
  const lines = written.split('\n');
  const row = at % lines.length;
  const line = lines[row] ?? '';
  const changes = new Map([
    ['repeat line', [line, line]],
    ['drop line', []],
    ['indent', [` ${line}`]],
    ['unindent', [line.replace(/^ /, '')]],
  ]);
  return [...lines.slice(0, row), ...(changes.get(kind) ?? [line]), ...lines.slice(row + 1)].join('\n');
}

/** Gives texts one to three changes, which may make them mean something else or nothing. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.array(damage, { minLength: 1, maxLength: 3 }))
    .map(([written, harms]) => harms.reduce(hurt, written));
}
