import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseSkillHead } from '../../src/format/parse.ts';
import type { SkillProperties } from '../../src/skill/skill.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapAfter(work: () => unknown): { bytes: number; kept: unknown } {
  collect();
  const before = process.memoryUsage();
  const kept = work();
  collect();
  const after = process.memoryUsage();
  return { bytes: after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers, kept };
}

describe('what is kept of a skill', () => {
  it('does not refer to the file that it was read from', () => {
    const count = 2000;
    const comment = '# A comment that nobody keeps, over and over again.\n'.repeat(200);
    const read = (index: number): SkillProperties | undefined => {
      const text = `---\n${comment}name: skill-number-${index}\ndescription: A description of number ${index}\nmetadata:\n  author: somebody-with-a-long-name-${index}\nversion: [some-version-text-${index}]\n---\nbody`;
      return parseSkillHead(new TextEncoder().encode(text), { complete: true })?.properties;
    };
    // The first run pays for what is made once.
    read(-1);
    const { bytes, kept } = heapAfter(() => Array.from({ length: count }, (_, index) => read(index)));
    expect(kept).toHaveLength(count);
    // The files are 10 KiB each; what is kept of one is a handful of short texts and small objects.
    expect(bytes / count).toBeLessThan(2500);
  });
});
