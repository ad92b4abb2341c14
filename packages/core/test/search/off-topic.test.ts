import { describe, expect, it } from 'vitest';
import { closenessFrom, offTopicQuestions } from '../../src/extending.ts';

describe('closenessFrom', () => {
  it('counts standard deviations above what questions about other things reach', () => {
    const closenessOf = closenessFrom([0.1, 0.3]);
    expect(closenessOf(0.4)).toBeCloseTo(2);
    expect(closenessOf(0.1)).toBeCloseTo(-1);
  });

  it('is exact to 0.01 if all questions are equally close', () => {
    expect(closenessFrom(offTopicQuestions.map(() => 0.5))(0.52)).toBeCloseTo(2);
  });

  it('knows nothing if nothing was compared', () => {
    expect(closenessFrom([])(1)).toBeUndefined();
  });
});
