// Decides which program runs a script, by its first line or its extension.

import { SkillError } from '../skill/error.ts';
import { splitArguments } from '../text/arguments.ts';

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

/** The program that runs a script. */
interface Interpreter {
  readonly name: string;
  /** The options that the first line of the script has for the program. */
  readonly options: readonly string[];
}

/**
 * Returns the options of a program: those of the script, and our own. Python writes at once, so that a script that takes too long
 * has said how far it came, and on Windows as UTF-8, because its usual encoding there lacks most characters. The PowerShell of
 * Windows runs no script by default.
 */
export function optionsFor(program: string, written: readonly string[] = []): readonly string[] {
  if (/\bpowershell\.exe$/.test(program)) {
    // The script has to follow `-File`, which may be written shorter.
    const others = written.filter((option) => !/^-f(?:i|il|ile)?$/i.test(option));
    return [...others, '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File'];
  }
  if (!/(?:python[\d.]*(?:\.exe)?|\bpy\.exe)$/.test(program)) return written;
  return program.endsWith('.exe') ? ['-u', '-X', 'utf8', ...written] : ['-u', ...written];
}

/** Checks whether a file has a first line that names a program, and so can be a program itself. */
export function isProgram([first, second]: Uint8Array): boolean {
  return first === 0x23 && second === 0x21;
}

/**
 * Returns the program and its options. If the first line has a path, only the name in it counts.
 *
 * @throws {SkillError} `script-unsupported` if no known program runs such a file
 */
export function interpreterOf(path: string, content: Uint8Array = new Uint8Array()): Interpreter {
  const [program = '', ...options] = parseFirstLine(content);
  const written = program.slice(program.lastIndexOf('/') + 1);
  if (known.has(written)) return { name: written, options };
  const name = byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (name === undefined) throw cannotRun(path, 'no known program runs such a file');
  return { name, options: [] };
}

/** Returns the program and the options of a first line such as `#!/usr/bin/env -S python3 -u # comment`. */
function parseFirstLine(content: Uint8Array): readonly string[] {
  const [line = ''] = new TextDecoder().decode(content.subarray(0, 256)).split(/[\n\0]/);
  const [, written = ''] = /^#!\s*(.*)/.exec(line) ?? [];
  const all = splitArguments(written);
  const comment = all.findIndex((word) => word.startsWith('#'));
  const [program = '', ...words] = comment < 0 ? all : all.slice(0, comment);
  if (!/(?:^|\/)env$/.test(program)) return [program, ...words];
  return words.slice(words[0] === '-S' ? 1 : 0);
}

/** Refuses arguments that no program can be given. @throws {SkillError} `script-unsupported` */
export function checkArguments(path: string, given: readonly string[]): void {
  if (given.some((text) => text.includes('\0'))) throw cannotRun(path, 'an argument contains NUL');
}

/** Creates the error for a script that cannot run here. */
export function cannotRun(path: string, why: string): SkillError {
  return new SkillError('script-unsupported', `\`${path}\` cannot be run: ${why}.`);
}
