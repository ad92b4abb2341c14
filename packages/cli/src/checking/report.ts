// Prints the result of a check: for people, for programs and for code scanning services.

import { relative } from 'node:path';
import type { Diagnostic, SkillProfile } from '@skillful/core';
import { toSarif } from '@skillful/core/authoring';
import type { CommandLine } from '../command-line.ts';
import { writeDiagnostic } from '../terminal/diagnostics.ts';
import { showPath, writeJson } from '../terminal/output.ts';
import { createStylist } from '../terminal/style.ts';
import { readVersion } from '../version.ts';
import type { CheckedSkill } from './check.ts';

/** The formats that a report can have. */
export const reportFormats = ['text', 'json', 'sarif'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** The result of a check. */
export interface Report {
  readonly skills: readonly CheckedSkill[];
  readonly ok: boolean;
  readonly profile: SkillProfile;
  /** The directory that paths in SARIF are relative to. */
  readonly directory: string;
}

/** Writes a report to standard output. */
export function writeReport(report: Report, format: ReportFormat, io: CommandLine): void {
  if (format === 'text') {
    writeText(report, io);
  } else if (format === 'json') {
    const { ok, profile } = report;
    const skills = report.skills.map(({ location, name, ok, diagnostics }) => ({ location, name, ok, diagnostics }));
    writeJson({ ok, profile, skills }, io);
  } else {
    const diagnostics = report.skills.flatMap((skill) => skill.diagnostics);
    writeJson(
      toSarif(
        diagnostics.map((found) => placeBelow(report.directory, found)),
        { version: readVersion() },
      ),
      io,
    );
  }
}

/** Scanning services expect paths relative to the root of the repository, never empty ones. */
function placeBelow(directory: string, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, location: relative(directory, diagnostic.location) || '.' };
}

function writeText({ skills, profile }: Report, io: CommandLine): void {
  const style = createStylist(io.stdout, io);
  for (const { ok, location, diagnostics, text } of skills) {
    const verdict = ok ? style('green', 'ok     ') : style('red', 'invalid');
    io.stdout.write(`${verdict} ${showPath(location, io.cwd)}\n`);
    for (const diagnostic of diagnostics) writeDiagnostic(diagnostic, io.stdout, io, text);
    if (diagnostics.length > 0) io.stdout.write('\n');
  }
  const invalid = skills.filter(({ ok }) => !ok).length;
  const total = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
  io.stdout.write(`${total} checked with the ${profile} profile: ${skills.length - invalid} ok, ${invalid} invalid.\n`);
}
