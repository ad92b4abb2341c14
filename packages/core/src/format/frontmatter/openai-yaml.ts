// Reads the one flag of Codex's `agents/openai.yaml` that is honoured: whether the model may activate the skill by itself.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import { parseFast } from '../fast/frontmatter.ts';
import { restricts } from '../properties/switches.ts';
import type { FrontmatterEntry } from '../tree.ts';
import { parseYaml } from './yaml.ts';

/** Checks whether the file forbids activation by the model. One that cannot be read forbids nothing, as in Codex. */
export function forbidsModelInvocation(bytes: Uint8Array, log: DiagnosticLog): boolean {
  if (bytes.length > maxFrontmatterBytes) {
    log.report('sidecar-invalid', undefined, { reason: `it has more than ${maxFrontmatterBytes} bytes` });
    return false;
  }
  const text = new TextDecoder('utf-8').decode(bytes).replaceAll(/\r\n?/g, '\n');
  const policy = parseFields(text, log).find(({ key }) => key === 'policy')?.value;
  return policy?.kind === 'map' && policy.entries.some((entry) => restricts(entry) === 'disable-model-invocation');
}

function parseFields(text: string, log: DiagnosticLog): readonly FrontmatterEntry[] {
  const fast = parseFast(text, 1);
  if (fast?.repairs.length === 0) return fast.fields;
  const result = parseYaml(text, 1);
  if (!('problem' in result)) return result.fields;
  log.report('sidecar-invalid', undefined, { reason: result.problem.subject || result.problem.code });
  return [];
}
