// Reads tier 2: the instructions of one skill, only when they are needed.

import { assertCatalog, type Catalog } from '../catalog/catalog.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { findBodyLine, parseBody } from '../format/parse.ts';
import { digestBytes } from '../runtime/digest.ts';
import { createTurn } from '../runtime/turns.ts';
import { isSkillError, reasonOf, SkillError } from '../skill/error.ts';
import { listFiles, readFile } from '../skill/files.ts';
import { maxSkillBytes } from '../skill/limits.ts';
import { assertSkill, checkAmounts, checkKeys, checkTexts } from '../skill/options.ts';
import { withSlashes } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { ListFilesOptions, SkillFileListing } from '../skill/source.ts';
import { substituteArguments } from '../text/arguments.ts';
import { escapeField, oneLine } from '../text/neutral.ts';
import { renderActivation } from './activation-text.ts';
import { forgottenArguments } from './answers.ts';
import { checkFileNames } from './file-names.ts';
import { nameInWrapper } from './wrapper-name.ts';

/** The instructions of a skill, as the source returned them just now. */
export interface Activation {
  readonly skill: Skill;
  /** The Markdown after the frontmatter, trimmed. */
  readonly body: string;
  /** The text for the model: the body in its wrapper. */
  readonly text: string;
  /** SHA-256 of the whole `SKILL.md`, as `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly resources: SkillFileListing;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ActivateSkillOptions extends ListFilesOptions {
  /** Name of the tool that reads bundled files. Without it, the text mentions no tool. */
  readonly readTool?: string | undefined;
  /** The catalog of the skill. If another skill has its name there, the text has the qualified name, as in a conversation. */
  readonly catalog?: Catalog | undefined;
  /**
   * What a user wrote after the skill's name. It is inserted if the body contains `$ARGUMENTS` or the skill declares arguments,
   * and appended otherwise.
   */
  readonly arguments?: string | undefined;
  /**
   * Limit for the body in characters. The rest is outlined, and can be read in pages.
   * @default 40,000
   */
  readonly limit?: number | undefined;
}

/** All options. If `checkPath` were misspelt, files would be listed that must not be. */
const optionNames = ['signal', 'checkPath', 'readTool', 'catalog', 'arguments', 'limit'];

/** Default limit for a body in characters: about 10,000 tokens, which is enough for more than 99% of public skills. */
export const activationLimit: number = 40_000;

/** Shared by all activations, because otherwise thousands of activations from memory would run in one turn of the event loop. */
const turn = createTurn();

/**
 * Reads a skill's instructions and lists its files, without reading or running any of them.
 *
 * @throws {SkillError} `skill-too-large`, `skill-unreadable`; `options-invalid` if an option is unknown or not valid, or if
 * an argument is a promise
 * @see https://agentskills.io/client-implementation/adding-skills-support
 */
export async function activateSkill(skill: Skill, options: ActivateSkillOptions = {}): Promise<Activation> {
  assertSkill(skill);
  checkKeys('options', options, optionNames);
  const { catalog, signal, checkPath, readTool, limit = activationLimit, arguments: given = '' } = options;
  checkAmounts({ limit });
  checkTexts({ arguments: given });
  if (catalog !== undefined) assertCatalog(catalog);
  const bytes = await readSkillFile(skill, signal);
  await turn(signal);
  const site = { source: skill.source.id, location: skill.location };
  const { body, bodyStart, diagnostics } = parseBody(bytes, site);
  // The file has changed since the skill was listed, and has no body now, perhaps because it is being written.
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) {
    throw new SkillError('skill-unreadable', `${cannotRead(skill)}: ${problem.message}`);
  }
  const [digest, resources] = await Promise.all([digestBytes(bytes), listFiles(skill, { signal, checkPath })]);
  const whole = await addArguments(skill, body, given, signal);
  // A model reads on by the lines of the file, so in a body that is cut, arguments add no lines.
  const isCut = whole.length > limit && /[\r\n]/.test(given);
  const filled = isCut ? await addArguments(skill, body, given.replaceAll(/[\r\n]/g, ' '), signal) : whole;
  const text = renderActivation({
    name: catalog === undefined ? escapeField(skill.name) : nameInWrapper(catalog, skill),
    arguments: given,
    body: filled,
    findBodyLine: () => findBodyLine(bytes, bodyStart),
    digest,
    allowedTools: skill.properties.allowedTools,
    directory: skill.directory,
    resources,
    readTool,
    limit,
  });
  return { skill, body, text, digest, resources, diagnostics: [...diagnostics, ...checkFileNames(resources, site)] };
}

/**
 * Inserts the directory, and inserts or appends arguments. If a skill neither declares nor mentions arguments, `$1` in its body is
 * part of an example.
 */
async function addArguments(
  { properties, directory }: Skill,
  body: string,
  text: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const takesArguments = declaresArguments(properties) || (text !== '' && body.includes('$ARGUMENTS'));
  const given = {
    text,
    names: properties.arguments,
    isForgotten: text === forgottenArguments,
    takesArguments,
    directory: oneLine(withSlashes(directory)),
  };
  const turn = createTurn();
  return substituteArguments(body, given, () => turn(signal));
}

/** Checks whether a skill says that it takes arguments. */
export function declaresArguments({ arguments: names, argumentHint }: Skill['properties']): boolean {
  return names.length > 0 || argumentHint !== undefined;
}

function cannotRead({ name }: Skill): string {
  return `The instructions of \`${name}\` cannot be read`;
}

async function readSkillFile(skill: Skill, signal: AbortSignal | undefined): Promise<Uint8Array> {
  try {
    return await readFile(skill, 'SKILL.md', { maxBytes: maxSkillBytes, signal });
  } catch (error) {
    signal?.throwIfAborted();
    const reason = reasonOf(error);
    const code = isSkillError(error) && error.code === 'resource-too-large' ? 'skill-too-large' : 'skill-unreadable';
    throw new SkillError(code, `${cannotRead(skill)}: ${reason}`, { cause: error });
  }
}
