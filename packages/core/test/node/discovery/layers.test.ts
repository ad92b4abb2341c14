import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Catalog, loadCatalog } from '../../../src/catalog/catalog.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import type { SkillSource } from '../../../src/skill/source.ts';
import { cacheSource } from '../../../src/sources/cache.ts';
import { filterSource } from '../../../src/sources/filter.ts';
import { overlaySource } from '../../../src/sources/overlay.ts';
import { renameSource } from '../../../src/sources/rename.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

interface Counted {
  readonly root: string;
  readonly source: SkillSource;
  /** The skills whose `SKILL.md` was opened since the last call. */
  readonly opened: () => readonly string[];
}

/** A real directory of skills, on a file system that notes which of them it opens. */
async function makeCounted(id: string, names: readonly string[]): Promise<Counted> {
  const root = await makeTemporaryDirectory();
  for (const name of names) await writeTree(root, { [`${name}/SKILL.md`]: skillText(name) });
  // A file that was just written has no stamp, so it would be read again.
  await setTimeout(80);
  let opened: string[] = [];
  const files: FileSystem = {
    ...nodeFileSystem,
    open: (path, flags) => {
      const directory = dirname(path);
      if (basename(path) === 'SKILL.md' && directory !== root) opened.push(basename(directory));
      return nodeFileSystem.open(path, flags);
    },
  };
  return {
    root,
    source: createFileSource(files, root, { id }),
    opened: () => {
      const since = opened.toSorted();
      opened = [];
      return since;
    },
  };
}

const names = ({ skills }: Catalog): readonly string[] => skills.map(({ name }) => name);

async function rewrite({ root }: Counted, name: string, text: string): Promise<void> {
  await writeFile(join(root, name, 'SKILL.md'), text);
  await setTimeout(80);
}

it('a reload through several layers reads what changed, and returns the same catalog if nothing did', async () => {
  const team = await makeCounted('team', ['deploy', 'notes']);
  const base = await makeCounted('base', ['deploy', 'lint', 'secret']);
  const layered = renameSource(
    filterSource(overlaySource(team.source, base.source), ({ name }) => name !== 'secret'),
    (name) => `acme/${name}`,
  );
  const opened = () => [team.opened(), base.opened()];

  const first = await loadCatalog([layered]);
  expect(names(first)).toEqual(['acme/deploy', 'acme/lint', 'acme/notes']);
  expect(opened()).toEqual([
    ['deploy', 'notes'],
    ['deploy', 'lint', 'secret'],
  ]);

  const second = await loadCatalog([layered], { previous: first });
  expect(second).toBe(first);
  expect(opened()).toEqual([[], []]);

  await rewrite(base, 'lint', skillText('format'));
  const third = await loadCatalog([layered], { previous: second });
  expect(names(third)).toEqual(['acme/deploy', 'acme/format', 'acme/notes']);
  expect(opened()).toEqual([[], ['lint']]);
  const deploy = third.skills.find(({ name }) => name === 'acme/deploy');
  expect(deploy === undefined ? '' : new TextDecoder().decode(await layered.readFile(deploy, 'SKILL.md'))).toBe(
    skillText('deploy'),
  );
});

it('a filtered skill is read once it is kept, and filtered again without a read', async () => {
  const { source, opened } = await makeCounted('project', ['a', 'b', 'c']);
  let refused = ['b'];
  const filtered = filterSource(source, ({ name }) => !refused.includes(name));
  const first = await loadCatalog([filtered]);
  opened();
  refused = [];
  const second = await loadCatalog([filtered], { previous: first });
  expect([names(second), opened()]).toEqual([['a', 'b', 'c'], ['b']]);
  refused = ['a', 'c'];
  const third = await loadCatalog([filtered], { previous: second });
  expect([names(third), opened()]).toEqual([['b'], []]);
  // A catalog without a previous one needs every head.
  expect(names(await loadCatalog([filtered]))).toEqual(['b']);
  expect(opened()).toContain('b');
});

it('a new name from `renameSource` is a change, and an older catalog keeps its names', async () => {
  const { source, opened } = await makeCounted('project', ['a']);
  let suffix = '-1';
  const renamed = renameSource(source, (name) => name + suffix);
  const first = await loadCatalog([renamed]);
  suffix = '-2';
  const second = await loadCatalog([renamed], { previous: first });
  opened();
  expect([names(first), names(second)]).toEqual([['a-1'], ['a-2']]);
  expect([await loadCatalog([renamed], { previous: second }), opened()]).toEqual([second, []]);
});

it('a replaced skill comes back when its replacement is removed', async () => {
  const team = await makeCounted('team', ['deploy']);
  const base = await makeCounted('base', ['deploy', 'lint']);
  let isAway = false;
  const both = overlaySource(
    filterSource(team.source, () => !isAway),
    base.source,
  );
  const locations = ({ skills }: Catalog) => skills.map(({ location }) => location);
  const first = await loadCatalog([both]);
  isAway = true;
  base.opened();
  const second = await loadCatalog([both], { previous: first });
  expect([locations(first)[0], locations(second)[0]]).toEqual([
    join(team.root, 'deploy/SKILL.md'),
    join(base.root, 'deploy/SKILL.md'),
  ]);
  expect(base.opened()).toEqual(['deploy']);
});

it('a layer is not confused with its source of the same id, nor with another layer', async () => {
  const { source } = await makeCounted('project', ['a']);
  const bare = await loadCatalog([source]);
  const prefixed = await loadCatalog([renameSource(source, (name) => `x/${name}`)], { previous: bare });
  const other = await loadCatalog([renameSource(source, (name) => `y/${name}`)], { previous: prefixed });
  const filtered = await loadCatalog([filterSource(source, () => true)], { previous: other });
  const again = await loadCatalog([source], { previous: filtered });
  expect([prefixed, other, filtered, again].map(names)).toEqual([['x/a'], ['y/a'], ['a'], ['a']]);
});

it('an expired cache reads only what changed', async () => {
  const counted = await makeCounted('project', ['a', 'b']);
  const cached = cacheSource(counted.source, { maxAge: 0 });
  const first = await loadCatalog([cached]);
  counted.opened();
  expect(await loadCatalog([cached], { previous: first })).toBe(first);
  expect(counted.opened()).toEqual([]);
  // A caller that does not know the entries gets their heads from the cache.
  expect([names(await loadCatalog([cached])), counted.opened()]).toEqual([['a', 'b'], []]);
  await rewrite(counted, 'a', skillText('c'));
  expect([names(await loadCatalog([cached], { previous: first })), counted.opened()]).toEqual([['b', 'c'], ['a']]);
});
