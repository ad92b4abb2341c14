// Turns the draft of a new skill into the text of a `SKILL.md`.

import { showText } from '../../diagnostics/diagnostic.ts';
import { parseSkill } from '../../format/parse.ts';
import { normalizeName, suggestName } from '../../format/properties/name.ts';
import { checkProperties, formatSkill, type GivenProperties } from '../../format/write/write.ts';
import type { SkillError } from '../../skill/error.ts';
import { checkTexts, invalidOption } from '../../skill/options.ts';
import { checkResourcePath, isPathFor } from '../../skill/paths.ts';

/** The content of a new skill: a name, which its directory gets, too, a description, and optionally other properties. */
export interface SkillDraft extends GivenProperties {
  /** Lowercase letters, digits and single hyphens. */
  readonly name: string;
  /** Markdown for the body. */
  readonly instructions?: string | undefined;
}

/**
 * Formats a draft. Values are quoted if needed, so that they cannot become another field or end the frontmatter.
 *
 * @throws {SkillError} `options-invalid` if the draft breaks a rule of the specification, a property is unknown, or a value has the
 * wrong type. A description that starts with `TODO:` is allowed
 */
export function formatDraft(draft: SkillDraft): string {
  checkProperties('draft', draft, ['instructions']);
  const { instructions = '', ...given } = draft;
  if (!isDirectoryName(given.name) || normalizeName(given.name) !== given.name) throw badName(String(given.name));
  checkTexts({ instructions });
  const text = formatSkill(given, instructions);
  const { diagnostics } = parseSkill(text, { directoryName: given.name, profile: 'strict' });
  // A draft may contain a placeholder for the description, as a template does.
  const problems = diagnostics.filter(
    ({ code, severity }) => severity === 'error' && code !== 'description-unfinished',
  );
  if (problems.some(({ code }) => code.startsWith('name-'))) throw badName(given.name);
  if (problems.length > 0) throw invalidOption(problems.map(({ message }) => message).join(' '));
  return text;
}

function badName(name: string): SkillError {
  const suggestion = suggestName(name);
  const advice = isDirectoryName(suggestion) && suggestion !== name ? ` Try \`${suggestion}\`.` : '';
  const rule = 'expected 1 to 64 lowercase letters, digits and single hyphens, and no device name such as `con`.';
  return invalidOption(`\`${showText(name)}\` is not a valid skill name: ${rule}${advice}`);
}

function isDirectoryName(name: unknown): boolean {
  const isPath = typeof name === 'string' && isPathFor(checkResourcePath, name);
  return isPath && checkResourcePath(name).length === 1;
}
