// Turns what somebody wants a new skill to say into the text of a `SKILL.md`.

import { parseSkill } from '../../format/parse.ts';
import { formatSkill } from '../../format/write/write.ts';
import { SkillError } from '../../skill/error.ts';
import { checkResourcePath } from '../../skill/paths.ts';
import type { SkillProperties } from '../../skill/skill.ts';

/** What a new skill says: a name, which is also its directory's, a description, and whatever else there is to say. */
export interface SkillDraft extends Partial<SkillProperties> {
  /** Lowercase letters, digits and single hyphens. */
  readonly name: string;
  readonly description: string;
  /** Markdown for the body. */
  readonly instructions?: string | undefined;
}

/**
 * Formats a draft. Whatever is in a text stays in it: it cannot become another field or end the frontmatter.
 *
 * @throws {SkillError} `options-invalid` where the draft breaks a rule of the specification
 */
export function formatDraft({ instructions = '', ...given }: SkillDraft): string {
  if (!isDirectoryName(given.name)) {
    throw new SkillError(
      'options-invalid',
      'That is no name for a skill; expected 1 to 64 lowercase letters, digits and single hyphens, and no name of a device.',
    );
  }
  const text = formatSkill({ ...unsaid, ...given }, instructions);
  const { diagnostics } = parseSkill(text, { directoryName: given.name, profile: 'strict' });
  const problems = diagnostics.filter(({ severity }) => severity === 'error');
  if (problems.length > 0) throw new SkillError('options-invalid', problems.map(({ message }) => message).join(' '));
  return text;
}

function isDirectoryName(name: unknown): boolean {
  try {
    return typeof name === 'string' && checkResourcePath(name).length === 1;
  } catch {
    return false;
  }
}

const unsaid: Omit<SkillProperties, 'name' | 'description'> = {
  metadata: {},
  allowedTools: [],
  disableModelInvocation: false,
  userInvocable: true,
  internal: false,
  arguments: [],
  extensions: {},
};
