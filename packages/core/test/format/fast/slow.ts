// Reads frontmatter the slow way, which the fast reader has to equal.

import fc from 'fast-check';
import { expect } from 'vitest';
import { parseFast } from '../../../src/format/fast/frontmatter.ts';
import { parseFieldsApart } from '../../../src/format/frontmatter/fields-apart.ts';
import { parseYaml } from '../../../src/format/frontmatter/yaml.ts';
import type { FrontmatterFields } from '../../../src/format/repair.ts';

/** Reads a text by `yaml`, and field by field if `yaml` refuses the whole. */
export function parseSlowly(text: string): FrontmatterFields | undefined {
  const result = parseYaml(text, 2);
  if (!('problem' in result)) return { ...result, repairs: [] };
  return result.problem.code === 'yaml-invalid' ? parseFieldsApart(text, 2) : undefined;
}

/** Compares both readers and counts the texts that the fast one read without and with repairs. */
export function compareReaders(texts: fc.Arbitrary<string>, runs: number): { clean: number; repaired: number } {
  const counts = { clean: 0, repaired: 0 };
  fc.assert(
    fc.property(texts, (text) => {
      const fast = parseFast(text, 2);
      if (fast === undefined) return;
      counts[fast.repairs.length === 0 ? 'clean' : 'repaired'] += 1;
      expect(fast).toEqual(parseSlowly(text));
    }),
    { numRuns: runs },
  );
  return counts;
}
