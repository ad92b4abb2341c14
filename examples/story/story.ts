// Follows one example from a request to its answer: what skills do, and what the model is really given.

import type { OnSkillEvent, SkillEvent } from '@skillful/core';
import { listeners, type Turn } from '../stand-in/turn.ts';

/** What an example exports. */
export type Ask = (request: string, onEvent: OnSkillEvent) => Promise<string>;

/** The whole way from a request to its answer. */
export interface Story {
  readonly framework: string;
  readonly answer: string;
  /** What the toolkit reported. */
  readonly events: readonly SkillEvent[];
  /** What the stand-in received in each model call; empty with a real model. */
  readonly turns: readonly Turn[];
}

/** Lets an example answer a request, and follows it. */
export async function follow(framework: string, ask: Ask, request: string): Promise<Story> {
  const events: SkillEvent[] = [];
  const turns: Turn[] = [];
  const listen = (turn: Turn): void => void turns.push(turn);
  listeners.add(listen);
  try {
    const answer = await ask(request, (event) => void events.push(event));
    return { framework, answer, events, turns };
  } finally {
    listeners.delete(listen);
  }
}

/** Every text that the stand-in was given, by what it is: the system prompt of each call, and the results of its calls. */
export function textsOf({ turns }: Story): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [index, { system }] of turns.entries()) texts.set(`system prompt ${index + 1}`, system);
  for (const { tool, input, text } of turns.at(-1)?.results ?? []) texts.set(`${tool} ${JSON.stringify(input)}`, text);
  return texts;
}

/** Names the texts that differ between two stories, or that one of them lacks. */
export function findDifferences(stories: readonly Story[]): string[] {
  const all = stories.map(textsOf);
  const names = new Set(all.flatMap((texts) => [...texts.keys()]));
  return [...names].filter((name) => new Set(all.map((texts) => texts.get(name))).size > 1);
}
