// What the tools say beside instructions: files, search results, and the way forward where a call cannot be carried out.

import { escapeField, escapeJson, escapeWrapperTags, escapeXml, oneLine, shortLine } from '../text/neutral.ts';
import type { Section } from '../text/outline.ts';
import type { Page } from '../text/page.ts';
import { createEntry, wrapEntries } from './entry.ts';

/** Renders the answer to a name that no skill has. */
export function renderUnknownSkill(name: string, suggestions: readonly string[], available: readonly string[]): string {
  const wanted = `No skill ${quoted(name, 64)}.`;
  if (suggestions.length > 0)
    return `${wanted} Did you mean ${suggestions.map((known) => quoted(known)).join(' or ')}?`;
  if (available.length === 0) return `${wanted} There are no skills.`;
  const named = available.slice(0, 10).map((known) => quoted(known));
  const rest = available.length - named.length;
  return `${wanted} Available: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Renders the answer to a name that several skills could have. */
export function renderAmbiguousSkill(name: string, candidates: readonly string[]): string {
  const names = candidates.slice(0, 10).map((candidate) => quoted(candidate));
  return `${quoted(name, 64)} could be ${names.join(', ')}. Call again with one of these names.`;
}

/** Renders one page of a file that is text, and how to go on where it is not the last. */
export function renderTextResource(skill: string, path: string, page: Page, readTool: string): string {
  const whole = page.firstLine === 1 && page.nextLine === undefined;
  const lines = whole ? '' : ` lines="${page.firstLine}-${page.lastLine}" of="${page.totalLines}"`;
  const text = `<skill_resource skill="${escapeField(skill)}" path="${escapeField(path)}"${lines}>\n${escapeWrapperTags(page.text)}\n</skill_resource>`;
  if (page.nextLine === undefined) return text;
  const character = page.nextCharacter === undefined ? '' : `, "character": ${page.nextCharacter}`;
  return `${text}\nContinue with ${readTool}, "line": ${page.nextLine}${character}.`;
}

/** The sections that an answer lists at most. */
const maxSections = 50;

/** Renders the answer to a line that a file does not have. */
export function renderUnknownLine(
  path: string,
  line: number,
  section: Section | undefined,
  totalLines: number,
): string {
  const lines = totalLines === 1 ? '1 line' : `${totalLines} lines`;
  if (line > totalLines) return `${quoted(path)} has ${lines}; line ${line} is past the end.`;
  const where = section === undefined ? '' : `, which ends at line ${section.end}`;
  return `Line ${line} of ${quoted(path)} is past the end of its section${where}.`;
}

/** Renders the sections of a file, for a call that asks for one that is not there. */
export function renderSections(path: string, wanted: string, sections: readonly Section[]): string {
  if (sections.length === 0) return `${quoted(path)} has no headings. Read it by lines.`;
  const titles = sections
    .slice(0, maxSections)
    .map(({ title, start }) => `- line ${start}: ${escapeWrapperTags(shortLine(title, 200))}`);
  const rest = sections.length - maxSections;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return [`${quoted(path)} has no section ${quoted(wanted, 64)}. Its sections:`, ...titles, ...more].join('\n');
}

/** Renders the result of reading a file that is not text. */
export function renderBinaryResource(skill: string, path: string, mediaType: string, bytes: number): string {
  return `${quoted(path)} of skill ${quoted(skill)} is not text: ${mediaType}, ${bytes} bytes.`;
}

/** What a model is told of a skill that a search or a listing gives. */
export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  /** The qualified name, in a listing. */
  readonly id?: string;
  /** The tools that the skill asks for, in a listing. */
  readonly allowedTools?: readonly string[];
}

/** Renders skills one a line as JSON, which no text in them can break. */
export function renderListing(skills: readonly ListedSkill[]): string {
  if (skills.length === 0) return 'No skills.';
  return skills
    .map(({ id, name, description, allowedTools = [] }) =>
      escapeJson({
        ...(id === undefined ? {} : { id: oneLine(id) }),
        name: oneLine(name),
        description: oneLine(description),
        ...(allowedTools.length === 0 ? {} : { allowedTools: allowedTools.map(oneLine) }),
      }),
    )
    .join('\n');
}

/** Renders what a search found, in the form in which the catalog lists skills by default. */
export function renderMatches(skills: readonly ListedSkill[]): string {
  if (skills.length === 0) return 'No skill matches. Try other words.';
  const entries = skills.map(({ name, description }) => createEntry({ name }, 'markdown')(oneLine(description)));
  return wrapEntries(entries, 'markdown');
}

/** A name or a path in backticks, short enough to be an answer and not a text of its own; with backticks in it, as JSON. */
export function quoted(text: string, limit = 200): string {
  const line = shortLine(text, limit);
  return line.includes('`') ? escapeJson(line) : `\`${escapeXml(line)}\``;
}
