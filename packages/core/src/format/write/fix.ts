// Fixes mistakes in a `SKILL.md` that need no guess, and leaves comments, order and everything else unchanged.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { checkParseOptions, type ParseSkillOptions, parseWithFields } from '../parse.ts';
import { metadataText } from '../properties/metadata.ts';
import { suggestName } from '../properties/name.ts';
import { fixers } from './fixers.ts';
import { applyEdits, type Edit, findFence } from './lines.ts';

/** A fixed text, what was fixed in it, and what is still wrong with it. */
export interface FixedSkill {
  readonly text: string;
  readonly fixed: readonly Diagnostic[];
  readonly left: readonly Diagnostic[];
}

/** How often a text is tried. Two or three times are usual, because a try makes all fixes at once, and fewer only if that fails. */
const maxTries = 16;

/**
 * Fixes what the diagnostics under a profile report. Writes nothing to disk.
 *
 * @param text the whole file, including a byte order mark
 * @throws {SkillError} `options-invalid` if an option is unknown
 */
export function fixSkill(text: string, options: ParseSkillOptions = {}): FixedSkill {
  checkParseOptions(options);
  const fixed: Diagnostic[] = [];
  /** The keys of fixes that made the text no better by themselves. */
  const refused = new Set<string>();
  /** How many fixes had been made when the refused ones were last given another chance. */
  let fixedBefore = 0;
  /** Halved after each failure, until the fix that fails is alone. */
  let atOnce = Number.POSITIVE_INFINITY;
  let current = parseDraft(text, options);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const fixes = planFixes(current, options, refused).slice(0, atOnce);
    const [first] = fixes;
    if (first === undefined) {
      if (fixed.length === fixedBefore) break;
      // What was refused may be right now that other mistakes are gone.
      refused.clear();
      fixedBefore = fixed.length;
      continue;
    }
    const edits = fixes.flatMap((fix) => fix.edits);
    const next = parseDraft(applyEdits(current.lines, edits), options);
    if (isBetter(current.parsed, next.parsed, fixes)) {
      fixed.push(...fixes.map(({ diagnostic }) => diagnostic));
      current = next;
      atOnce *= 2;
    } else {
      if (fixes.length === 1) refused.add(first.key);
      atOnce = Math.ceil(fixes.length / 2);
    }
  }
  return { text: current.lines.join(''), fixed, left: current.parsed.diagnostics };
}

/** Returns the lines of a text with their line ends, and what was read from it. */
function parseDraft(text: string, options: ParseSkillOptions) {
  return { lines: text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [], parsed: parseWithFields(text, options) };
}

type Draft = Readonly<ReturnType<typeof parseDraft>>;
type Parsed = Draft['parsed'];

interface Fix {
  readonly diagnostic: Diagnostic;
  readonly edits: readonly Edit[];
  /** The same for the same mistake after other lines have moved. */
  readonly key: string;
}

/** Returns the fixes that can be made at once, because each changes other rows than those before it. */
function planFixes({ lines, parsed }: Draft, options: ParseSkillOptions, refused: ReadonlySet<string>): readonly Fix[] {
  const { fields = [], repairs, diagnostics } = parsed;
  const { directoryName } = options;
  const fence = findFence(lines, fields);
  const taken: Edit[] = [];
  const fixes: Fix[] = [];
  for (const diagnostic of diagnostics) {
    const key = `${diagnostic.code} ${lines[(diagnostic.line ?? 0) - 1]}`;
    const fixer = refused.has(key) ? undefined : fixers.get(diagnostic.code);
    const edits = fixer?.({ lines, diagnostic, fields, repairs, fence, directoryName }) ?? [];
    const isTaken = edits.some(({ start, end }) => taken.some((other) => start < other.end && other.start < end));
    if (!isTaken && edits.length > 0) fixes.push({ diagnostic, edits, key });
    // A fix that must wait also takes its rows, because the fixes of one row are made in order.
    taken.push(...edits);
  }
  return fixes;
}

/** Checks that the content is the same, that fewer mistakes of each fixed kind are left, and that no other kind is new. */
function isBetter(before: Parsed, after: Parsed, fixes: readonly Fix[]): boolean {
  const problems = after.diagnostics.filter(({ severity }) => severity !== 'info');
  const known = new Set(before.diagnostics.map(({ code }) => code));
  const count = ({ diagnostics }: Parsed, wanted: string): number =>
    diagnostics.filter(({ code }) => code === wanted).length;
  return (
    content(before) === content(after) &&
    problems.every(({ code }) => known.has(code)) &&
    fixes.every(({ diagnostic: { code } }) => count(after, code) < count(before, code))
  );
}

/**
 * Returns the content that no fix may change, as comparable text: with the corrected name, with unknown fields as the texts that
 * they become below `metadata`, whatever the spelling of `allowed-tools`, and with the number of keys that count for nothing,
 * because their lines must not get lost.
 */
function content({ properties, body, fields = [], diagnostics }: Parsed): string {
  const { name = '', metadata, extensions = {}, allowedToolsMisspelt: _, ...others } = properties ?? {};
  const unknown = fields.filter(({ key }) => key in extensions);
  const texts = unknown.map(({ key, value }) => [key, metadataText(value)]);
  const all = Object.entries({ ...metadata, ...Object.fromEntries(texts) });
  const leftOut = diagnostics.filter(({ code }) => code === 'key-duplicate' || code === 'key-invalid').length;
  return JSON.stringify([suggestName(name), others, all.sort(), leftOut, body.replaceAll(/\r\n?/g, '\n')]);
}
