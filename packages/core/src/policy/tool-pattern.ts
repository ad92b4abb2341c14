// Matches tool calls against the patterns of `allowed-tools`: `Read`, `Bash(git:*)`, `mcp__files__*`. If in doubt, nothing
// matches.

import type { Skill } from '../skill/skill.ts';
import { matchesPattern } from './pattern.ts';

/** The application's name for a tool, optionally with the property of its input that a pattern in parentheses applies to. */
export type ToolName = string | { readonly tool: string; readonly argument: string };

/**
 * Maps the names that skills use to the application's tools: `{ Bash: { tool: 'shell', argument: 'command' }, Read: 'read_file'
 * }`.
 */
export type ToolNameMap = Readonly<Record<string, ToolName>>;

/** Returns the tools that a skill may have approved: none of a list under another name, which a reviewer may overlook. */
export function approvableTools({ properties }: Skill): readonly string[] {
  return properties.allowedToolsMisspelt === true ? [] : properties.allowedTools;
}

/** Splits a pattern into the name of a tool and a pattern for one property of its input. */
function parseToolPattern(written: string, names: ToolNameMap) {
  const [, name = written, pattern] = /^([^()]+)\((.*)\)$/s.exec(written) ?? [];
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  const argument = typeof known === 'object' ? known.argument : undefined;
  return { tool: typeof known === 'object' ? known.tool : (known ?? name), argument, pattern };
}

/** Checks whether a tool may be called with at least some input. */
export function allowsTool(written: string, tool: string, names: ToolNameMap): boolean {
  return matchesName(parseToolPattern(written, names).tool, tool);
}

/**
 * Checks whether a call is allowed. A pattern in parentheses applies to the given property, or else to the only text in the
 * input.
 */
export function allowsCall(
  written: string,
  { name, input }: { readonly name: string; readonly input: unknown },
  names: ToolNameMap,
): boolean {
  const { tool, argument, pattern } = parseToolPattern(written, names);
  if (!matchesName(tool, name)) return false;
  if (pattern === undefined || pattern === '*') return true;
  // Lists and objects count, too, because they may contain further texts.
  const texts = Object.entries(Object(input)).filter(([key, value]) =>
    argument === undefined ? typeof value === 'string' || Object(value) === value : key === argument,
  );
  const [, text] = texts[0] ?? [];
  return texts.length === 1 && typeof text === 'string' && matchesArgument(pattern, text);
}

/** A name that begins with a wildcard matches nothing, because it would allow everything. */
function matchesName(pattern: string, tool: string): boolean {
  return !/^[*?]/.test(pattern) && matchesPattern(pattern, tool);
}

/** Variables of `cmd.exe`, whose values may contain further commands: `%NAME%`, `%NAME:~0,1%`. */
const variable = /%[^\s%:]+(?::[^%]*)?%/;

/** Quotations, in which parentheses are text. They do not count if the text has characters that shells read differently. */
const quotes = /'[^']*'|"[^"]*"/g;
const doubtfulQuotes = /[\\\u2018-\u201f]/;

function isOneCommand(text: string): boolean {
  // Characters that in some shell separate commands, redirect output, or expand to other text.
  if (/[;|&<>`$\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || variable.test(text)) return false;
  return !/[()]/.test(doubtfulQuotes.test(text) ? text : text.replace(quotes, ''));
}

function withoutWildcardsInQuotes(text: string): string {
  return doubtfulQuotes.test(text) ? text : text.replace(quotes, (quoted) => quoted.replace(/[?*[{,}]/g, '_'));
}

/**
 * Checks whether a text may contain the segment `..` of a path, which leaves the directory that a pattern names. Shells also take
 * `.'.'`, `.\\.`, `.?`, `.[.]` and `{.,x}.` for it.
 */
function mayLeaveDirectory(text: string): boolean {
  // A set of letters matches no dot, as in `.[dev]`, the current directory with an extra of Python.
  const parent =
    /\.(?<![\p{L}\p{N}_.~*?\]]\^*\.)["'\\^]*(?:\.(?![\p{L}\p{N}_.])|[?*]+(?![^\s/\\[{,}"'.])|\[(?![\p{L}\p{N},]+\])|[{,}])/u;
  return parent.test(text);
}

/** Limit for the characters of a text that is matched with `*` and `?`. */
const longestText = 10_000;

/** Limit for the comparisons of one match: the length of the text times that of the pattern. */
const mostCompared = 1_000_000;

/**
 * `git:*` and `git *` match the command `git` with any arguments or none; elsewhere `*` matches any text and `?` any one
 * character.
 */
function matchesArgument(pattern: string, text: string): boolean {
  if (pattern === text) return true;
  if (!isOneCommand(text)) return false;
  const command = /^[^*?]*(?=:\*$)/.exec(pattern)?.[0];
  if (command !== undefined) return text === command || text.startsWith(`${command} `);
  if (text.length > longestText || pattern.length * text.length > mostCompared) return false;
  if (mayLeaveDirectory(withoutWildcardsInQuotes(text).replace(/%2e/gi, '.'))) return false;
  const words = pattern.replace(/:\*$/, ' *').replaceAll('**', '*');
  return matchesPattern(words, words.endsWith(' *') ? `${text} ` : text);
}
