// A session of forty turns, and how much of each prompt a provider's cache would still have from the call before.

import type { Act, Contender, ModelCall, Segment } from './contender.ts';
import { countTokens } from './tokens.ts';

/** The number of turns. */
export const cacheTurns = 40;

/** Turns before which a user names a skill, the application activates one, and the conversation is shortened. */
const named: ReadonlyMap<number, string> = new Map([
  [5, 'csv-report'],
  [12, 'release-notes'],
]);
const decidedAt = 20;
const decided = 'api-design-review';
const shortenedAt = 30;

/** What a cache of prefixes could save in the session. */
export interface CacheFigures {
  readonly contender: Contender;
  /** Tokens of all prompts. */
  readonly prompt: number;
  /** Tokens with which a prompt begins exactly as the one before. */
  readonly cached: number;
  /** Calls in which the prompt before was not kept whole; the one after the shortening cannot keep it. */
  readonly breaks: number;
  /** Tokens of the prompts before that these calls did not begin with. */
  readonly lost: number;
}

/**
 * Holds the session. In a library with mentions, a user's `/name` activates a skill; in the others the model calls the tool for
 * it. Code activates a third skill if the library has a way to do it.
 */
export async function measureCache(contender: Contender, directory: string): Promise<CacheFigures> {
  const conversation = await contender.open({ directory, compaction: false });
  const calls: ModelCall[] = [];
  for (let turn = 0; turn < cacheTurns; turn += 1) {
    if (turn === decidedAt) await conversation.activate?.(decided);
    if (turn === shortenedAt) await conversation.shorten();
    const skill = named.get(turn);
    const user = skill === undefined ? `Look entry ${turn} up.` : `/${skill} entry ${turn}`;
    const asks = skill !== undefined && conversation.activate === undefined && contender.library !== 'no skills';
    const found: readonly Act[] = asks ? [{ find: skill.replace('-', ' ') }, { activate: skill }] : [];
    const acts = [...found, { lookup: `entry ${turn}` }, { say: `Entry ${turn} is of no importance.` }];
    calls.push(...(await conversation.say(user, acts)));
  }
  return { contender, ...compare(calls) };
}

function compare(calls: readonly ModelCall[]): Omit<CacheFigures, 'contender'> {
  const figures = { prompt: 0, cached: 0, breaks: 0, lost: 0 };
  calls.forEach((call, index) => {
    const before = calls[index - 1] ?? [];
    const first = before.findIndex((segment, at) => !isEqual(segment, call[at]));
    const kept = first === -1 ? before : before.slice(0, first);
    figures.prompt += tokensOf(call);
    figures.cached += tokensOf(kept);
    figures.breaks += first === -1 ? 0 : 1;
    figures.lost += tokensOf(before) - tokensOf(kept);
  });
  return figures;
}

function isEqual(one: Segment, other: Segment | undefined): boolean {
  return one.kind === other?.kind && one.text === other.text;
}

function tokensOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { text }) => sum + countTokens(text), 0);
}
