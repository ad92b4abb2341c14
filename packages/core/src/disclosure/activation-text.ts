// Renders tier 2: a skill's instructions in a wrapper that nothing inside can close, and the texts that replace it later.

import { maxNameLength } from '../skill/limits.ts';
import { checkResourcePath, isPathFor, withCommonSpaces } from '../skill/paths.ts';
import type { SkillFile, SkillFileListing } from '../skill/source.ts';
import { beforeLines, countLines, moveLine, withLineFeeds } from '../text/lines.ts';
import { escapeField, isWord, joinSome, oneLine, shortLine, writeName } from '../text/neutral.ts';
import { firstHeadings } from '../text/outline.ts';
import { endOfCharacter } from '../text/page.ts';
import { escapeLine } from './entry.ts';
import { writeActivation, writeEnding, writePointer } from './marks.ts';
import { changeNote, presentText } from './present.ts';

/** The parts of an activation's wrapper. */
export interface ActivationParts {
  /** The name in the wrapper, escaped. */
  readonly name: string;
  /** The arguments of the activation; empty if there are none. */
  readonly arguments: string;
  /** The body with its arguments. If it is cut, it has the lines of the file. */
  readonly body: string;
  /** Returns the line of the file at which the body begins, counted from 1. Called only if the body is cut. */
  readonly findBodyLine: () => number;
  /** SHA-256 of the file; its first eight digits are shown. */
  readonly digest: string;
  /** The tools that the skill wants to use, as its author wrote them. */
  readonly allowedTools: readonly string[];
  readonly directory: string;
  readonly resources: SkillFileListing;
  /** Name of the tool that reads the rest of a cut body. Without it, the text mentions no tool. */
  readonly readTool?: string | undefined;
  /** Limit for the body in characters. A longer body is cut at the end of a line, and an outline shows what follows. */
  readonly limit: number;
}

const maxListedFiles = 100;
const maxOutline = 100;

/**
 * Renders a skill's instructions in a wrapper with name, digest, directory and a list of the bundled files.
 *
 * The body can neither close its wrapper nor open another one, and contains nothing that a person could not see.
 */
export function renderActivation(parts: ActivationParts): string {
  const { name, digest, allowedTools, directory, resources } = parts;
  const tools = allowedTools.slice(0, maxListedFiles).map((tool) => escapeField(shortLine(tool, 200)));
  const wanted = tools.length === 0 ? [] : [`Tools for this skill: ${tools.join(', ')}`];
  const lines = [...renderBody(parts), '', ...wanted, ...renderFiles(escapeField(directory), resources)];
  return writeActivation(name, digest, parts.arguments, lines);
}

function renderBody(parts: ActivationParts): readonly string[] {
  const { name, body, limit, readTool } = parts;
  if (body.length <= limit) return present(body);
  const bodyLine = parts.findBodyLine();
  const { kept, shown, what, next } = cutBody(parts, bodyLine);
  const outline = firstHeadings(body, maxOutline, kept).map(
    ({ level, title, start }) => `${'  '.repeat(level - 1)}- line ${start - 1 + bodyLine}: ${shortLine(title, 200)}`,
  );
  const tool = readTool === undefined ? '' : ` with ${readTool} { "skill": "${name}", "path": "SKILL.md", ${next} }`;
  return [
    ...present(shown),
    '',
    `[${what} of ${bodyLine + countLines(body) - 1}. Read the rest${tool} before you rely on it.]`,
    ...(outline.length === 0 ? [] : ['What follows:', ...outline.map((line) => presentText(line).text)]),
  ];
}

/** Keeps the lines of a body that fit, or the beginning of the first line if not even that does. */
function cutBody({ body, limit }: ActivationParts, bodyLine: number) {
  const { kept, end } = linesWithin(body, limit);
  if (kept > 0) {
    const what = `These are lines ${bodyLine} to ${bodyLine + kept - 1}`;
    return { kept, shown: withLineFeeds(body.slice(0, end)), what, next: `"line": ${bodyLine + kept}` };
  }
  const character = endOfCharacter(body, limit);
  const what = `This is the beginning of line ${bodyLine}`;
  return { kept, shown: body.slice(0, character), what, next: `"line": ${bodyLine}, "character": ${character}` };
}

function present(body: string): readonly string[] {
  const { text, isChanged } = presentText(body);
  return isChanged ? [text, '', changeNote] : [text];
}

/** Returns how many whole lines fit a limit of characters, and where the last one ends. */
function linesWithin(body: string, limit: number): { readonly kept: number; readonly end: number } {
  const line = beforeLines();
  let kept = 0;
  let end = 0;
  for (let characters = 0; moveLine(body, line); kept += 1) {
    characters += line.end - line.start + 1;
    if (characters > limit) break;
    end = line.end;
  }
  return { kept, end };
}

/**
 * Checks whether a path can be shown to a model unchanged, so that the model can ask for the file by it.
 *
 * The text leaves out other files, and counts them.
 */
export function isShowable(path: string): boolean {
  const isPlain = oneLine(path) === withCommonSpaces(path) && escapeLine(path) === path && !path.includes('>');
  return isPlain && isPathFor(checkResourcePath, path);
}

/** Renders a bundled file. Its size comes first, so that no path can imitate another line. */
export function renderFileLine({ path, bytes }: SkillFile): string {
  return `${bytes} ${path}`;
}

/** Checks whether a skill has more files than its wrapper lists. */
export function exceedsWrapper({ files }: SkillFileListing): boolean {
  return files.filter(({ path }) => isShowable(path)).length > maxListedFiles;
}

function renderFiles(directory: string, { files, truncated }: SkillFileListing): readonly string[] {
  if (files.length === 0 && !truncated) return [`Directory: ${directory}`];
  const listed = files.filter(({ path }) => isShowable(path)).slice(0, maxListedFiles);
  const unlisted = files.length - listed.length;
  const more = truncated ? 'and more files' : `and ${unlisted} more files`;
  return [
    `Bytes and files in ${directory}:`,
    ...listed.map(renderFileLine),
    ...(unlisted > 0 || truncated ? [more] : []),
  ];
}

/** Renders the answer to an activation if the instructions are already in context, with their short digest: about 25 tokens. */
export function renderPointer(name: string, digest: string): string {
  return `${writePointer(name, digest)}\nAlready active: follow it.`;
}

/** Renders the answer to a deactivation, which also replaces the instructions from the next model call on. */
export function renderInactive(name: string): string {
  return `${writeEnding(name)}\nNo longer active: its instructions have left the context.`;
}

/** Renders the answer to a deactivation of a skill that the application activated. */
export function renderDecided(name: string): string {
  return `${writeName(name)} was activated by the application and stays active.`;
}

/** The active skills whose instructions a conversation lacks. */
export interface AttachmentParts {
  readonly texts: readonly string[];
  /** Names of the active skills that exceed the budget, escaped. */
  readonly leftOut: readonly string[];
  /** Names of the active skills that can no longer be read, escaped. The catalog may lack them. */
  readonly unreadable: readonly string[];
  readonly activateTool: string | undefined;
}

/** Renders the instructions that a conversation lacks, and names the skills that were left out. */
export function renderAttachment({ texts, leftOut, unreadable, activateTool }: AttachmentParts): string {
  const named = joinSome(leftOut, maxNamed, writeName);
  const again = activateTool === undefined ? '' : ` Call ${activateTool} to get one again.`;
  return [
    ...(texts.length === 0 ? [] : ['Active skills in this conversation. Follow their instructions:', ...texts]),
    ...(leftOut.length === 0 ? [] : [`Also active, but left out for length: ${named}.${again}`]),
    ...(unreadable.length === 0 ? [] : [`No longer available: ${writeUnknown(unreadable)}.`]),
  ].join('\n\n');
}

const maxNamed = 100;

/** Limit for names that are not in the catalog and may therefore be forged. */
const maxUnknown = 10;

/** Writes a few of these names, and only single words, because a client that sends the conversation may have forged them. */
function writeUnknown(names: readonly string[]): string {
  const words = names.filter((name) => isWord(name) && name.length <= maxNameLength);
  if (words.length === 0) return names.length === 1 ? '1 skill' : `${names.length} skills`;
  return joinSome(words, maxUnknown, (name) => name, names.length);
}
