// Reads the plainest frontmatter, one `key: value` a line, without a YAML parser; gives up on everything else.

import type { FrontmatterEntry, FrontmatterNode, FrontmatterScalar } from './frontmatter.ts';
import { maxFrontmatterKeys } from './limits.ts';

const keyPattern = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const startPattern = /^[\p{L}\p{N}(“”‘’/$<=^+;.~\\_]/u;

/**
 * Reads text that consists of plain and simply quoted values, at most one map deep. What it gives is what `readYaml`
 * gives, as a differential test holds; undefined where the text could mean anything else.
 */
export function readPlain(text: string, firstLine: number): readonly FrontmatterEntry[] | undefined {
  const fields: FrontmatterEntry[] = [];
  const keys = new Set<string>();
  let nested: { readonly entries: FrontmatterEntry[]; readonly keys: Set<string>; indent: number } | undefined;
  let line = firstLine - 1;
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    line += 1;
    const content = text.slice(start, end);
    start = end + 1;
    if (content === '') continue;
    const indent = content.startsWith(' ') ? content.length - content.trimStart().length : 0;
    if (indent > 0 && (nested === undefined || (nested.indent > 0 && nested.indent !== indent))) return undefined;
    if (indent === 0 && nested !== undefined && nested.entries.length === 0) return undefined;
    const colon = content.indexOf(':', indent);
    const key = content.slice(indent, colon);
    if (colon < 0 || !keyPattern.test(key)) return undefined;
    const place = { line, column: indent + 1 };
    const map: { readonly entries: FrontmatterEntry[]; readonly keys: Set<string> } | undefined =
      indent > 0 ? nested : { entries: fields, keys };
    if (map === undefined || map.keys.has(key)) return undefined;
    map.keys.add(key);
    if (indent === 0 && colon === content.length - 1) {
      nested = { entries: [], keys: new Set(), indent: 0 };
      const value = mapBelow(nested.entries, line, text, start);
      if (value === undefined) return undefined;
      fields.push({ key, value, ...place });
      continue;
    }
    if (indent > 0 && nested !== undefined) nested.indent = indent;
    else nested = undefined;
    const value = readScalar(content, colon + 1, line);
    if (value === undefined) return undefined;
    map.entries.push({ key, value, ...place });
    if (fields.length + (nested?.entries.length ?? 0) > maxFrontmatterKeys / 2) return undefined;
  }
  if (fields.length === 0 || (nested !== undefined && nested.entries.length === 0)) return undefined;
  return fields;
}

/** The map whose first key stands on the next line, which has to be indented. */
function mapBelow(
  entries: readonly FrontmatterEntry[],
  line: number,
  text: string,
  next: number,
): FrontmatterNode | undefined {
  let indent = 0;
  while (text[next + indent] === ' ') indent += 1;
  return indent === 0 ? undefined : { kind: 'map', entries, flow: false, line: line + 1, column: indent + 1 };
}

/** Reads what follows the colon of a line: a plain text, or one in quotes without escapes. */
function readScalar(content: string, colonEnd: number, line: number): FrontmatterScalar | undefined {
  let from = colonEnd;
  while (content[from] === ' ') from += 1;
  if (from === colonEnd || from === content.length) return undefined;
  let to = content.length;
  while (content[to - 1] === ' ') to -= 1;
  const value = content.slice(from, to);
  const place = { line, column: from + 1 };
  if (/[\p{Cc}\uFEFF]/u.test(value)) return undefined;
  const quote = value[0];
  if (quote === '"' || quote === "'") {
    const inner = value.slice(1, -1);
    if (value.length < 2 || !value.endsWith(quote) || inner.includes(quote)) return undefined;
    if (quote === '"' && inner.includes('\\')) return undefined;
    return { kind: 'scalar', text: inner, data: inner, plain: false, commented: false, ...place };
  }
  if (!startPattern.test(value) || value.includes(': ') || value.endsWith(':') || value.includes(' #'))
    return undefined;
  return { kind: 'scalar', text: value, data: resolveCore(value), plain: true, commented: false, ...place };
}

/** What YAML 1.2 core makes of a plain text that begins as above. */
function resolveCore(text: string): FrontmatterScalar['data'] {
  if (text.length <= 5) {
    if (/^(?:~|null|Null|NULL)$/.test(text)) return null;
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    if (/^(?:false|False|FALSE)$/.test(text)) return false;
    if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return Number.POSITIVE_INFINITY;
    if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN;
  }
  if (/^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/.test(text)) return Number(text);
  return text;
}
