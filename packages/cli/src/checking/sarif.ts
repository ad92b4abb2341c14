// Turns findings into a log for code scanning services.

import type { Diagnostic } from '@skillful/core';
import { type SarifLog, toSarif } from '@skillful/core/authoring';
import { readVersion } from '../version.ts';

/** Creates the log of this version of the command. */
export function createLog(diagnostics: readonly Diagnostic[]): SarifLog {
  return toSarif(diagnostics, { version: readVersion() });
}
