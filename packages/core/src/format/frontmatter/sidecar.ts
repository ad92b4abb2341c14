// Reads the one flag of `agents/openai.yaml` that is honoured: whether the model may activate the skill by itself.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import { parseFast } from '../fast/frontmatter.ts';
import type { FrontmatterEntry } from '../tree.ts';
import { parseYaml } from './yaml.ts';

/** Tells whether the sidecar forbids activation by the model. A sidecar that cannot be read forbids nothing, as in Codex. */
export function forbidsModelInvocation(bytes: Uint8Array, log: DiagnosticLog): boolean {
  if (bytes.length > maxFrontmatterBytes) {
    log.report('sidecar-invalid', undefined, { reason: `it has more than ${maxFrontmatterBytes} bytes` });
    return false;
  }
  const text = new TextDecoder('utf-8').decode(bytes).replaceAll(/\r\n?/g, '\n');
  const fields = readFields(text, log);
  const flag = entryOf(entryOf(fields, 'policy'), 'allow_implicit_invocation');
  return flag?.value.kind === 'scalar' && flag.value.data === false;
}

function readFields(text: string, log: DiagnosticLog): readonly FrontmatterEntry[] | undefined {
  const plain = parseFast(text, 1);
  if (plain?.repairs.length === 0) return plain.fields;
  const result = parseYaml(text, 1);
  if (!('problem' in result)) return result.fields;
  log.report('sidecar-invalid', undefined, { reason: result.problem.subject || result.problem.code });
  return undefined;
}

function entryOf(
  parent: readonly FrontmatterEntry[] | FrontmatterEntry | undefined,
  key: string,
): FrontmatterEntry | undefined {
  if (parent === undefined) return undefined;
  if ('key' in parent) return parent.value.kind === 'map' ? entryOf(parent.value.entries, key) : undefined;
  return parent.find((entry) => entry.key === key);
}
