// Reads a text that has to be valid YAML, and spares the YAML parser what the fast reader knows.

import { parseFast } from '../fast/frontmatter.ts';
import type { FrontmatterResult } from '../tree.ts';
import { parseYaml } from './yaml.ts';

/** Returns what `parseYaml` returns. */
export function parseStrictly(text: string, firstLine: number): FrontmatterResult {
  const fast = parseFast(text, firstLine);
  return fast?.repairs.length === 0 ? fast : parseYaml(text, firstLine);
}
