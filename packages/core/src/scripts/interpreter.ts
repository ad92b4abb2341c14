// Decides which program runs a script, by its first line or its extension.

import { SkillError } from '../skill/error.ts';

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

/** Returns options for a program: Python writes at once, so that a script that takes too long has said how far it came. */
export function optionsFor(program: string): readonly string[] {
  return /python[\d.]*(?:\.exe)?$/.test(program) ? ['-u'] : [];
}

/**
 * Returns the name of the program. If the first line has a path, only the name in it counts.
 *
 * @throws {SkillError} `script-unsupported` if no known program runs such a file
 */
export function interpreterOf(path: string, content: Uint8Array = new Uint8Array()): string {
  const [line = ''] = new TextDecoder().decode(content.subarray(0, 256)).split('\n');
  const [, program = '', argument = ''] = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(line) ?? [];
  const last = (text: string): string => text.slice(text.lastIndexOf('/') + 1);
  const written = last(program) === 'env' ? last(argument) : last(program);
  const name = known.has(written) ? written : byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (name === undefined) throw cannotRun(path, 'no known program runs such a file');
  return name;
}

/** Refuses arguments that no program can be given. @throws {SkillError} `script-unsupported` */
export function checkArguments(path: string, given: readonly string[]): void {
  if (given.some((text) => text.includes('\0'))) throw cannotRun(path, 'an argument contains NUL');
}

/** Creates the error for a script that cannot run here. */
export function cannotRun(path: string, why: string): SkillError {
  return new SkillError('script-unsupported', `\`${path}\` cannot be run: ${why}.`);
}
