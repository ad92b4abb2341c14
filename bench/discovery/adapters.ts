// Measures how long the import of an adapter takes after its framework was imported, which an application does anyway.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Milliseconds. */
export interface AdapterStart {
  readonly name: string;
  readonly framework: number;
  readonly adapter: number;
}

/** In a process of its own, imports what the built adapter imports and then the adapter. */
export async function startAdapter(repository: string, folder: string): Promise<AdapterStart> {
  const cwd = join(repository, 'packages', folder);
  const files = readdirSync(join(cwd, 'dist')).filter((name) => name.endsWith('.js'));
  const text = files.map((name) => readFileSync(join(cwd, 'dist', name), 'utf8')).join('\n');
  const imported = [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, specifier = '']) => specifier);
  // Of a framework that is nowhere else imported, only the manifest may be, because its users call it themselves.
  const manifest = '/package.json';
  const specifiers = new Set(imported.filter((specifier) => !specifier.endsWith(manifest)));
  for (const specifier of imported) {
    const framework = specifier.endsWith(manifest) ? specifier.slice(0, -manifest.length) : specifier;
    if (![...specifiers].some((other) => `${other}/`.startsWith(`${framework}/`))) specifiers.add(framework);
  }
  const program = `
    const start = performance.now();
    await Promise.all(${JSON.stringify([...specifiers])}.map((specifier) => import(specifier)));
    const between = performance.now();
    await import('./dist/index.js');
    process.stdout.write(JSON.stringify([between - start, performance.now() - between]));`;
  const env = { ...process.env, MASTRA_TELEMETRY_DISABLED: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd, env });
  const [framework = Number.NaN, adapter = Number.NaN] = JSON.parse(stdout) as number[];
  return { name: folder, framework, adapter };
}
