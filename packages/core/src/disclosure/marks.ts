// Writes and reads every mark that Skillful leaves in a conversation, so that the two cannot drift apart.

import { parseJson } from '../runtime/record.ts';
import { escapeXml, unescapeXml } from '../text/neutral.ts';
import { forgottenArguments } from './answers.ts';

/** The content of a mark. */
export interface ParsedMark {
  /** The name in the wrapper, escaped. */
  readonly name: string;
  /** The first eight digits of a SHA-256. A client may have forged it. */
  readonly digest?: string | undefined;
  /** Arguments that the skill was activated with; absent if there were none. */
  readonly arguments?: string | undefined;
}

/** All marks, with the name, the digest and the arguments as groups. */
const marks: Readonly<Record<'activation' | 'pointer' | 'ending', RegExp>> = {
  activation: /^<skill_content name="([^"\n]+)" digest="([0-9a-f]{8})"(?: arguments="([^"\n]*)")?>\n/,
  pointer: /^<skill_active name="([^"\n]+)" digest="([0-9a-f]{8})" \/>/,
  ending: /^<skill_inactive name="([^"\n]+)" \/>/,
};
const closing = '\n</skill_content>';

/** Wraps the instructions of a skill. `name` must be escaped, and the lines must not be able to close the wrapper. */
export function writeActivation(name: string, digest: string, given: string, lines: readonly string[]): string {
  const opening = `<skill_content name="${name}" digest="${shortDigest(digest)}"${writeArguments(given)}>`;
  return `${[opening, ...lines].join('\n')}${closing}`;
}

/** Marks that the instructions of a skill are already in context. `digest` is a short digest. */
export function writePointer(name: string, digest: string): string {
  return `<skill_active name="${name}" digest="${digest}" />`;
}

/** Marks that a skill is no longer active. */
export function writeEnding(name: string): string {
  return `<skill_inactive name="${name}" />`;
}

/** Parses the first line of a result as the mark of an activation, of a pointer to one, or of an ending. */
export function parseMark(mark: keyof typeof marks, text: string): ParsedMark | undefined {
  const [, name, digest, written] = marks[mark].exec(text) ?? [];
  if (name === undefined) return undefined;
  const given = written === undefined ? undefined : parseArguments(written);
  return { name, digest, ...(given === undefined ? {} : { arguments: given }) };
}

/**
 * Shortens a digest to the eight digits that a model sees; sixteen would cost twice the tokens.
 *
 * They only distinguish versions of one file, with a chance of 1 in 4 billion for a collision. They are never a reason for trust.
 */
export function shortDigest(digest: string): string {
  const start = 'sha256:'.length;
  return digest.slice(start, start + 8);
}

/** Limit for arguments in the first line of a wrapper, which frameworks store. */
const longestArguments = 2_000;

/** Writes arguments for the first line of a wrapper; returns an empty string if there are none. */
function writeArguments(text: string): string {
  if (text === '') return '';
  // Escaping makes no text shorter, and some texts seven times as long, so a text over the limit is not escaped.
  const written = text.length > longestArguments ? text : escapeXml(JSON.stringify(text).slice(1, -1));
  return ` arguments="${written.length > longestArguments ? forgottenArguments : written}"`;
}

function parseArguments(written: string): string | undefined {
  const given = parseJson(`"${unescapeXml(written)}"`);
  return typeof given === 'string' ? given : undefined;
}
