// Finds the program that runs a script: by its first line, or by its extension, and always by an absolute path.

import { SkillError } from '../../skill/error.ts';
import { findProgram } from '../environment/programs.ts';

const byExtension: ReadonlyMap<string, string> = new Map([
  ['sh', 'sh'],
  ['bash', 'bash'],
  ['py', 'python3'],
  ['js', 'node'],
  ['cjs', 'node'],
  ['mjs', 'node'],
  ['ts', 'node'],
  ['mts', 'node'],
  ['rb', 'ruby'],
  ['pl', 'perl'],
  ['php', 'php'],
  ['ps1', 'pwsh'],
]);

const known: ReadonlySet<string> = new Set([...byExtension.values(), 'dash', 'zsh', 'python', 'deno', 'bun']);

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

/** Only the name counts of what the first line says, whatever its path is. */
function interpreterOf(path: string, content: Uint8Array): string | undefined {
  const [line = ''] = new TextDecoder().decode(content.subarray(0, 256)).split('\n');
  const [, program = '', argument = ''] = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(line) ?? [];
  const last = (text: string): string => text.slice(text.lastIndexOf('/') + 1);
  const written = last(program) === 'env' ? last(argument) : last(program);
  if (known.has(written)) return written;
  return byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}
