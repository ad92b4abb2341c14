// Which program runs a script: what its first line says, or its extension.

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

/** Returns the name of the program; of a path in the first line, only the name counts. */
export function interpreterOf(path: string, content: Uint8Array): string | undefined {
  const [line = ''] = new TextDecoder().decode(content.subarray(0, 256)).split('\n');
  const [, program = '', argument = ''] = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(line) ?? [];
  const last = (text: string): string => text.slice(text.lastIndexOf('/') + 1);
  const written = last(program) === 'env' ? last(argument) : last(program);
  if (known.has(written)) return written;
  return byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}
