import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { replaceFile } from '../../../src/node/disk/write.ts';
import { fileSource, loadSettings, removeSkill, setSkillEnabled, writeSkill } from '../../../src/node/index.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import { finishProgram, startProgram } from '../process.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';
import { type DiskChange, imagesOf, readDisk, replay, writeImage } from './disk-image.ts';

type Tree = Parameters<typeof writeTree>[1];

/** What one action left behind after a cut. */
interface Cut {
  readonly base: string;
  readonly root: string;
  /** Whether the cut came after the action had returned. */
  readonly isDone: boolean;
}

/** Records the disk changes of an action, and checks each disk that a cut may leave; returns how many there were. */
async function cutEverywhere(action: string, tree: Tree, check: (cut: Cut) => Promise<void>): Promise<number> {
  const place = await makeTemporaryDirectory();
  await writeTree(place, tree);
  const before = readDisk(place);
  const changes = JSON.parse(
    await finishProgram(startProgram(new URL('./recorded-program.ts', import.meta.url), place, action)),
  ) as DiskChange[];
  expect(changes.length).toBeGreaterThan(1);
  const disks = replay(before, changes);
  const base = await makeTemporaryDirectory();
  let count = 0;
  for (const [index, disk] of disks.entries()) {
    for (const image of imagesOf(disk)) {
      rmSync(base, { recursive: true });
      mkdirSync(base);
      writeImage(base, image);
      const isDone = index === disks.length - 1;
      await check({ base, root: join(base, 'skills'), isDone }).catch((error: unknown) => {
        const done = changes.slice(0, index).map((change) => `${change.do} ${change.path}`);
        throw new Error(`After ${done.join(', ')}, with ${JSON.stringify([...image])}`, { cause: error });
      });
      count += 1;
    }
  }
  return count;
}

/** The skills of a root with their whole content, and all diagnostics. */
async function look(root: string) {
  const { skills, rejected, diagnostics } = await loadCatalog([fileSource(root, { scope: 'user' })]);
  const found: Record<string, readonly string[]> = {};
  for (const skill of skills) {
    const { files } = await skill.source.listFiles(skill);
    const paths = ['SKILL.md', ...files.map(({ path }) => path)];
    const texts = await Promise.all(paths.map((path) => skill.source.readFile(skill, path)));
    found[skill.name] = texts.map((bytes) => new TextDecoder().decode(bytes));
  }
  const codes = diagnostics
    .map(({ code }) => code)
    .filter((code) => code !== 'root-missing' && code !== 'skills-not-found');
  return { skills, found, problems: [...rejected, ...codes] };
}

const wholeNew = `---\nname: x\ndescription: New.\n---\n\n${'x'.repeat(5000)}\n`;
const draft = { name: 'x', description: 'New.', instructions: 'x'.repeat(5000) };

async function createUnlessThere(root: string): Promise<void> {
  await writeSkill(root, draft).catch((error: unknown) => {
    if (!isSkillError(error) || error.code !== 'skill-exists') throw error;
  });
}

/** What is in a root, the hidden leftovers of a crash included. */
const everythingIn = (root: string): readonly string[] => readdirSync(root).sort();

describe('X13, X14: after a power cut at any moment, with any part of the unsynced data lost or torn,', {
  timeout: 120_000,
}, () => {
  it.each([
    ['in an existing directory', { 'skills/other/SKILL.md': skillText('other') }],
    ['in a missing one', {}],
  ])('a skill that was being created %s is whole or absent, and is created by the next attempt', async (_, tree) => {
    const kept = Object.keys(tree).length === 0 ? {} : { other: [skillText('other')] };
    const count = await cutEverywhere('create', tree, async ({ root, isDone }) => {
      const { found, problems } = await look(root);
      expect(problems).toEqual([]);
      const whole = { ...kept, x: [wholeNew] };
      expect(isDone ? [whole] : [kept, whole]).toContainEqual(found);
      await createUnlessThere(root);
      expect((await look(root)).found).toEqual(whole);
      await writeSkill(root, { name: 'y', description: 'd' });
      expect(everythingIn(root)).toEqual([...Object.keys(whole), 'y']);
    });
    expect(count).toBeGreaterThan(8);
  });

  it('a skill that was being removed is whole or gone, and the next attempt removes it', async () => {
    const tree = {
      'skills/x/SKILL.md': skillText('x'),
      'skills/x/references/one.md': 'one',
      'skills/x/two.md': 'two',
    };
    const count = await cutEverywhere('remove', tree, async ({ root, isDone }) => {
      const { skills, found, problems } = await look(root);
      expect(problems).toEqual([]);
      expect(isDone ? [{}] : [{}, { x: [skillText('x'), 'one', 'two'] }]).toContainEqual(found);
      for (const skill of skills) await removeSkill(skill);
      expect((await look(root)).found).toEqual({});
      await writeSkill(root, draft);
      expect([(await look(root)).found, everythingIn(root)]).toEqual([{ x: [wholeNew] }, ['x']]);
    });
    expect(count).toBeGreaterThan(8);
  });

  it('a link to a skill that was being removed is there or gone, and its target is untouched', async () => {
    const tree = { 'store/x/SKILL.md': skillText('x'), 'skills/x': { link: '../store/x' } };
    await cutEverywhere('remove', tree, async ({ base, root, isDone }) => {
      const { found, problems } = await look(root);
      expect(problems).toEqual([]);
      expect(isDone ? [{}] : [{}, { x: [skillText('x')] }]).toContainEqual(found);
      expect((await look(join(base, 'store'))).found).toEqual({ x: [skillText('x')] });
    });
  });

  it('a file in a directory that had to be made is whole or absent, and is there after the next attempt', async () => {
    const whole = join(await makeTemporaryDirectory(), 'skills');
    await replaceFile(join(whole, 'README.md'), 'About skills.');
    const expected = readDisk(whole);
    await cutEverywhere('file', {}, async ({ root, isDone }) => {
      const isThere = readdirSync(join(root, '..')).includes('skills') && everythingIn(root).includes('README.md');
      expect(isDone && !isThere).toBe(false);
      await replaceFile(join(root, 'README.md'), 'About skills.');
      await writeSkill(root, { name: 'y', description: 'd' });
      rmSync(join(root, 'y'), { recursive: true });
      expect(imagesOf(readDisk(root))).toEqual(imagesOf(expected));
    });
  });

  const settings = '.config/skillful/settings.json';
  const old = '{"skills":{"user:old":{"enabled":false}},"trust":{"projects":[{"directory":"/work"}]}}';

  it.each([
    ['that were there', { [settings]: old, [`${settings}.backup`]: old }, ['user:old'], ['/work']],
    ['that were never written', {}, [], []],
  ])(
    'settings %s are the old or the new ones, without a complaint, and can be changed',
    async (_, tree, disabled, trusted) => {
      const changed = ['user:new', ...disabled];
      const count = await cutEverywhere('disable', tree, async ({ base, isDone }) => {
        const options = { home: base, environment: {} };
        const found = await loadSettings(options);
        expect([found.diagnostics, found.trustedProjects]).toEqual([[], trusted]);
        expect(isDone ? [changed] : [disabled, changed]).toContainEqual(found.disabled);
        await setSkillEnabled('user:z', false, options);
        const after = await loadSettings(options);
        expect([after.disabled, after.trustedProjects]).toEqual([[...found.disabled, 'user:z'], trusted]);
        expect(everythingIn(join(base, '.config/skillful'))).toEqual(['settings.json', 'settings.json.backup']);
      });
      expect(count).toBeGreaterThan(20);
    },
  );
});
