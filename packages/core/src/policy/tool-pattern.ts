// Matches calls of tools with the patterns of `allowed-tools`: `Read`, `Bash(git:*)`, `mcp__files__*`. In doubt, nothing matches.

import { longestPattern, matchesPattern } from './pattern.ts';

/** The application's name for a tool, and the property of its input that a pattern in brackets is about. */
export type ToolName = string | { readonly tool: string; readonly argument: string };

/** The application's tools by the names that skills use: `{ Bash: { tool: 'shell', argument: 'command' }, Read: 'read_file' }`. */
export type ToolNameMap = Readonly<Record<string, ToolName>>;

/** Returns what a skill allows: the name of a tool, and a pattern for one property of its input. */
function parseToolPattern(written: string, names: ToolNameMap) {
  const [, name = written, pattern] = /^([^()]+)\((.*)\)$/s.exec(written) ?? [];
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  const argument = typeof known === 'object' ? known.argument : undefined;
  return { tool: typeof known === 'object' ? known.tool : (known ?? name), argument, pattern };
}

/** Checks whether a tool may be called at all, with some input. */
export function allowsTool(written: string, tool: string, names: ToolNameMap): boolean {
  return matchesName(parseToolPattern(written, names).tool, tool);
}

/** Checks whether a call is allowed. A pattern in brackets is about the given property, or else about the only text in the input. */
export function allowsCall(
  written: string,
  { name, input }: { readonly name: string; readonly input: unknown },
  names: ToolNameMap,
): boolean {
  const { tool, argument, pattern } = parseToolPattern(written, names);
  if (!matchesName(tool, name)) return false;
  if (pattern === undefined || pattern === '*') return true;
  // A list or an object may contain more texts.
  const texts = Object.entries(Object(input)).filter(([key, value]) =>
    argument === undefined ? typeof value === 'string' || Object(value) === value : key === argument,
  );
  const [, text] = texts[0] ?? [];
  return texts.length === 1 && typeof text === 'string' && matchesArgument(pattern, text);
}

/** A name that begins with a pattern would allow everything. */
function matchesName(pattern: string, tool: string): boolean {
  return !/^[*?]/.test(pattern) && matchesPattern(pattern, tool);
}

/** What `cmd.exe` replaces by a value, which may be more commands: `%NAME%`, `%NAME:~0,1%`. */
const variable = /%[^\s%:]+(?::[^%]*)?%/;

/** In quotes, parentheses are text; quotes that a shell may take for others, or for text, do not count. */
const quotes = /'[^']*'|"[^"]*"/g;
const doubtfulQuotes = /[\\\u2018-\u201f]/;

function isOneCommand(text: string): boolean {
  // What makes one command into two in some shell, sends its output elsewhere, or stands for another text.
  if (/[;|&<>`$\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || variable.test(text)) return false;
  return !/[()]/.test(doubtfulQuotes.test(text) ? text : text.replace(quotes, ''));
}

/** Limit for the characters of a text that is matched with `*` and `?`. */
const longestText = 10_000;

/** `git:*` is the command `git` with any arguments; otherwise `*` is any text and `?` any one character. */
function matchesArgument(pattern: string, text: string): boolean {
  if (pattern === text) return true;
  if (!isOneCommand(text)) return false;
  if (pattern.endsWith(':*')) {
    const command = pattern.slice(0, -2);
    return text === command || text.startsWith(`${command} `);
  }
  if (pattern.length > longestPattern || text.length > longestText) return false;
  // A path may lead out of the directory that a pattern names.
  if (/(?<![\p{L}\p{N}_.~^])\.\.(?![\p{L}\p{N}_.])/u.test(text)) return false;
  return matchesPattern(pattern.replaceAll('**', '*'), text);
}
