// Tier 2 in words: the wrapper of a skill's instructions, which nothing inside can close, and what stands for it later.

import { maxNameLength } from '../skill/limits.ts';
import { checkResourcePath, isPathFor } from '../skill/paths.ts';
import type { SkillFileListing } from '../skill/source.ts';
import { escapeField, escapeWrapperTags, isWord, oneLine, shortLine, writeName } from '../text/neutral.ts';
import { outlineMarkdown, splitLines } from '../text/outline.ts';
import { endOfCharacter } from '../text/page.ts';
import { escapeLine } from './entry.ts';
import { writeActivation, writeEnding, writePointer } from './marks.ts';

/** What the wrapper of an activation is made of. */
export interface ActivationParts {
  /** As it is to stand in the wrapper, escaped. */
  readonly name: string;
  /** What it was activated with; empty where nothing was. */
  readonly arguments: string;
  readonly body: string;
  /** Gives the line of the file at which the body begins, from 1; asked only where the body is cut. */
  readonly findBodyLine: () => number;
  /** SHA-256 of the file; its first eight digits are shown. */
  readonly digest: string;
  readonly directory: string;
  readonly resources: SkillFileListing;
  /** Name of the tool that reads on where a body is cut; without it no tool is mentioned. */
  readonly readTool?: string | undefined;
  /** Characters of the body at most; a longer one is cut at the end of a line and its outline says what follows. */
  readonly limit: number;
}

/** The files that a wrapper lists at most. */
const maxListedFiles = 100;

/** The headings that an outline lists at most. */
const maxOutline = 100;

/**
 * Renders a skill's instructions in a wrapper that carries name, digest and directory and lists the bundled files.
 *
 * Tags of the wrapper inside the body lose their `<`, so that a body cannot close its own wrapper or open another.
 */
export function renderActivation(parts: ActivationParts): string {
  const { name, digest, directory, resources } = parts;
  const lines = [...renderBody(parts), '', ...renderFiles(escapeField(directory), resources)];
  return writeActivation(name, digest, parts.arguments, lines);
}

function renderBody({ name, body, findBodyLine, limit, readTool }: ActivationParts): readonly string[] {
  if (body.length <= limit) return [escapeWrapperTags(body)];
  const bodyLine = findBodyLine();
  const lines = splitLines(body);
  const kept = countLinesWithin(lines, limit);
  const [first = ''] = lines;
  const character = kept === 0 ? endOfCharacter(first, limit) : 0;
  const shown = kept === 0 ? first.slice(0, character) : lines.slice(0, kept).join('\n');
  const next = bodyLine + kept;
  const following = outlineMarkdown(body).filter((section) => section.start > kept);
  const outline = following
    .slice(0, maxOutline)
    .map(
      ({ level, title, start }) => `${'  '.repeat(level - 1)}- line ${start - 1 + bodyLine}: ${shortLine(title, 200)}`,
    );
  const place = `"line": ${next}${kept === 0 ? `, "character": ${character}` : ''}`;
  const how =
    readTool === undefined
      ? 'Read the rest'
      : `Read the rest with ${readTool} { "skill": "${name}", "path": "SKILL.md", ${place} }`;
  const what = kept === 0 ? `This is the beginning of line ${bodyLine}` : `These are lines ${bodyLine} to ${next - 1}`;
  return [
    escapeWrapperTags(shown),
    '',
    `[${what} of ${bodyLine + lines.length - 1}. ${how} before you rely on it.]`,
    ...(outline.length === 0 ? [] : ['What follows:', ...outline.map(escapeWrapperTags)]),
  ];
}

function countLinesWithin(lines: readonly string[], limit: number): number {
  let characters = 0;
  const over = lines.findIndex((line) => {
    characters += line.length + 1;
    return characters > limit;
  });
  return over === -1 ? lines.length : over;
}

/**
 * Checks whether a model can be shown the path of a bundled file as it is, and may ask for the file by it.
 *
 * Other files are left out of the text and counted there.
 */
export function isShowable(path: string): boolean {
  return (
    oneLine(path) === path && escapeLine(path) === path && !path.includes('>') && isPathFor(checkResourcePath, path)
  );
}

/** One line a file; its size comes first, so that no path can be taken for another line. */
function renderFiles(directory: string, { files, truncated }: SkillFileListing): readonly string[] {
  if (files.length === 0) return [`Directory: ${directory}`];
  const listed = files.filter(({ path }) => isShowable(path)).slice(0, maxListedFiles);
  const unlisted = files.length - listed.length;
  const more = unlisted > 0 && !truncated ? `and ${unlisted} more files` : 'and more files';
  return [
    `Bytes and files in ${directory}:`,
    ...listed.map(({ path, bytes }) => `${bytes} ${path}`),
    ...(unlisted > 0 || truncated ? [more] : []),
  ];
}

/** Renders the answer to an activation of what is in context already, by its short digest: about 25 tokens. */
export function renderPointer(name: string, digest: string): string {
  return `${writePointer(name, digest)}\nAlready active: follow it.`;
}

/** Renders the answer to a deactivation, and what stands for the instructions from the next model call on. */
export function renderInactive(name: string): string {
  return `${writeEnding(name)}\nNo longer active: its instructions have left the context.`;
}

/** Renders the answer to a deactivation of what the application decided. */
export function renderDecided(name: string): string {
  return `${writeName(name)} was activated by the application and stays active.`;
}

/** Renders what stands for a text of a skill whose instructions are given elsewhere. */
export function renderSuperseded(name: string): string {
  return `The instructions of ${writeName(name)} are elsewhere in this conversation.`;
}

/** What of the active skills is missing in a conversation. */
export interface AttachmentParts {
  readonly texts: readonly string[];
  /** Names of the active skills that there was no room for, escaped. */
  readonly leftOut: readonly string[];
  /** Names of the active skills that can no longer be read, escaped; the catalog may know nothing of them. */
  readonly unreadable: readonly string[];
  readonly activateTool: string | undefined;
}

/** Renders the active skills that a model would otherwise miss, and names those that it misses still. */
export function renderAttachment({ texts, leftOut, unreadable, activateTool }: AttachmentParts): string {
  const again = activateTool === undefined ? '' : ` Call ${activateTool} to get one again.`;
  return [
    ...(texts.length === 0 ? [] : ['Active skills in this conversation. Follow their instructions:', ...texts]),
    ...(leftOut.length === 0 ? [] : [`Also active, but left out for length: ${writeNames(leftOut)}.${again}`]),
    ...(unreadable.length === 0 ? [] : [`No longer available: ${writeUnknown(unreadable)}.`]),
  ].join('\n\n');
}

/** The skills that an attachment names at most. */
const maxNamed = 100;

function writeNames(names: readonly string[]): string {
  return countRest(names.slice(0, maxNamed).map(writeName), names.length);
}

/** The names at most that may be anybody's words, for the catalog does not know them. */
const maxUnknown = 10;

/** A client that sends the conversation may have made such names up, and this stands where the application speaks. */
function writeUnknown(names: readonly string[]): string {
  const words = names.filter((name) => isWord(name) && name.length <= maxNameLength);
  return countRest(words.slice(0, maxUnknown), names.length);
}

function countRest(named: readonly string[], total: number): string {
  const rest = total - named.length;
  if (rest === 0) return named.join(', ');
  return named.length === 0 ? `${rest} ${rest === 1 ? 'skill' : 'skills'}` : `${named.join(', ')} and ${rest} more`;
}
