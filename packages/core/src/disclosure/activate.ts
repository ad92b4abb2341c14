// Tier 2: the instructions of one skill, read when they are needed and not before.

import { createDiagnostic, type Diagnostic, type DiagnosticSite } from '../diagnostics/diagnostic.ts';
import { parseSkill } from '../format/parse.ts';
import { digestBytes } from '../runtime/digest.ts';
import { createSharedPause } from '../runtime/turns.ts';
import { isSkillError, reasonOf, SkillError } from '../skill/error.ts';
import { maxSkillBytes } from '../skill/limits.ts';
import { checkResourcePath, isPathFor, lastSegment } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillFileListing, SourceOptions } from '../skill/source.ts';
import { appendArguments, substituteArguments } from '../text/arguments.ts';
import { escapeField } from '../text/neutral.ts';
import { splitLines } from '../text/outline.ts';
import { renderActivation } from './activation-text.ts';
import { identifyFiles } from './resource-id.ts';

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
  readonly readTool?: string | undefined;
  /**
   * Name in the wrapper, escaped already.
   * @default the skill's name
   */
  readonly frameName?: string | undefined;
  /**
   * What a user wrote behind the skill's name. It is put into the body of a skill that declares arguments or says
   * `$ARGUMENTS`, and follows any other body.
   */
  readonly arguments?: string | undefined;
  /**
   * Characters of the body that are disclosed at once; what follows is outlined and read in pages.
   * @default 40,000
   */
  readonly limit?: number | undefined;
}

/** Characters of a body that are disclosed at once: about 10,000 tokens, more than 99 % of real skills have. */
export const activationLimit: number = 40_000;

/** Shared by all activations: a source that has its files at hand would let thousands of them run in one go. */
const pause = createSharedPause();

/**
 * Reads a skill's instructions and lists its files. Reads no bundled file, runs nothing.
 *
 * @throws {SkillError} `skill-too-large`, `skill-unreadable`
 * @see https://agentskills.io/client-implementation/adding-skills-support
 */
export async function activateSkill(skill: Skill, options: ActivateSkillOptions = {}): Promise<Activation> {
  const { signal, readTool, limit = activationLimit, frameName = escapeField(skill.name) } = options;
  const bytes = await readSkillFile(skill, signal);
  const pausing = pause(signal);
  if (pausing !== undefined) await pausing;
  const site = { source: skill.source.id, location: skill.location };
  const { body, diagnostics } = parseSkill(bytes, { ...site, directoryName: lastSegment(skill.directory) });
  const [digest, resources] = await Promise.all([digestBytes(bytes), skill.source.listFiles(skill, { signal })]);
  const ids = await identifyFiles(resources.files);
  const text = renderActivation({
    name: frameName,
    arguments: options.arguments ?? '',
    body: addArguments(skill, body, options.arguments ?? ''),
    findBodyLine: () => findBodyLine(bytes, body),
    digest,
    directory: skill.directory,
    resources,
    ids,
    readTool,
    limit,
  });
  return { skill, body, text, digest, resources, diagnostics: [...diagnostics, ...checkNames(resources, ids, site)] };
}

/** Names at most that are called unportable: a thousand of them have one reason. */
const maxUnportable = 20;

function checkNames(
  { refused = [] }: SkillFileListing,
  ids: ReadonlyMap<string, string>,
  site: DiagnosticSite,
): readonly Diagnostic[] {
  const unportable = [...ids.keys()].filter((path) => !isPathFor(checkResourcePath, path));
  return [
    ...refused.map((file) => createDiagnostic('resource-name-refused', site, { file })),
    ...unportable.slice(0, maxUnportable).map((file) => createDiagnostic('resource-name-unportable', site, { file })),
  ];
}

/** In a body that neither declares arguments nor speaks of them, `$1` is a word of its examples. */
function addArguments({ properties }: Skill, body: string, text: string): string {
  const declared = properties.arguments.length > 0 || properties.argumentHint !== undefined;
  const spoken = text !== '' && body.includes('$ARGUMENTS');
  if (declared || spoken) return substituteArguments(body, { text, names: properties.arguments });
  return appendArguments(body, text);
}

/** The body is what the file ends with, but for blanks and a fence around it. */
function findBodyLine(bytes: Uint8Array, body: string): number {
  const file = new TextDecoder().decode(bytes);
  return splitLines(file.slice(0, file.lastIndexOf(body))).length;
}

async function readSkillFile(skill: Skill, signal: AbortSignal | undefined): Promise<Uint8Array> {
  try {
    return await skill.source.readFile(skill, 'SKILL.md', { maxBytes: maxSkillBytes, signal });
  } catch (error) {
    signal?.throwIfAborted();
    const reason = reasonOf(error);
    const tooLarge = isSkillError(error) && error.code === 'resource-too-large';
    throw new SkillError(
      tooLarge ? 'skill-too-large' : 'skill-unreadable',
      `The instructions of \`${skill.name}\` cannot be read: ${reason}`,
      { cause: error },
    );
  }
}
