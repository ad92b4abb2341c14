import { chmodSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localEnvironment } from '../../../src/node/index.ts';
import { pretendPlatform } from '../pretend-platform.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';

describe('localEnvironment', () => {
  it('knows the variables, the tools and the platform', () => {
    const { hasVariable, hasTool, platform } = localEnvironment({
      environment: { KEY: 'x', EMPTY: '' },
      tools: ['Bash'],
    });
    expect([['KEY', 'EMPTY', 'NONE'].map((name) => hasVariable?.(name)), hasTool?.('Bash'), hasTool?.('Web')]).toEqual([
      [true, false, false],
      true,
      false,
    ]);
    expect(['constructor', '__proto__'].map((name) => localEnvironment().hasVariable?.(name))).toEqual([false, false]);
    expect([platform, localEnvironment().hasTool]).toEqual([process.platform, undefined]);
  });

  it.skipIf(process.platform === 'win32')('finds programs in the absolute directories of PATH only', async () => {
    const directory = await makeTemporaryDirectory();
    await writeTree(directory, {
      'bin/tool': '#!/bin/sh\n',
      'bin/text': 'x',
      'bin/folder/x': 'x',
      evil: '#!/bin/sh\n',
    });
    for (const name of ['bin/tool', 'evil']) chmodSync(join(directory, name), 0o755);
    const { hasProgram } = localEnvironment({
      environment: { PATH: `${relative('', directory)}:${join(directory, 'bin')}` },
    });
    expect(['tool', 'text', 'folder', 'evil', 'none'].map((name) => hasProgram?.(name))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(localEnvironment({ environment: {} }).hasProgram?.('sh')).toBe(false);
  });

  it.skipIf(process.platform === 'win32').each([
    ['python', 'python3'],
    ['python3', 'python'],
  ])('accepts `%s` if only `%s` is installed, because that runs the scripts', async (wanted, installed) => {
    const directory = await makeTemporaryDirectory();
    await writeTree(directory, { [installed]: '#!/bin/sh\n' });
    chmodSync(join(directory, installed), 0o755);
    expect(localEnvironment({ environment: { PATH: directory } }).hasProgram?.(wanted)).toBe(true);
  });

  it('ignores the case of names on Windows', () => {
    pretendPlatform('win32');
    const { hasVariable, platform } = localEnvironment({ environment: { ProgramFiles: 'x' } });
    expect([platform, hasVariable?.('PROGRAMFILES'), hasVariable?.('OTHER')]).toEqual(['win32', true, false]);
  });
});
