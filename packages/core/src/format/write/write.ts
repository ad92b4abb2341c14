// Writes properties and a body as a `SKILL.md` that every profile and every known reader reads back as the same data.

import { withoutUndefined } from '../../runtime/record.ts';
import {
  checkDecisions,
  checkKeys,
  checkRecord,
  checkTextLists,
  checkTexts,
  invalidOption,
} from '../../skill/options.ts';
import type { SkillProperties } from '../../skill/skill.ts';
import { parseSkill } from '../parse.ts';
import { splitAllowedTools } from '../properties/allowed-tools.ts';
import { parseSwitchText } from '../properties/switches.ts';

/** Properties to write. Only the name and the description are required. */
export type GivenProperties = Pick<SkillProperties, 'name' | 'description'> & {
  readonly [Property in keyof SkillProperties]?: SkillProperties[Property] | undefined;
};

type Mark = 'allowedToolsDoubtful' | 'allowedToolsMisspelt';

/** The values of all properties that may be left out. What the parser only notes about others is none. */
const defaults: Readonly<Record<Exclude<keyof SkillProperties, 'name' | 'description' | Mark>, unknown>> = {
  license: undefined,
  compatibility: undefined,
  whenToUse: undefined,
  argumentHint: undefined,
  metadata: {},
  allowedTools: [],
  disableModelInvocation: false,
  userInvocable: true,
  internal: false,
  arguments: [],
  extensions: {},
};

/**
 * Refuses properties that do not exist, because they would be left out. `others` are the names of further keys.
 *
 * @throws {SkillError} `options-invalid`
 */
export function checkProperties(option: string, given: GivenProperties, others: readonly string[] = []): void {
  checkRecord(option, given);
  const { allowedToolsDoubtful: _, allowedToolsMisspelt: __, ...own } = given;
  checkKeys(option, own, ['name', 'description', ...others, ...Object.keys(defaults)]);
}

/** Adds the properties that were left out. */
export function completeProperties(given: GivenProperties): SkillProperties {
  const { name, description, ...others } = given;
  return { ...defaults, name, description, ...withoutUndefined(others) } as SkillProperties;
}

/**
 * Formats a `SKILL.md`. Trims the texts and the body, as parsing does. Leaves out an ambiguous request for tools. Writes
 * one under another name, such as `allowed_tools`, under its correct name.
 *
 * @throws {SkillError} `options-invalid` for properties that no `SKILL.md` can contain: an empty description, a tool with
 * unbalanced parentheses, extensions that are not data, frontmatter over 16 KiB. Also if a property is unknown or has the wrong type,
 * because a model or a database may have written it
 */
export function formatSkill(properties: GivenProperties, body: string): string {
  checkProperties('properties', properties);
  const complete = completeProperties(properties);
  checkTypes(complete, body);
  const frontmatter = formatFrontmatter(complete);
  const text = `---\n${frontmatter}---\n${body.trim() === '' ? '' : `\n${body.trim()}\n`}`;
  const { properties: read, diagnostics } = parseSkill(text);
  if (read === undefined) {
    const problems = diagnostics.filter(({ severity }) => severity === 'error');
    throw invalidOption(problems.map(({ message }) => message).join(' '));
  }
  if (formatFrontmatter(read) !== frontmatter) {
    const reasons = diagnostics.filter(({ code }) => code !== 'body-empty').map(({ message }) => message);
    throw invalidOption(reasons.join(' ') || 'The properties contain data that YAML cannot express.');
  }
  return text;
}

function checkTypes(properties: SkillProperties, body: string): void {
  const { name, description, license = '', compatibility = '', whenToUse = '', argumentHint = '' } = properties;
  const { metadata, extensions, allowedTools, disableModelInvocation, userInvocable, internal } = properties;
  checkRecord('metadata', metadata);
  checkRecord('extensions', extensions);
  checkTexts({ name, description, body, license, compatibility, whenToUse, argumentHint });
  checkTexts(metadata);
  checkDecisions({ disableModelInvocation, userInvocable, internal });
  checkTextLists({ allowedTools, arguments: properties.arguments });
}

function formatFrontmatter(properties: SkillProperties): string {
  const { name, description, license, compatibility, whenToUse, argumentHint } = properties;
  const lines = [`name: ${formatText(name)}`, `description: ${formatText(description)}`];
  if (license !== undefined) lines.push(`license: ${formatText(license)}`);
  if (compatibility !== undefined) lines.push(`compatibility: ${formatText(compatibility)}`);
  const isPublic = parseSwitchText(properties.metadata.internal ?? 'false') === false;
  const internal = properties.internal && isPublic ? { internal: 'true' } : {};
  const metadata = Object.entries({ ...properties.metadata, ...internal });
  if (metadata.length > 0) lines.push('metadata:');
  for (const [key, value] of metadata) lines.push(`${formatKey(key, '  ')} ${quote(value)}`);
  if (properties.allowedTools.length > 0) lines.push(`allowed-tools: ${formatTools(properties.allowedTools)}`);
  if (properties.disableModelInvocation) lines.push('disable-model-invocation: true');
  if (!properties.userInvocable) lines.push('user-invocable: false');
  if (whenToUse !== undefined) lines.push(`when_to_use: ${formatText(whenToUse)}`);
  if (argumentHint !== undefined) lines.push(`argument-hint: ${formatText(argumentHint)}`);
  if (properties.arguments.length > 0) lines.push(`arguments: ${formatText(properties.arguments.join(' '))}`);
  for (const [key, value] of Object.entries(properties.extensions)) lines.push(...formatEntry(key, value, ''));
  return `${lines.join('\n')}\n`;
}

function formatTools(tools: readonly string[]): string {
  for (const tool of tools) {
    const split = splitAllowedTools(tool);
    if ('problem' in split || split.tools.length !== 1 || split.tools[0] !== tool) {
      const message = `\`${tool}\` is not one tool: it contains spaces or commas, begins with a bracket or quotation mark, or its parentheses are not balanced.`;
      throw invalidOption(message);
    }
  }
  return formatText(tools.join(' '));
}

function formatEntry(key: string, value: unknown, indent: string): string[] {
  return formatAfter(formatKey(key, indent), value, `${indent}  `);
}

/** Formats a key or a dash with its value, on the same line or indented below. */
function formatAfter(head: string, value: unknown, indent: string): string[] {
  const [first = '', ...rest] = formatValue(value, indent);
  return rest.length > 0 || first.startsWith(indent) ? [head, first, ...rest] : [`${head} ${first}`];
}

/** Formats a value as one text to follow a key or a dash, or as indented lines below it. */
function formatValue(value: unknown, indent: string): string[] {
  if (typeof value === 'string') return [formatText(value, false)];
  if (value === null || typeof value === 'boolean') return [String(value)];
  if (typeof value === 'number') return [formatNumber(value)];
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]'];
    return value.flatMap((item: unknown) => formatAfter(`${indent}-`, item, `${indent}  `));
  }
  if (typeof value === 'object') {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === null || prototype === Object.prototype) {
      const entries = Object.entries(value);
      return entries.length === 0 ? ['{}'] : entries.flatMap(([key, item]) => formatEntry(key, item, indent));
    }
  }
  throw invalidOption('An extension is not data: expected text, numbers, booleans, null, lists and plain objects.');
}

function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Formats a key and its colon. A key that is too long for the line of its value gets a line of its own. */
export function formatKey(key: string, indent: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) && !key.includes('---') && !typedWord.test(key);
  const written = plain ? key : quote(key);
  return written.length < 1000 ? `${indent}${written}:` : `${indent}? ${written}\n${indent}:`;
}

/** Formats a text without quotes if every reader then reads the same text, and in double quotes otherwise. */
export function formatText(text: string, trim = true): string {
  const content = trim ? text.trim() : text;
  return isPlain(content) ? content : quote(content);
}

function isPlain(text: string): boolean {
  if (!/^\p{L}[^\p{C}\p{Zl}\p{Zp}\t]*$/u.test(text) || typedWord.test(text)) return false;
  return !/: |:$| #|---|\s$|[\u0085\uFEFF]/.test(text);
}

/** Words that are not text to some YAML readers. Everything else of that kind begins with a sign, a digit or a dot. */
const typedWord = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/** Puts a text in double quotes, without line ends, invisible characters and `---`. */
export function quote(text: string): string {
  // Every second part consists of hyphens.
  const parts = text.split(/(-{3,})/).map((part, index) => {
    return index % 2 === 1 ? '\\x2d'.repeat(part.length) : Array.from(part, escapePoint).join('');
  });
  return `"${parts.join('')}"`;
}

function escapePoint(point: string): string {
  if (point === '"' || point === '\\') return `\\${point}`;
  if (point === '\n') return '\\n';
  if (point === '\t') return '\\t';
  if (/[ -~]/.test(point) || !/[\p{C}\p{Zl}\p{Zp}]/u.test(point)) return point;
  const code = point.codePointAt(0) ?? 0;
  // Half of a surrogate pair cannot be written.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
