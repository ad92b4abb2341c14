import { chmodSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram, programDirectories } from '../../../src/node/environment/programs.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';

/** Creates programs with these contents, and returns a function that finds one in directories, as on Windows. */
async function programs(contents: Readonly<Record<string, string>>) {
  const top = await makeTemporaryDirectory();
  await writeTree(top, contents);
  for (const path of Object.keys(contents)) chmodSync(join(top, path), 0o755);
  return (name: string, ...directories: string[]): string | undefined => {
    const places = directories.map((directory) => join(top, directory));
    const found = findProgram(name, places, 'win32');
    return found && relative(top, found).replaceAll('\\', '/');
  };
}

it('Windows separates the directories of `Path` by semicolons, may quote them, and knows drives and servers', () => {
  const Path = '"C:\\a b";\\x;/usr/bin;x;;D:/c;"";\\\\server\\bin';
  expect(programDirectories({ Path }, 'win32')).toEqual(['C:\\a b', 'D:/c', '\\\\server\\bin']);
  expect(programDirectories({ Path, PATH: '/bin:x::"/y":/usr/bin' }, 'linux')).toEqual(['/bin', '/usr/bin']);
});

it('Python on Windows is found by each of its names, and then by its launcher, before files that lead to the Store', async () => {
  const find = await programs({
    'store/python.exe': '',
    'store/python3.exe': '',
    'windows/py.exe': 'x',
    'own/python.exe': 'x',
  });
  for (const name of ['python', 'python3']) {
    expect([
      find(name, 'store', 'windows', 'own'),
      find(name, 'store', 'windows'),
      find(name, 'store'),
      find(name, 'none'),
    ]).toEqual(['own/python.exe', 'windows/py.exe', `store/${name}.exe`, undefined]);
  }
});

it('PowerShell is the one of Windows if there is no other', async () => {
  const find = await programs({ 'windows/powershell.exe': 'x', 'own/pwsh.exe': 'x' });
  expect([find('pwsh', 'windows', 'own'), find('pwsh', 'windows')]).toEqual(['own/pwsh.exe', 'windows/powershell.exe']);
});

it('a shell on Windows is found beside `git`, and is never the one of WSL', async () => {
  const find = await programs({
    'Windows/System32/bash.exe': 'x',
    'Windows/System32/perl.exe': 'x',
    'Microsoft/WindowsApps/bash.exe': '',
    'Git/cmd/git.exe': 'x',
    'Git/bin/bash.exe': 'x',
    'Git/usr/bin/sh.exe': 'x',
    'Git/usr/bin/perl.exe': 'x',
    'msys/bash.exe': 'x',
  });
  const ofWindows = ['Windows/System32', 'Microsoft/WindowsApps'];
  expect([
    find('bash', ...ofWindows),
    find('bash', ...ofWindows, 'Git/cmd'),
    find('bash', 'Git/cmd', 'msys'),
    find('sh', 'Git/cmd'),
    find('perl', 'Git/cmd', ...ofWindows),
  ]).toEqual([undefined, 'Git/bin/bash.exe', 'msys/bash.exe', 'Git/usr/bin/sh.exe', 'Windows/System32/perl.exe']);
});
