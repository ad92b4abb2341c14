// Proves the lower ends of the peer ranges: with the oldest framework that an adapter allows, a model gets the same.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frameworksOf, installPackages, runConsumer, writeGreetingSkill } from './consumer.ts';
import { type PackedPackage, packPackages } from './pack.ts';
import { temporaryDirectory } from './temporary.ts';

const packed = await packPackages(temporaryDirectory());
const core = packed.filter(({ folder }) => folder === 'core');
const adapters = packed.filter(({ folder }) => folder.startsWith('adapter-'));

const skills = temporaryDirectory();
const noSkills = temporaryDirectory();
writeGreetingSkill(skills);
mkdirSync(join(skills, 'greeting/assets'));
writeFileSync(join(skills, 'greeting/assets/seal.png'), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]));

describe('with the oldest version of each peer', () => {
  const fromCore = inNewFolder('core', core, []);

  it.each(adapters)('$manifest.name compiles, runs and says what the core says', async (adapter) => {
    const output = await inNewFolder(adapter.folder, [...core, adapter], oldestFrameworks(adapter));
    expect(output).toEqual(await fromCore);
  });
});

it('the fake models install beside each version of the AI SDK that the adapter allows', () => {
  const [adapter, testing] = ['adapter-vercel-ai', 'testing'].map((folder) =>
    packed.find((entry) => entry.folder === folder),
  );
  expect(testing?.manifest.peerDependencies?.['ai']).toBe(adapter?.manifest.peerDependencies?.['ai']);
});

/** The first version in each peer range, which is the lowest. */
function oldestFrameworks(adapter: PackedPackage): readonly string[] {
  return frameworksOf(adapter).map((name) => {
    const [lowest] = adapter.manifest.peerDependencies?.[name]?.match(/\d+\.\d+\.\d+/u) ?? [];
    if (lowest === undefined) throw new Error(`no version in the range of ${name}`);
    return `${name}@${lowest}`;
  });
}

async function inNewFolder(
  folder: string,
  entries: readonly PackedPackage[],
  frameworks: readonly string[],
): Promise<unknown> {
  const directory = temporaryDirectory();
  await installPackages(directory, entries, frameworks);
  return runConsumer(directory, `oldest-${folder}`, [skills, noSkills]);
}
