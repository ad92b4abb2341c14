// Lets `hybridIndex` use an embedding model of the AI SDK.

import type { Embed } from '@skillful/core';
import type { EmbeddingModel } from 'ai';

/** Creates an embedder for `hybridIndex` from an embedding model of the AI SDK. */
export function embedWith(model: EmbeddingModel): Embed {
  return async (texts, { signal }) => {
    // Loaded when first needed, so that applications without search by meaning do not load it.
    const { embedMany } = await import('ai');
    const { embeddings } = await embedMany({ model, values: [...texts], ...(signal && { abortSignal: signal }) });
    return embeddings;
  };
}
