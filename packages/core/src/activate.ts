// Tier 2: the instructions of one skill, read when they are needed and not before.

import type { Diagnostic } from './diagnostic.ts';
import { digestBytes } from './digest.ts';
import { isSkillError, SkillError } from './error.ts';
import { parseSkill } from './parse.ts';
import { renderActivation } from './render.ts';
import type { Skill } from './skill.ts';
import type { SkillFileListing, SourceOptions } from './source.ts';

/** What an activation discloses. */
export interface Activation {
  readonly skill: Skill;
  /** The Markdown after the frontmatter, trimmed, as it is on the disk now. */
  readonly body: string;
  /** The very text that the model gets: the body in its wrapper. */
  readonly text: string;
  /** SHA-256 of the whole `SKILL.md`, as `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly resources: SkillFileListing;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ActivateSkillOptions extends SourceOptions {
  /** Name of the tool that the wrapper points to for bundled files; without it no tool is mentioned. */
  readonly resourceTool?: string | undefined;
}

/** The largest `SKILL.md` that is activated, in bytes; the longest of 93,349 real ones has 294,426. */
export const maxSkillBytes: number = 512 * 1024;

/**
 * Reads a skill's instructions and lists its files. Reads no bundled file.
 *
 * @throws {SkillError} `skill-too-large`, `skill-unreadable`
 * @see https://agentskills.io/client-implementation/adding-skills-support
 */
export async function activateSkill(skill: Skill, options: ActivateSkillOptions = {}): Promise<Activation> {
  const { signal, resourceTool } = options;
  const bytes = await readSkillFile(skill, signal);
  const { body, diagnostics } = parseSkill(bytes, {
    source: skill.source.id,
    location: skill.location,
    directoryName: skill.directory.slice(skill.directory.lastIndexOf('/') + 1),
  });
  const [digest, resources] = await Promise.all([digestBytes(bytes), skill.source.listFiles(skill, { signal })]);
  const text = renderActivation({
    name: skill.name,
    body,
    digest,
    directory: skill.directory,
    resources,
    resourceTool,
  });
  return { skill, body, text, digest, resources, diagnostics };
}

async function readSkillFile(skill: Skill, signal: AbortSignal | undefined): Promise<Uint8Array> {
  try {
    return await skill.source.readFile(skill, 'SKILL.md', { maxBytes: maxSkillBytes, signal });
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const tooLarge = isSkillError(error) && error.code === 'resource-too-large';
    throw new SkillError(
      tooLarge ? 'skill-too-large' : 'skill-unreadable',
      `The instructions of \`${skill.name}\` cannot be read: ${reason}`,
      { cause: error },
    );
  }
}
