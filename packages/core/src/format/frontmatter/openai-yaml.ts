// Reads the one flag of Codex's `agents/openai.yaml` that is honoured: whether the model may activate the skill by itself.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import { parseFast } from '../fast/frontmatter.ts';
import type { FrontmatterEntry } from '../tree.ts';
import { parseYaml } from './yaml.ts';

/** Checks whether the file forbids activation by the model. One that cannot be read forbids nothing, as in Codex. */
export function forbidsModelInvocation(bytes: Uint8Array, log: DiagnosticLog): boolean {
  if (bytes.length > maxFrontmatterBytes) {
    log.report('sidecar-invalid', undefined, { reason: `it has more than ${maxFrontmatterBytes} bytes` });
    return false;
  }
  const text = new TextDecoder('utf-8').decode(bytes).replaceAll(/\r\n?/g, '\n');
  const policy = entryOf(parseFields(text, log), 'policy')?.value;
  const flag = policy?.kind === 'map' ? entryOf(policy.entries, 'allow_implicit_invocation')?.value : undefined;
  return flag?.kind === 'scalar' && flag.data === false;
}

function parseFields(text: string, log: DiagnosticLog): readonly FrontmatterEntry[] {
  const fast = parseFast(text, 1);
  if (fast?.repairs.length === 0) return fast.fields;
  const result = parseYaml(text, 1);
  if (!('problem' in result)) return result.fields;
  log.report('sidecar-invalid', undefined, { reason: result.problem.subject || result.problem.code });
  return [];
}

function entryOf(entries: readonly FrontmatterEntry[], key: string): FrontmatterEntry | undefined {
  return entries.find((entry) => entry.key === key);
}
