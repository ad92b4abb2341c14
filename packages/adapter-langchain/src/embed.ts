// Lets `hybridIndex` use embeddings of LangChain.

import type { EmbeddingsInterface } from '@langchain/core/embeddings';
import type { Embed } from '@skillful/core';

/** Creates an embedder for `hybridIndex` from embeddings of LangChain. */
export function embedWith(embeddings: EmbeddingsInterface): Embed {
  return async (texts, { kind }) =>
    kind === 'query'
      ? Promise.all(texts.map((text) => embeddings.embedQuery(text)))
      : embeddings.embedDocuments([...texts]);
}
