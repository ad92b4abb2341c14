// Proves over the corpus that the fast reader returns what `yaml` and a reading field by field return, and measures both.

import { isDeepStrictEqual } from 'node:util';
import { createDiagnosticLog } from '../../packages/core/src/diagnostics/log.ts';
import { parseFast } from '../../packages/core/src/format/fast/frontmatter.ts';
import { findFences } from '../../packages/core/src/format/fences/fence.ts';
import { parseFieldsApart } from '../../packages/core/src/format/frontmatter/fields-apart.ts';
import { parseYaml } from '../../packages/core/src/format/frontmatter/yaml.ts';
import type { FrontmatterFields } from '../../packages/core/src/format/repair.ts';
import { readCorpus } from '../corpus.ts';

function parseSlowly(text: string): FrontmatterFields | undefined {
  const result = parseYaml(text, 2);
  if (!('problem' in result)) return { ...result, repairs: [] };
  return result.problem.code === 'yaml-invalid' ? parseFieldsApart(text, 2) : undefined;
}

/** Microseconds of processor for each text: the best of a few rounds, so that other programs disturb less. */
function cost(texts: readonly string[], parse: (text: string) => unknown): string {
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (const text of texts) parse(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / texts.length;
  });
  return Math.min(...rounds).toFixed(1);
}

const groups = { clean: [] as string[], repaired: [] as string[], 'left to yaml': [] as string[] };
const different: string[] = [];
for (const { id, content } of readCorpus() ?? process.exit(1)) {
  const bytes = new TextEncoder().encode(content);
  const fences = findFences(bytes, true, createDiagnosticLog({ location: id }, 'lenient'));
  if (fences === undefined || fences === 'needs-more') continue;
  const text = new TextDecoder().decode(bytes.subarray(fences.start, fences.end)).replaceAll(/\r\n?/g, '\n');
  const fast = parseFast(text, 2);
  groups[fast === undefined ? 'left to yaml' : fast.repairs.length === 0 ? 'clean' : 'repaired'].push(text);
  if (fast !== undefined && !isDeepStrictEqual(fast, parseSlowly(text))) different.push(id);
}
for (const [name, texts] of Object.entries(groups)) {
  const [fast, slow] = [parseFast, parseSlowly].map((parse) => cost(texts, (text) => parse(text, 2)));
  console.log(`${texts.length} ${name}: ${fast} µs by the fast reader, ${slow} µs without it`);
}
console.log(`${different.length} read differently${different.map((id) => `\n  ${id}`).join('')}`);
process.exitCode = different.length === 0 ? 0 : 1;
