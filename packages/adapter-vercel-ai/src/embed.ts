// Lets `hybridIndex` use an embedding model of the AI SDK.

import type { Embed } from '@skillful/core';
import type { EmbeddingModel } from 'ai';

/** Creates the embedder of an embedding model, for `hybridIndex`. */
export function embedWith(model: EmbeddingModel): Embed {
  return async (texts, { signal }) => {
    // Loaded with the first text, so that an application without search by meaning does not load it.
    const { embedMany } = await import('ai');
    const { embeddings } = await embedMany({ model, values: [...texts], ...(signal && { abortSignal: signal }) });
    return embeddings;
  };
}
