// Renders the answers of the tools besides instructions: files, search results, and corrections of wrong calls.

import { qualifiedName } from '../catalog/names.ts';
import type { ScriptPlan, ScriptResult } from '../scripts/plan.ts';
import type { SkillMatch } from '../search/skill-index.ts';
import type { Skill } from '../skill/skill.ts';
import { keepEnds } from '../text/ends.ts';
import { escapeField, escapeJson, escapeXml, joinSome, oneLine, shortLine } from '../text/neutral.ts';
import type { Section, SoughtSection } from '../text/outline.ts';
import type { Page } from '../text/page.ts';
import { cutDescription, describeSkill } from './description.ts';
import { createEntry, wrapEntries } from './entry.ts';
import { changeNote, presentText } from './present.ts';

/** Renders the answer to an unknown name. */
export function renderUnknownSkill(name: string, suggestions: readonly string[], available: readonly string[]): string {
  const wanted = `No skill ${quoted(name, 64)}.`;
  if (suggestions.length > 0) return `${wanted}${renderSuggestions(suggestions)}`;
  if (available.length === 0) return `${wanted} There are no skills.`;
  return `${wanted} Available: ${joinSome(available, 10, quoted)}.`;
}

/** Renders what may have been meant instead, to follow a sentence; empty if there are no suggestions. */
export function renderSuggestions(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return '';
  return ` Did you mean ${suggestions.map((known) => quoted(known)).join(' or ')}?`;
}

/** Renders that a path leads into another skill, to follow a sentence. */
export function renderOtherSkill(name: string): string {
  return ` ${quoted(name)} is another skill. To read its files, pass its name as \`skill\`.`;
}

/** Renders the answer to a name that several skills match. */
export function renderAmbiguousSkill(name: string, candidates: readonly string[]): string {
  const names = candidates.slice(0, 10).map((candidate) => quoted(candidate));
  return `${quoted(name, 64)} could be ${names.join(', ')}. Call again with one of these names.`;
}

/** Renders one page of a text file, and how to continue if it is not the last. */
export function renderTextResource(skill: string, path: string, page: Page, readTool: string): string {
  const isCut = page.firstCharacter !== undefined || page.nextCharacter !== undefined;
  const isWhole = page.firstLine === 1 && page.lastLine === page.totalLines && !isCut;
  const lines = isWhole ? '' : ` lines="${page.firstLine}-${page.lastLine}" of="${page.totalLines}"`;
  const { text: content, isChanged } = presentText(page.text);
  const wrapped = `<skill_resource skill="${escapeField(skill)}" path="${escapeField(path)}"${lines}>\n${content}\n</skill_resource>`;
  const text = isChanged ? `${wrapped}\n${changeNote}` : wrapped;
  if (page.nextLine === undefined) return text;
  const character = page.nextCharacter === undefined ? '' : `, "character": ${page.nextCharacter}`;
  return `${text}\nContinue with ${readTool}, "line": ${page.nextLine}${character}.`;
}

/** Renders the answer to a line past the end of a file or section. */
export function renderUnknownLine(
  path: string,
  line: number,
  section: Section | undefined,
  totalLines: number,
): string {
  const lines = totalLines === 1 ? '1 line' : `${totalLines} lines`;
  if (section === undefined || line > totalLines) return `${quoted(path)} has ${lines}; line ${line} is past the end.`;
  return `Line ${line} of ${quoted(path)} is past the end of its section, which ends at line ${section.end}.`;
}

/** Renders what follows a page of a list: how to continue, or that the page would be past the end. */
export function renderRest(what: 'file' | 'skill', start: number, shown: number, total: number): readonly string[] {
  const next = start + shown;
  if (next < total) return [`Continue with "start": ${next}; there are ${total}.`];
  if (total === 0 || shown > 0) return [];
  const all = total === 1 ? `is 1 ${what}` : `are ${total} ${what}s`;
  return [`There ${all}; number ${start} is past the end, because the first is 0.`];
}

/** Renders the sections of a file, in answer to an unknown one. */
export function renderSections(path: string, wanted: string, { first, total }: SoughtSection): string {
  if (total === 0) return `${quoted(path)} has no headings. Read it by lines.`;
  const titles = first.map(({ title, start }) => `- line ${start}: ${presentText(shortLine(title, 200)).text}`);
  const rest = total - first.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return [`${quoted(path)} has no section ${quoted(wanted, 64)}. Its sections:`, ...titles, ...more].join('\n');
}

/** Renders the result of reading a file that is not text. */
export function renderBinaryResource(skill: string, path: string, mediaType: string, bytes: number): string {
  return `${quoted(path)} of skill ${quoted(skill)} is not text: ${mediaType}, ${bytes} bytes.`;
}

/** Follows if the file cannot be passed on. */
export const unseenNote = 'This model cannot read it.';

/**
 * Renders the refusal of a call that needs the consent of a person to an activation. Users agree by naming the skill, if mentions are
 * on.
 */
export function renderApprovalNeeded(name: string, sign: string | undefined): string {
  const way = sign === undefined ? '' : ` To agree, the user writes ${quoted(`${sign}${name}`)}.`;
  return `${needsApproval(name)}${way}`;
}

/** Renders the refusal of another call about such a skill before its activation, for which a person is asked. */
export function renderActivateFirst(name: string, activateTool: string): string {
  return `${needsApproval(name)} Call ${activateTool} first.`;
}

function needsApproval(name: string): string {
  return `A person must agree before ${quoted(name)} is activated.`;
}

/** Renders the refusal of an application's tool that no active skill unlocks, with the first skills that would. */
export function renderToolLocked(tool: string, skills: readonly string[]): string {
  if (skills.length === 0) return `${quoted(tool)} is not available.`;
  const named = skills.slice(0, 5).map((name) => quoted(name));
  return `${quoted(tool)} is only available while ${named.join(' or ')} is active.`;
}

const maxPatterns = 20;

/** Renders the refusal of a call that the active skills do not allow. */
export function renderToolRestricted(tool: string, allowed: readonly string[]): string {
  const named = [...new Set(allowed)].slice(0, maxPatterns).map((pattern) => quoted(pattern, 100));
  const rest = named.length === 0 ? '' : ` They allow ${named.join(', ')}.`;
  return `The active skills do not allow this call of ${quoted(tool)}.${rest}`;
}

/** Why a call about a skill is refused. */
export type SkillRefusal =
  | 'approval-denied'
  | 'approval-late'
  | 'approval-lost'
  | 'approval-needed'
  | 'approval-stale'
  | 'approval-used'
  | 'read-denied'
  | 'run-denied';

/** Renders the refusal of a call about a skill. */
export function renderRefusal(code: SkillRefusal, skill: string): string {
  const name = quoted(skill);
  return {
    'approval-denied': `A person refused this call of ${name}. Call again only if they ask for it.`,
    'approval-late': `A person was asked about ${name} too long ago. Call again to ask once more.`,
    'approval-lost': `Whether a person agreed to this call of ${name} could not be checked. Nothing was done.`,
    'approval-needed': `A person must agree to this call of ${name} first, and nobody has.`,
    'approval-stale': `${name} has changed since a person agreed. Call again, so that they are asked about it as it is now.`,
    'approval-used': `A person agreed to this call of ${name}, but its result was lost. The script may have run. Ask them before you call again.`,
    'read-denied': `The files of ${name} are not available.`,
    'run-denied': `Scripts of ${name} may not be run here.`,
  }[code];
}

/** Limit for the characters of each stream that a model is shown, even if a runner returns more. */
const shownOutput = 20_000;

const shownDeleted = 5;

/** Renders the output of a script as data, so that nothing in it can close the tag. */
export function renderScriptResult(
  { skill, path }: ScriptPlan,
  { exitCode, output, errors, truncated, timedOut, tooManyProcesses, deleted = [] }: ScriptResult,
): string {
  const limit = timedOut ? 'timed-out' : tooManyProcesses === true ? 'too-many-processes' : undefined;
  const end = limit === undefined ? `exit="${exitCode ?? 'signal'}"` : `${limit}="true"`;
  const parts = [keepEnds(output, shownOutput), ...(errors === '' ? [] : ['Errors:', keepEnds(errors, shownOutput)])];
  const text = parts.map((part) => presentText(part.trimEnd()).text).join('\n');
  const cut = truncated || Math.max(output.length, errors.length) > shownOutput ? ' cut="true"' : '';
  const shown = `<script_output skill="${escapeField(skill)}" path="${escapeField(path)}" ${end}${cut}>\n${text}\n</script_output>`;
  if (deleted.length === 0) return shown;
  const named = joinSome(deleted, shownDeleted, (name) => quoted(name, 100));
  return `${shown}\nDeleted with its working directory: ${named}.`;
}

/** Renders a skill as JSON on one line, so that no text in it can break a list. */
export function renderSkillLine(skill: Skill): string {
  const { name, properties } = skill;
  const tools = properties.allowedTools.length > 0 && { allowedTools: properties.allowedTools.map(oneLine) };
  return escapeJson({
    id: oneLine(qualifiedName(skill)),
    name: oneLine(name),
    description: cutDescription(describeSkill(skill)),
    ...tools,
  });
}

/** Renders the results of a search in the default format of the catalog, with how well each skill fits. */
export function renderMatches(matches: readonly SkillMatch[]): string {
  if (matches.length === 0) return 'No skill matches. Try fewer or other words.';
  const entries = matches.map(({ skill, band, words }) => {
    const why = words.length === 0 ? '' : `: ${words.slice(0, shownWords).join(', ')}`;
    const description = cutDescription(describeSkill(skill));
    return createEntry({ name: skill.name }, 'markdown')(oneLine(`${description} (${band}${why})`));
  });
  return wrapEntries(entries, 'markdown');
}

/** Limit for the words that explain why a skill was found. */
const shownWords = 6;

/** Renders the answer to a call that failed for a reason that neither the model nor its user can change. */
export function renderFailure(tool: string): string {
  return `${tool} failed for a technical reason, maybe after it had done its work. Call it again only if that does no harm.`;
}

/** Renders the refusal of a call that could not be judged for a technical reason. */
export function renderUnjudged(tool: string): string {
  return `${tool} was not called, because a technical problem kept it from being checked. Call it again once. If that fails, go on without it.`;
}

/** Renders the replacement for the answer to an earlier call that cannot be computed again. */
export function renderLostAnswer(tool: string): string {
  return `This answer is gone. Call ${tool} again if you need it.`;
}

/** Takes the place of what a script wrote, if that was not kept. */
export const lostOutput = 'This script was called, and what it wrote is gone. Call it again only if that does no harm.';

/** Takes the place of a result that will not come: nobody answered a question, the run ended, or the framework dropped it. */
export const missingResult = 'This call has no result. It may not have run.';

/** Replaces arguments whose message is gone. */
export const forgottenArguments = '(given earlier in the conversation)';

/** Is stored instead of instructions and files, which are restored in each model call. */
export const leftOutNote = '[This text is not stored here. If you need it, call the tool again, once.]';

/** Checks whether a stored result has only the placeholder, apart from its first line. */
export function isLeftOut(text: string): boolean {
  return text.slice(text.indexOf('\n') + 1) === leftOutNote;
}

/** Puts a name or a path in backticks, cut to a limit, or writes it as JSON if it contains backticks. */
export function quoted(text: string, limit = 200): string {
  const line = shortLine(text, limit);
  return line.includes('`') ? escapeJson(line) : `\`${escapeXml(line)}\``;
}
