// Finds the program that runs a script, always by an absolute path.

import { interpreterOf } from '../../scripts/interpreter.ts';
import { SkillError } from '../../skill/error.ts';
import { findProgram } from '../environment/programs.ts';

/**
 * Returns the real path of the program for a script, from one of the directories. Node is the one that runs this process.
 *
 * @throws {SkillError} `script-unsupported` if no known program runs such a file, or it is not installed
 */
export function findInterpreter(path: string, content: Uint8Array, directories: readonly string[]): string {
  const name = interpreterOf(path, content);
  const program = name === undefined ? undefined : findProgram(name, directories);
  if (program !== undefined) return program;
  const why = name === undefined ? 'nothing is known that runs such a file' : `\`${name}\` is not installed`;
  throw new SkillError('script-unsupported', `\`${path}\` cannot be run: ${why}.`);
}
