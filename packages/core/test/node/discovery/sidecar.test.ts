// A sidecar may restrict its skill. If it is there and cannot be read, the skill is restricted, and a diagnostic says why.

import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

const allowing = 'policy:\n  allow_implicit_invocation: true\n';

async function makeSkill(tree: Parameters<typeof writeTree>[1] = {}): Promise<string> {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'skills/x/SKILL.md': skillText('x'), ...tree });
  return root;
}

async function stateOf(root: string, files: FileSystem = nodeFileSystem) {
  const { skills, diagnostics } = await loadCatalog([createFileSource(files, join(root, 'skills'), {})]);
  return {
    hidden: skills.map(({ properties }) => properties.disableModelInvocation),
    messages: diagnostics.map(({ message }) => message),
  };
}

const restricted = (reason: string) => ({
  hidden: [true],
  messages: [`\`agents/openai.yaml\` could not be read: ${reason}; only users can activate the skill.`],
});
const open = { hidden: [false], messages: [] };

const sidecar = 'skills/x/agents/openai.yaml';

describe('a sidecar that cannot be read', () => {
  it.each([
    ['a directory', { [`${sidecar}/a`]: '' }, 'it is not a regular file'],
    [
      'a link out of the skill',
      { [sidecar]: { link: '../../../other' }, other: allowing },
      'it leads out of the skill',
    ],
    ['behind a link out of the skill', { 'skills/x/agents': { link: '../../other' }, 'other/openai.yaml': allowing }],
    ['a broken link', { [sidecar]: { link: 'nothing' } }, 'it is a broken link'],
    ['a link to itself', { [sidecar]: { link: 'openai.yaml' } }, 'its links go in a circle (ELOOP)'],
    ['below a link to itself', { 'skills/x/agents': { link: 'agents' } }, 'its links go in a circle (ELOOP)'],
  ])('because it is %s restricts its skill', async (_, tree, reason = 'it leads out of the skill') => {
    expect(await stateOf(await makeSkill(tree))).toEqual(restricted(reason));
  });

  it.skipIf(process.platform === 'win32')('because it is a pipe restricts its skill', async () => {
    const root = await makeSkill({ 'skills/x/agents': { directory: 0o755 } });
    execFileSync('mkfifo', [join(root, sidecar)]);
    expect(await stateOf(root)).toEqual(restricted('it is not a regular file'));
  });

  it.skipIf(process.platform === 'win32')('because it is a socket restricts its skill', async () => {
    const root = await makeSkill({ 'skills/x/agents': { directory: 0o755 } });
    const server = createServer().listen(join(root, sidecar));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await stateOf(root)).toEqual(restricted('it is not a regular file'));
    server.close();
  });

  it.each(['lstatIfThere', 'realpath', 'open'] as const)('because %s is refused restricts its skill', async (call) => {
    const root = await makeSkill({ [sidecar]: allowing });
    const real = nodeFileSystem[call] as (path: string, flags: number) => never;
    const refusing = (path: string, flags: number) => {
      if (!path.endsWith('openai.yaml')) return real(path, flags);
      throw Object.assign(new Error(`EACCES: '${path}'`), { code: 'EACCES' });
    };
    const state = await stateOf(root, { ...nodeFileSystem, [call]: refusing });
    expect(state).toEqual(restricted('permission denied (EACCES)'));
  });

  it('restricts a skill that was known before', async () => {
    const root = await makeSkill();
    await setTimeout(60);
    const source = createFileSource(nodeFileSystem, join(root, 'skills'), {});
    const first = await loadCatalog([source]);
    await writeTree(root, { [sidecar]: { link: 'nothing' } });
    const second = await loadCatalog([source], { previous: first });
    expect([first, second].map(({ skills }) => skills[0]?.properties.disableModelInvocation)).toEqual([false, true]);
    rmSync(join(root, sidecar));
    const third = await loadCatalog([source], { previous: second });
    expect(third.skills[0]?.properties.disableModelInvocation).toBe(false);
  });
});

describe('a sidecar that can be read', () => {
  it.each([
    ['a file', { [sidecar]: allowing }],
    ['a link in the skill', { [sidecar]: { link: '../real.yaml' }, 'skills/x/real.yaml': allowing }],
    ['in a link in the skill', { 'skills/x/agents': { link: 'real' }, 'skills/x/real/openai.yaml': allowing }],
    ['missing', { 'skills/x/agents': { directory: 0o755 } }],
    ['missing, beside a file of its directory', { 'skills/x/agents': 'A file.' }],
  ])('because it is %s decides itself', async (_, tree) => {
    expect(await stateOf(await makeSkill(tree))).toEqual(open);
  });

  it('behind a link is read again each time', async () => {
    const root = await makeSkill({ [sidecar]: { link: '../real.yaml' }, 'skills/x/real.yaml': allowing });
    await writeTree(root, { 'skills/x/other.yaml': allowing.replace('true', 'false') });
    await setTimeout(60);
    const source = createFileSource(nodeFileSystem, join(root, 'skills'), {});
    const first = await loadCatalog([source]);
    renameSync(join(root, 'skills/x/other.yaml'), join(root, 'skills/x/real.yaml'));
    const second = await loadCatalog([source], { previous: first });
    expect([first, second].map(({ skills }) => skills[0]?.properties.disableModelInvocation)).toEqual([false, true]);
  });
});
