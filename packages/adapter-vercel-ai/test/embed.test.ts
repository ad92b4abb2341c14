import { MockEmbeddingModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { embedWith } from '../src/index.ts';

describe('embedWith', () => {
  it('returns the vectors of the model, in order, however few it embeds at once', async () => {
    const model = new MockEmbeddingModelV3({
      maxEmbeddingsPerCall: 2,
      doEmbed: async ({ values }) => ({ embeddings: values.map((value) => [value.length, 1]), warnings: [] }),
    });
    expect(await embedWith(model)(['a', 'bb', 'ccc'], { kind: 'skills' })).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('passes the signal on', async () => {
    const model = new MockEmbeddingModelV3({
      doEmbed: async ({ abortSignal }) => {
        abortSignal?.throwIfAborted();
        return { embeddings: [[1]], warnings: [] };
      },
    });
    const signal = AbortSignal.abort(new Error('Enough.'));
    await expect(embedWith(model)(['a'], { kind: 'query', signal })).rejects.toThrow('Enough.');
  });
});
