import { describe, expect, it } from 'vitest';
import { remember } from '../../src/format/remember.ts';

function countCalls(): { readonly ask: (text: string) => string | undefined; readonly asked: string[] } {
  const asked: string[] = [];
  const ask = remember((text) => {
    asked.push(text);
    return text === 'unknown' ? undefined : text.toUpperCase();
  });
  return { ask, asked };
}

describe('remember', () => {
  it('works each answer out once, also one that is undefined', () => {
    const { ask, asked } = countCalls();
    expect([ask('a'), ask('unknown'), ask('a'), ask('unknown')]).toEqual(['A', undefined, 'A', undefined]);
    expect(asked).toEqual(['a', 'unknown']);
  });

  it('keeps no long text and at most 1,000 others', () => {
    const { ask, asked } = countCalls();
    const [short, long] = ['k'.repeat(64), 'k'.repeat(65)];
    for (const text of [short, short, long, long]) ask(text);
    expect(asked).toEqual([short, long, long]);
    for (let n = 0; n < 1000; n += 1) ask(`key-${n}`);
    asked.length = 0;
    ask('key-999');
    ask(short);
    expect(asked).toEqual([short]);
  });
});
