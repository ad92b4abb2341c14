// Lets `hybridIndex` use an embedding model of the AI SDK.

import type { Embed } from '@skillful/core';
import type { EmbeddingModel } from 'ai';

/** Creates the embedder of an embedding model, for `hybridIndex`. */
export function embedWith(model: EmbeddingModel): Embed {
  return async (texts, { signal }) => {
    // Loaded with the first text, so that who does not search by meaning loads nothing of it.
    const { embedMany } = await import('ai');
    const { embeddings } = await embedMany({ model, values: [...texts], ...(signal && { abortSignal: signal }) });
    return embeddings;
  };
}
