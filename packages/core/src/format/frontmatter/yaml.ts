// Reads frontmatter with the `yaml` package, within limits and without the constructs that make YAML dangerous.

import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import type { Position } from '../../diagnostics/log.ts';
import { isError } from '../../runtime/record.ts';
import { maxFrontmatterDepth, maxFrontmatterKeys } from '../../skill/limits.ts';
import { placeOf } from '../../text/place.ts';
import { isTooComplex } from '../complexity.ts';
import { findCulprit } from '../culprit.ts';
import {
  describeKind,
  type FrontmatterEntry,
  type FrontmatterNode,
  type FrontmatterNote,
  type FrontmatterProblem,
  type FrontmatterResult,
  type FrontmatterScalar,
} from '../tree.ts';

const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'error',
} as const;

/**
 * Reads the text between the fences. Line ends are line feeds. Anchors, aliases and tags are refused.
 *
 * @param firstLine line of the file on which the text begins
 */
export function parseYaml(text: string, firstLine: number): FrontmatterResult {
  const at = (offset: number): Position => placeOf(text, offset, firstLine);
  const refuse = (code: FrontmatterProblem['code'], subject: string, offset: number): FrontmatterResult => ({
    problem: { code, subject, ...at(offset) },
  });
  const excess = findExcess(text);
  if (excess !== undefined) return refuse(excess, '', 0);
  try {
    const document = withoutStacks(() => parseDocument(text, options));
    const error = document.errors[0];
    if (error !== undefined) {
      return refuse('yaml-invalid', reasonOf(error), findCulprit(text, error.message, error.pos[0]));
    }
    if (document.contents === null) return { fields: [], notes: [] };
    const tree = toTree(document.contents, text, at);
    if (tree.problem !== undefined) return { problem: tree.problem };
    if (tree.root.kind === 'map') return { fields: tree.root.entries, notes: tree.notes };
    if (tree.root.kind === 'scalar' && tree.root.data === null) return { fields: [], notes: [] };
    return refuse('frontmatter-not-mapping', describeKind(tree.root), document.contents.range?.[0] ?? 0);
  } catch (error) {
    if (error instanceof RangeError) return refuse('yaml-too-deep', '', 0);
    return refuse('yaml-invalid', isError(error) ? lowerFirst(error.message) : 'it cannot be read', 0);
  }
}

/**
 * Runs work without stack traces, because the package creates an error for each mistake, and with hostile texts the stacks would
 * take most of the time.
 */
function withoutStacks<Result>(work: () => Result): Result {
  const limit: unknown = Reflect.get(Error, 'stackTraceLimit');
  // Has no effect if `Error` is frozen.
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return work();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
}

function toTree(contents: Node, text: string, at: (offset: number) => Position) {
  const notes: FrontmatterNote[] = [];
  /** The first construct that is not allowed. */
  let problem: FrontmatterProblem | undefined;
  let keys = 0;

  function refuse(code: FrontmatterProblem['code'], subject: string, offset: number): FrontmatterNode {
    problem ??= { code, subject, ...at(offset) };
    return nothingAt(offset);
  }

  function nothingAt(offset: number): FrontmatterNode {
    return { kind: 'scalar', text: '', data: null, plain: true, commented: false, ...at(offset) };
  }

  function visit(node: unknown, path: string, depth: number, fallback: number): FrontmatterNode {
    // A real alias follows its anchor, which was already refused, so this is most often text such as `*text*`.
    if (isAlias(node))
      return refuse('yaml-invalid', 'a value that begins with `*` is an alias', node.range?.[0] ?? fallback);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return nothingAt(fallback);
    const offset = node.range?.[0] ?? fallback;
    const forbidden = findForbidden(node, text, offset);
    if (forbidden !== undefined) return refuse(...forbidden);
    if (isScalar(node)) {
      if (!isClosed(node, text)) return refuse('yaml-invalid', 'a closing quote is missing', offset);
      const plain = node.type === 'PLAIN';
      const commented = plain && typeof node.comment === 'string';
      return { kind: 'scalar', text: node.source ?? '', data: scalarData(node.value), plain, commented, ...at(offset) };
    }
    if (depth > maxFrontmatterDepth) return refuse('yaml-too-deep', '', offset);
    const flow = node.flow === true;
    if (isMap(node)) return { kind: 'map', entries: visitPairs(node, path, depth, offset), flow, ...at(offset) };
    const items = node.items.map((item) => visit(isPair(item) ? null : item, path, depth + 1, offset));
    return { kind: 'list', items, flow, ...at(offset) };
  }

  function visitPairs(map: YAMLMap, path: string, depth: number, offset: number): readonly FrontmatterEntry[] {
    const entries = new Map<string, FrontmatterEntry>();
    for (const pair of map.items) {
      keys += 1;
      if (keys > maxFrontmatterKeys) {
        refuse('frontmatter-too-many-keys', '', offset);
        break;
      }
      const key = visit(pair.key, path, depth + 1, offset);
      const place = { line: key.line, column: key.column };
      // YAML has no text for a missing key, in contrast to `""`.
      if (key.kind !== 'scalar' || (key.plain && key.text === '')) {
        notes.push({ code: 'key-invalid', subject: describeKind(key), ...place });
        continue;
      }
      const keyPath = path === '' ? key.text : `${path}.${key.text}`;
      const end = isScalar(pair.key) ? pair.key.range?.[1] : undefined;
      const value = visit(pair.value, keyPath, depth + 1, end ?? offset);
      if (entries.has(key.text)) notes.push({ code: 'key-duplicate', subject: keyPath, ...place });
      else entries.set(key.text, { key: key.text, value, ...place });
    }
    return [...entries.values()];
  }

  const root = visit(contents, '', 1, 0);
  return { root, notes, problem };
}

/** Finds a dangerous YAML construct in a node, and returns its code, name and offset. */
function findForbidden(
  { anchor, tag }: Scalar | YAMLMap | YAMLSeq,
  text: string,
  offset: number,
): [FrontmatterProblem['code'], string, number] | undefined {
  if (anchor !== undefined) return ['yaml-forbidden', 'an anchor', text.lastIndexOf('&', offset)];
  if (tag === undefined) return undefined;
  const place = text.slice(0, offset).search(/!!?[^!]*$/);
  if (tag.startsWith('!')) return ['yaml-invalid', 'a value that begins with `!` is a tag', place];
  return ['yaml-forbidden', 'a tag', place];
}

/**
 * Checks that text in quotes has a closing quote. If a line below is not indented, the `yaml` package accepts an escaped quote
 * as the closing one.
 */
function isClosed({ type, range }: Scalar, text: string): boolean {
  if (type !== 'QUOTE_DOUBLE' && type !== 'QUOTE_SINGLE') return true;
  const source = text.slice(range?.[0], range?.[1]);
  return (type === 'QUOTE_DOUBLE' ? /^"(?:\\.|[^"\\])*"$/s : /^'(?:''|[^'])*'$/).test(source);
}

function scalarData(value: unknown): FrontmatterScalar['data'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

/** A key at the beginning of a line. */
const keyLine = /(?:^|\n)[\w.-]+:(?=[ \n]|$)/g;

/** Quoted text that begins a value and ends on the same line. Only there are brackets and dashes certainly not structure. */
const quoted = /(?<=(?:^|\n)[\s-]*|[,[{] *|: +|["']:)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')/g;

/** Open brackets in a text, and dashes and colons in a line, that certainly do not overflow the stack of the parser. */
const mostNested = 200;

/** Recognises text that would cost the parser too much time or stack. */
function findExcess(
  text: string,
): 'yaml-too-deep' | 'frontmatter-too-complex' | 'frontmatter-too-many-keys' | undefined {
  let brackets = 0;
  let dashes = 0;
  const structure = text.replace(quoted, '');
  for (let index = 0; index < structure.length; index += 1) {
    const character = structure[index] ?? '';
    if (character === '[' || character === '{') brackets += 1;
    else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
    else if (character === '\n') dashes = 0;
    else if ((character === '-' || character === '?' || character === ':') && structure[index + 1] === ' ') dashes += 1;
    if (brackets > mostNested || dashes > mostNested) return 'yaml-too-deep';
  }
  if (isTooComplex(text)) return 'frontmatter-too-complex';
  return (text.match(keyLine) ?? []).length > maxFrontmatterKeys ? 'frontmatter-too-many-keys' : undefined;
}

function reasonOf({ code, message }: YAMLParseError): string {
  // The message names a function of the parser, which no author of a skill can call.
  if (code === 'MULTIPLE_DOCS') return 'a line `...` or `---` ends the fields before the last one';
  // A line that somebody has just begun to write.
  if (message.startsWith('Implicit map keys need')) return 'a line is neither a field nor indented below one';
  return lowerFirst(message);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1).replace(/[.:]\s*$/, '');
}
