// Reads the one flag of Codex's `agents/openai.yaml` that Skillful honours: whether the model may activate the skill.

import type { DiagnosticLog } from '../../diagnostics/log.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import { findControlCharacter } from '../../text/invisible.ts';
import { withLineFeeds } from '../../text/lines.ts';
import { addField, collectRestrictions } from '../properties/restrictions.ts';
import { findStraySwitches } from '../properties/stray-switches.ts';
import { parseStrictly } from './strictly.ts';

/**
 * Checks whether the sidecar forbids the model to activate the skill. Codex ignores a file that is not valid YAML; here its lines
 * still count. A file that cannot be read forbids it.
 */
export function forbidsModelInvocation(sidecar: Uint8Array | string, log: DiagnosticLog): boolean {
  const bytes = typeof sidecar === 'string' ? new Uint8Array() : sidecar;
  const text = withLineFeeds(new TextDecoder().decode(bytes));
  const unread = typeof sidecar === 'string' ? sidecar : findUnread(bytes, text);
  if (unread !== undefined) {
    log.report('sidecar-invalid', undefined, { reason: unread, effect: 'only users can activate the skill' });
    return true;
  }
  const result = parseStrictly(text, 1);
  const fields = 'problem' in result ? [] : result.fields;
  const strays = findStraySwitches(text, { firstLine: 1 }, fields);
  const silent = { ...log, report: () => {} };
  const found = collectRestrictions(strays, new Set(), silent);
  for (const field of fields) addField(field, found);
  const forbids = found.names.has('disable-model-invocation');
  const effect = forbids ? 'a line of it forbids models to activate the skill' : 'it was ignored';
  if ('problem' in result) {
    const { subject, code } = result.problem;
    log.report('sidecar-invalid', undefined, { reason: subject || code, effect });
  }
  return forbids;
}

function findUnread(bytes: Uint8Array, text: string): string | undefined {
  if (bytes.length > maxFrontmatterBytes) return `it has more than ${maxFrontmatterBytes} bytes`;
  return findControlCharacter(text) === undefined ? undefined : 'it contains control characters';
}
