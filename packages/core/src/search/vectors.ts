// Embeds skills and queries, and caches the vectors of skills by the digest of their text.

import { digestBytes } from '../runtime/digest.ts';
import { createTurn } from '../runtime/turns.ts';
import { invalidOption } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import { purposeOf } from './purpose.ts';

export interface EmbedOptions {
  /** Some models embed questions differently from answers. */
  readonly kind: 'skills' | 'query';
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into vectors of the same length, in the same order. */
export type Embed = (texts: readonly string[], options: EmbedOptions) => Promise<readonly ArrayLike<number>[]>;

/**
 * Stores vectors by the digest of their text: a `Map`, or a store of the application. Use one for each model. A failure of `set` is
 * ignored, because the search has the vector.
 */
export interface VectorCache {
  get(digest: string): ArrayLike<number> | null | undefined;
  set(digest: string, vector: ArrayLike<number>): unknown;
}

/** Texts in one call of `embed`. Some providers take no more. */
const batchSize = 96;

/** Characters of a text that are embedded; models read at most a few hundred words. */
const maxText = 2_000;

/**
 * Returns the text from which the vector of a query is computed or, with a name, that of a skill with this purpose: at most 2,000
 * characters, without half characters.
 */
export function embeddedText(text: string, name?: string): string {
  const whole = name === undefined ? text : `${name.replaceAll(/[-_]/gu, ' ')}: ${text}`;
  return whole.slice(0, maxText).toWellFormed();
}

/** Embeds the skills that are not in the cache, and returns the vectors of all skills, each of length 1. */
export async function embedSkills(
  skills: readonly Skill[],
  embed: Embed,
  cache: VectorCache,
): Promise<readonly Float32Array[]> {
  const texts = skills.map((skill) => embeddedText(purposeOf(skill), skill.name));
  const encoder = new TextEncoder();
  const turn = createTurn();
  const digests: string[] = [];
  // Not read from the cache again, which may forget vectors.
  const known = new Map<string, Float32Array>();
  const unknown = new Map<string, string>();
  for (const text of texts) {
    await turn(undefined);
    const digest = await digestBytes(encoder.encode(text));
    digests.push(digest);
    const cached = cache.get(digest) ?? undefined;
    if (cached === undefined) unknown.set(digest, text);
    else known.set(digest, unitVector(checkVector(cached, '`vectors`')));
  }
  const wanted = [...unknown];
  for (let from = 0; from < wanted.length; from += batchSize) {
    const batch = wanted.slice(from, from + batchSize);
    const embedded = batch.map(([, text]) => text);
    const found = checkVectors(await embed(embedded, { kind: 'skills' }), batch.length).map(unitVector);
    batch.forEach(([digest], index) => {
      const vector = found[index] ?? new Float32Array();
      known.set(digest, vector);
      // If the cache fails, the vector is only computed again later.
      void Promise.resolve(vector)
        .then((kept) => cache.set(digest, kept))
        .catch(() => {});
    });
  }
  return digests.map((digest) => known.get(digest) ?? new Float32Array());
}

/** Embeds queries, and returns a vector of length 1 for each. */
export async function embedQueries(
  queries: readonly string[],
  embed: Embed,
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const texts = queries.map((query) => embeddedText(query));
  return checkVectors(await embed(texts, { kind: 'query', signal }), texts.length).map(unitVector);
}

/**
 * Checks what an embedder has returned for a number of texts, and copies it.
 *
 * @throws {SkillError} `options-invalid` if it is not one vector for each text
 */
export function checkVectors(vectors: readonly ArrayLike<number>[], texts: number): readonly Float32Array[] {
  if (!Array.isArray(vectors)) throw invalidOption('`embed` returned no list of vectors.');
  const { length } = vectors;
  if (length === texts) return Array.from(vectors, (vector) => checkVector(vector, '`embed`'));
  throw invalidOption(`\`embed\` returned ${length} vectors; expected ${texts}, one for each text.`);
}

function checkVector(vector: ArrayLike<number>, origin: string): Float32Array {
  const isList = typeof vector === 'object' && vector !== null;
  const numbers = Float32Array.from(isList ? vector : [], (value) => (typeof value === 'number' ? value : Number.NaN));
  if (numbers.length > 0 && numbers.every(Number.isFinite)) return numbers;
  throw invalidOption(`${origin} returned a vector that is not a list of finite numbers.`);
}

/** Returns the cosine of the angle between two vectors of length 1. */
export function similarity(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) {
    const message = `Vectors of ${one.length} and ${other.length} numbers cannot be compared.`;
    throw invalidOption(`${message} Use one model for all texts, and its own \`vectors\` for each model.`);
  }
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(similarity(vector, vector));
  return length === 0 ? vector : vector.map((number) => number / length);
}
