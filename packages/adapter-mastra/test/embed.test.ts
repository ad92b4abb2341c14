import type { ModelRouterEmbeddingModel } from '@mastra/core/llm';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type EmbeddingModel, embedWith } from '../src/index.ts';

describe('embedWith', () => {
  it('takes the models of Mastra', () => {
    expectTypeOf<ModelRouterEmbeddingModel>().toExtend<EmbeddingModel>();
  });

  it('returns the vectors of the model, in order, however few it embeds at once', async () => {
    const calls: (readonly string[])[] = [];
    const embed = embedWith({
      maxEmbeddingsPerCall: 2,
      async doEmbed({ values }) {
        calls.push(values);
        return { embeddings: values.map((value) => [value.length]) };
      },
    });
    expect(await embed(['a', 'bb', 'ccc'], { kind: 'skills' })).toEqual([[1], [2], [3]]);
    expect(calls).toEqual([['a', 'bb'], ['ccc']]);
  });
});
