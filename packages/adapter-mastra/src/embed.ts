// Lets `hybridIndex` use an embedding model of Mastra's router or of a provider.

import type { Embed } from '@skillful/core';

/** The common part of Mastra's embedding models, in all versions of the provider interface. */
export interface EmbeddingModel {
  doEmbed(call: {
    values: string[];
    abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
  /** The most texts per call. */
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
}

/** Creates an embedder for `hybridIndex` from an embedding model. */
export function embedWith(model: EmbeddingModel): Embed {
  return async (texts, { signal }) => {
    const atOnce = Math.max(1, (await model.maxEmbeddingsPerCall) ?? texts.length);
    const vectors: (readonly number[])[] = [];
    for (let from = 0; from < texts.length; from += atOnce) {
      const values = texts.slice(from, from + atOnce);
      const { embeddings } = await model.doEmbed({ values, ...(signal && { abortSignal: signal }) });
      vectors.push(...embeddings);
    }
    return vectors;
  };
}
