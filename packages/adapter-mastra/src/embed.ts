// Lets `hybridIndex` use an embedding model of Mastra: of its router, or of a provider.

import type { Embed } from '@skillful/core';

/** What Mastra's embedding models have in common, whatever version of the provider interface they implement. */
export interface EmbeddingModel {
  doEmbed(call: {
    values: string[];
    abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
  /** Most texts of one call. */
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
}

/** Creates the embedder of a model, for `hybridIndex`. */
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
