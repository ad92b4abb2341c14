// Every mark that Skillful leaves in a conversation is written and read here, so that the two cannot drift apart.

import { escapeXml, unescapeXml } from '../text/neutral.ts';
import { forgottenArguments } from './answers.ts';

/** What a mark says. */
export interface ParsedMark {
  /** The name in the wrapper, escaped. */
  readonly name: string;
  /** The first eight digits of a SHA-256. A client may have made it up. */
  readonly digest?: string | undefined;
  /** Arguments that the skill was activated with; absent if there were none. */
  readonly arguments?: string | undefined;
}

/** Every mark, with the name, the digest and the arguments as its groups. */
const marks: Readonly<Record<'activation' | 'pointer' | 'ending', RegExp>> = {
  activation: /^<skill_content name="([^"\n]+)" digest="([0-9a-f]{8})"(?: arguments="([^"\n]*)")?>\n/,
  pointer: /^<skill_active name="([^"\n]+)" digest="([0-9a-f]{8})" \/>/,
  ending: /^<skill_inactive name="([^"\n]+)" \/>/,
};
const closing = '\n</skill_content>';

/** Wraps the instructions of a skill; `name` is escaped already, and the lines cannot close the wrapper. */
export function writeActivation(name: string, digest: string, given: string, lines: readonly string[]): string {
  const opening = `<skill_content name="${name}" digest="${shortDigest(digest)}"${writeArguments(given)}>`;
  return `${[opening, ...lines].join('\n')}${closing}`;
}

/** Marks that the instructions of a skill are in context already; `digest` is short. */
export function writePointer(name: string, digest: string): string {
  return `<skill_active name="${name}" digest="${digest}" />`;
}

/** Marks that a skill is no longer active. */
export function writeEnding(name: string): string {
  return `<skill_inactive name="${name}" />`;
}

/** Parses the first line of a result: how it marks an activation, a pointer to one, or an ending. */
export function parseMark(mark: keyof typeof marks, text: string): ParsedMark | undefined {
  const [, name, digest, written] = marks[mark].exec(text) ?? [];
  if (name === undefined) return undefined;
  const given = written === undefined ? undefined : parseArguments(written);
  return { name, digest, ...(given === undefined ? {} : { arguments: given }) };
}

/**
 * Shortens a digest to the eight digits that a model sees, half the tokens of sixteen.
 *
 * They distinguish versions of one file, which collide once in four billion; nothing is trusted because of them.
 */
export function shortDigest(digest: string): string {
  const start = 'sha256:'.length;
  return digest.slice(start, start + 8);
}

/** Limit for arguments in the wrapper, whose first line frameworks keep. */
const longestArguments = 2_000;

/** Writes arguments for the first line of a wrapper; an empty string if there are none. */
function writeArguments(text: string): string {
  if (text === '') return '';
  // Escaping makes no text shorter, and some texts seven times as long.
  const written = text.length > longestArguments ? text : escapeXml(JSON.stringify(text).slice(1, -1));
  return ` arguments="${written.length > longestArguments ? forgottenArguments : written}"`;
}

function parseArguments(written: string): string | undefined {
  try {
    return String(JSON.parse(`"${unescapeXml(written)}"`));
  } catch {
    return undefined;
  }
}
