import { Embeddings } from '@langchain/core/embeddings';
import { describe, expect, it } from 'vitest';
import { embedWith } from '../src/index.ts';

class Lengths extends Embeddings {
  async embedDocuments(texts: string[]) {
    return texts.map((text) => [text.length, 0]);
  }
  async embedQuery(text: string) {
    return [text.length, 1];
  }
}

describe('embedWith', () => {
  it('embeds skills as documents and a query as a query', async () => {
    const embed = embedWith(new Lengths({}));
    expect(await embed(['a', 'bb'], { kind: 'skills' })).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(await embed(['ccc'], { kind: 'query' })).toEqual([[3, 1]]);
  });
});
