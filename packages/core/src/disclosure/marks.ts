// Every mark that Skillful leaves in a conversation is written and read here, so that the two cannot drift apart.

import { escapeXml, unescapeXml } from '../text/neutral.ts';

/**
 * One thing in a conversation that can change which skills are active: words of the user, a result of one of the toolkit's
 * own tools, or a decision of the application.
 *
 * An adapter passes nothing else, so a tag in a user's words, a file or the result of another tool never activates a skill.
 */
export type ConversationItem =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'result'; readonly tool: string; readonly text: string };

/** A skill that is active in a conversation. */
export interface ActiveSkill {
  /** The name in the wrapper of its text: plain, or qualified if the skill was shadowed. */
  readonly name: string;
  /** The first eight digits of the SHA-256 of the disclosed `SKILL.md`; absent if nothing was disclosed yet. */
  readonly digest?: string | undefined;
  /** Arguments that it was activated with; absent if the application activated it or the model passed none. */
  readonly arguments?: string | undefined;
}

type Mark = 'activation' | 'pointer' | 'beginning' | 'ending';

/** Every mark, with the name, the digest and the arguments as its groups. */
const marks: Readonly<Record<Mark, RegExp>> = {
  activation: /^<skill_content name="([^"\n]+)" digest="([0-9a-f]{8})"(?: arguments="([^"\n]*)")?>\n/,
  pointer: /^<skill_active name="([^"\n]+)" digest="([0-9a-f]{8})" \/>/,
  beginning: /^<skill_active name="([^"\n]+)" \/>/,
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

/** Records that the application activates or deactivates a skill; `name` as in the skill's wrapper. */
export function writeDecision(name: string, decision: 'activate' | 'deactivate'): ConversationItem {
  return { kind: 'code', text: decision === 'activate' ? `<skill_active name="${name}" />` : writeEnding(name) };
}

/** Parses the first line of an activation. */
export function parseActivation(text: string): ActiveSkill | undefined {
  return parseMark('activation', text);
}

/** Parses an activation whose text is complete: a framework may have cut it. */
export function parseWholeActivation(text: string): ActiveSkill | undefined {
  return text.includes(closing) ? parseActivation(text) : undefined;
}

/** Parses the answer to an activation of what was in context already. */
export function parsePointer(text: string): ActiveSkill | undefined {
  return parseMark('pointer', text);
}

/** Parses the application's decision to activate a skill. */
export function parseBeginning(text: string): ActiveSkill | undefined {
  return parseMark('beginning', text);
}

/** Parses the answer to a deactivation, or the application's decision to deactivate a skill. */
export function parseEnding(text: string): ActiveSkill | undefined {
  return parseMark('ending', text);
}

/** Cuts a text to the mark at its start, if that is one of the expected ones. */
export function cutToMark(text: string, expected: readonly Mark[]): string | undefined {
  return expected.map((mark) => marks[mark].exec(text)?.[0]).find((found) => found !== undefined);
}

function parseMark(mark: Mark, text: string): ActiveSkill | undefined {
  const [, name, digest, written] = marks[mark].exec(text) ?? [];
  if (name === undefined) return undefined;
  const given = written === undefined ? undefined : parseArguments(written);
  return { name, digest, ...(given === undefined ? {} : { arguments: given }) };
}

/**
 * Shortens a digest to the eight digits that a model and the ledger see, half the tokens of sixteen.
 *
 * They distinguish versions of one file, which collide once in four billion; nothing is trusted because of them.
 */
export function shortDigest(digest: string): string {
  const start = 'sha256:'.length;
  return digest.slice(start, start + 8);
}

/** Limit for arguments in the wrapper, whose first line frameworks keep. */
const longestArguments = 2_000;

/** Writes arguments for the first line of a wrapper; an empty string if there are none or they are too long. */
function writeArguments(text: string): string {
  const written = escapeXml(JSON.stringify(text).slice(1, -1));
  return text === '' || written.length > longestArguments ? '' : ` arguments="${written}"`;
}

function parseArguments(written: string): string | undefined {
  try {
    return String(JSON.parse(`"${unescapeXml(written)}"`));
  } catch {
    return undefined;
  }
}

/** Checks whether two activations of a skill have the same arguments. */
export function sameArguments(one: ActiveSkill, other: ActiveSkill): boolean {
  return (one.arguments ?? '') === (other.arguments ?? '');
}
