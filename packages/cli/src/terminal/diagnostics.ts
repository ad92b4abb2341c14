// Writes diagnostics for people.

import { type Catalog, type Diagnostic, formatDiagnostic } from '@skillful/core';
import type { CommandLine, OutputStream } from '../command-line.ts';
import { count, quote, showPath } from './output.ts';
import { createStylist, type Style } from './style.ts';
import { terminalText } from './text.ts';

const styles: Readonly<Record<Diagnostic['severity'], Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

/** Limit for the code frames of one code, because after a few the reader knows what is meant. */
const mostFrames = 3;

/** Limit for problems that a command shows in full, because more would bury its results. */
const mostProblems = 5;

/**
 * Creates a function that writes a diagnostic, with a code frame if the text of its file is given. It never repeats a hint or a
 * code frame, and shows only the first frames of each code.
 */
export function createDiagnosticWriter(
  stream: OutputStream,
  io: CommandLine,
): (diagnostic: Diagnostic, text?: string) => void {
  const style = createStylist(stream, io);
  const columns = stream.isTTY === true ? (stream.columns ?? 80) : undefined;
  const seenHints = new Set<string>();
  const frames = new Map<string, number>();
  let lastPlace = '';
  return (diagnostic, text) => {
    const { code, hint = '', severity, location, line, column } = diagnostic;
    const place = `${location}:${line}:${column}`;
    const framed = frames.get(code) ?? 0;
    const isFramed = text !== undefined && line !== undefined && place !== lastPlace && framed < mostFrames;
    if (isFramed) frames.set(code, framed + 1);
    lastPlace = place;
    const shown = formatDiagnostic(
      { ...diagnostic, location: showPath(location, io.cwd) },
      isFramed ? text : undefined,
      { columns, withoutHint: seenHints.has(hint) },
    );
    seenHints.add(hint);
    const [head = '', ...rest] = terminalText(shown).split('\n');
    const lines = rest.map((line) => {
      if (/^ +\| +\^$/u.test(line)) return style(styles[severity], line);
      return /^ +\d+ \| /u.test(line) ? style('dim', line) : line;
    });
    stream.write(`${[style(styles[severity], head), ...lines].join('\n')}\n`);
  };
}

/** Findings of one code that are shown for a file; the rest is folded into one. */
const mostOfCode = 3;

/** Returns the findings of a file for people, in which one finding replaces those that repeat a code too often. */
export function foldRepeated(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const placed = diagnostics.filter(({ line }) => line !== undefined);
  const byCode = Map.groupBy(placed, ({ code }) => code);
  return diagnostics.flatMap((diagnostic) => {
    const rest = byCode.get(diagnostic.code)?.slice(mostOfCode) ?? [];
    const index = rest.indexOf(diagnostic);
    if (rest.length < 2 || index < 0) return [diagnostic];
    const lines = [...new Set(rest.map(({ line }) => line))];
    const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
    return index === 0 ? [{ ...diagnostic, message: `${rest.length} more of these, in ${where}.` }] : [];
  });
}

/** Replaces the hint of `source-untrusted`, which also addresses developers. */
const trustHint = 'Run `skillful trust` to use this project from now on, or add `--trust` to use it once.';

/** Writes diagnostics to standard error. */
export function writeDiagnostics(diagnostics: readonly Diagnostic[], io: CommandLine): void {
  const write = createDiagnosticWriter(io.stderr, io);
  for (const diagnostic of diagnostics)
    write(diagnostic.code === 'source-untrusted' ? { ...diagnostic, hint: trustHint } : diagnostic);
}

/** A remark about macOS and Windows that each root repeats. Only `doctor` shows it, once. */
export const unprovenContainment = 'containment-best-effort';

/** Writes problems with whole sources, settings and the like, and the searched places if there are no skills. */
export function writeSourceProblems({ catalog, places }: CatalogProblems, io: CommandLine): void {
  const problems = catalog.diagnostics.filter((diagnostic) => !isAboutFolder(diagnostic));
  const shownOtherwise: readonly string[] = ['skills-not-found', unprovenContainment];
  writeDiagnostics(
    problems.filter(({ code }) => !shownOtherwise.includes(code)),
    io,
  );
  if (!problems.some(({ code }) => code === 'skills-not-found')) return;
  const lines = places.map((place) => `  ${showPath(place, io.cwd)}\n`).join('');
  const advice = 'Create one with `skillful new NAME`, or pass a directory of skills with `--root`.';
  io.stderr.write(`No skills found. Looked in:\n${lines}${advice}\n`);
}

/** Checks whether a diagnostic is about a skill folder, and not about a source, a root or a setting. */
export function isAboutFolder({ code }: Diagnostic): boolean {
  return !/^(?:source|root|path|scan|settings|skills|trust|configuration|watch|containment|plugin)-/u.test(code);
}

/** A catalog, and what is needed to describe its problems. */
export interface CatalogProblems {
  readonly catalog: Catalog;
  /** The directories that were searched. */
  readonly places: readonly string[];
}

/**
 * Writes why folders are missing from the catalog, in full if there are only a few. Only counts findings about loaded skills, or
 * if `isBrief`, only the missing folders. Suggests a command that shows the rest, for the `roots` that the user named.
 */
export function writeProblems(
  loaded: CatalogProblems,
  { roots, isBrief = false }: { readonly roots: readonly string[]; readonly isBrief?: boolean },
  io: CommandLine,
): void {
  writeSourceProblems(loaded, io);
  const { skills, diagnostics } = loaded.catalog;
  const listed = new Set(skills.map(({ location }) => location));
  const about = diagnostics.filter(isAboutFolder);
  const missing = about.filter(({ location }) => !listed.has(location));
  const shown = isBrief ? [] : missing.slice(0, mostProblems);
  writeDiagnostics(shown, io);
  const found = isBrief ? [] : about.filter(({ location }) => listed.has(location));
  const unmet = found.filter(({ code }) => code === 'requirement-missing').length;
  const warnings = found.length - unmet;
  const left = missing.length - shown.length;
  const counts = [
    ...(left === 0 ? [] : [`${count(left, shown.length === 0 ? 'problem' : 'more problem')} with other folders`]),
    ...(warnings === 0 ? [] : [`${count(warnings, 'warning')} in loaded skills`]),
    ...(unmet === 0 ? [] : [`${count(unmet, 'skill')} without what it needs here`]),
  ];
  if (counts.length === 0) return;
  // `validate` shows only folders with problems, but it does not know this machine.
  const isForDoctor = roots.length === 0 || unmet > 0;
  const words = isForDoctor
    ? ['doctor', ...roots.flatMap((root) => ['--root', quote(root)])]
    : ['validate', ...roots.map((word) => quote(word))];
  const command = ['skillful', ...words].join(' ');
  io.stderr.write(terminalText(`${counts.join(' and ')}. Run \`${command}\` for details.\n`));
}
