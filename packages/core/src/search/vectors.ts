// Embeds skills and queries, and caches the vectors of skills by the digest of their text.

import { digestBytes } from '../runtime/digest.ts';
import { createTurn } from '../runtime/turns.ts';
import type { Skill } from '../skill/skill.ts';

export interface EmbedOptions {
  /** Some models embed questions differently from answers. */
  readonly kind: 'skills' | 'query';
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into vectors of the same length, in the same order. */
export type Embed = (texts: readonly string[], options: EmbedOptions) => Promise<readonly ArrayLike<number>[]>;

/** Stores vectors by the digest of their text: a `Map`, or a store of the application. Use one for each model. */
export interface VectorCache {
  get(digest: string): ArrayLike<number> | undefined;
  set(digest: string, vector: ArrayLike<number>): unknown;
}

const batchSize = 96;

/** Characters of a text that are embedded; models read at most a few hundred words. */
const maxText = 2_000;

/** Embeds the skills that are not in the cache, and returns the vectors of all skills, each of length 1. */
export async function embedSkills(
  skills: readonly Skill[],
  embed: Embed,
  cache: VectorCache,
): Promise<readonly Float32Array[]> {
  const texts = skills.map(({ name, description, properties: { whenToUse = '' } }) =>
    `${name.replaceAll(/[-_]/gu, ' ')}: ${description} ${whenToUse}`.trim().slice(0, maxText),
  );
  const encoder = new TextEncoder();
  const turn = createTurn();
  const digests: string[] = [];
  const unknown = new Map<string, string>();
  for (const text of texts) {
    await turn(undefined);
    const digest = await digestBytes(encoder.encode(text));
    digests.push(digest);
    if (cache.get(digest) === undefined) unknown.set(digest, text);
  }
  const wanted = [...unknown];
  for (let from = 0; from < wanted.length; from += batchSize) {
    const batch = wanted.slice(from, from + batchSize);
    const embedded = batch.map(([, text]) => text);
    const found = await embed(embedded, { kind: 'skills' });
    batch.forEach(([digest], index) => {
      cache.set(digest, unitVector(found[index]));
    });
  }
  return digests.map((digest) => unitVector(cache.get(digest)));
}

/** Embeds queries, and returns a vector of length 1 for each. */
export async function embedQueries(
  queries: readonly string[],
  embed: Embed,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const texts = queries.map((query) => query.slice(0, maxText));
  const vectors = await embed(texts, { kind: 'query', signal });
  return texts.map((_, index) => unitVector(vectors[index]));
}

/** Returns the cosine of the angle between two vectors of length 1. */
export function similarity(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function unitVector(vector: ArrayLike<number> | undefined): Float32Array {
  if (vector === undefined || vector.length === 0) throw new Error('The embedder returned fewer vectors than texts.');
  const numbers = Float32Array.from(vector);
  const length = Math.hypot(...numbers);
  if (!Number.isFinite(length)) throw new Error('The embedder returned a vector that is not made of numbers.');
  return length === 0 ? numbers : numbers.map((number) => number / length);
}
