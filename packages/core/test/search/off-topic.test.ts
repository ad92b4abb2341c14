import { describe, expect, it } from 'vitest';
import { closeFrom, offTopicQuestions } from '../../src/extending.ts';

describe('closeFrom', () => {
  it('is two standard deviations above what questions about other things reach', () => {
    expect(closeFrom([0.1, 0.3])).toBeCloseTo(0.4);
    expect(closeFrom(offTopicQuestions.map(() => 0.2))).toBeCloseTo(0.2);
  });

  it('lets nothing answer if nothing was compared', () => {
    expect(1 > closeFrom([])).toBe(false);
  });
});
