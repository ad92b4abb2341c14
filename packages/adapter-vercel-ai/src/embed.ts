// Lets `hybridIndex` use an embedding model of the AI SDK.

import type { Embed } from '@skillful/core';
import { type EmbeddingModel, embedMany } from 'ai';

/** Creates the embedder of an embedding model, for `hybridIndex`. */
export function embedWith(model: EmbeddingModel): Embed {
  return async (texts, { signal }) => {
    const { embeddings } = await embedMany({ model, values: [...texts], ...(signal && { abortSignal: signal }) });
    return embeddings;
  };
}
