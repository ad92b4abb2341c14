// Reads a text that must be valid YAML, with the fast reader if that can.

import { parseFast } from '../fast/frontmatter.ts';
import type { FrontmatterResult } from '../tree.ts';
import { parseYaml } from './yaml.ts';

/** Returns the same as `parseYaml`. */
export function parseStrictly(text: string, firstLine: number): FrontmatterResult {
  const fast = parseFast(text, firstLine);
  return fast?.repairs.length === 0 ? fast : parseYaml(text, firstLine);
}
