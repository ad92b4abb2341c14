import { describe, expect, it } from 'vitest';
import { compareCatalogs } from '../../src/catalog/compare.ts';
import { watchCatalog } from '../../src/catalog/watch.ts';
import { type Catalog, loadCatalog, memorySource } from '../../src/index.ts';

const skill = (name: string, description = 'D.'): string => `---\nname: ${name}\ndescription: ${description}\n---\n`;

/** Loads sources of one id, each with one skill in a directory of one name. */
const load = (texts: readonly string[], previous?: Catalog): Promise<Catalog> =>
  loadCatalog(
    texts.map((text) => memorySource({ 'a/SKILL.md': text })),
    { previous },
  );

async function compare(before: readonly string[], after: readonly string[]) {
  const old = await load(before);
  const { added, changed, removed } = compareCatalogs(old, await load(after, old));
  const names = (skills: Catalog['skills']) => skills.map(({ name }) => name).join();
  return [names(added), names(changed), names(removed)];
}

describe('compareCatalogs', () => {
  it('sees what changed in each of several sources of one id with directories of one name', async () => {
    const two = [skill('one'), skill('two')] as const;
    expect(await compare(two, two)).toEqual(['', '', '']);
    expect(await compare(two, [skill('one', 'Other.'), two[1]])).toEqual(['', 'one', '']);
    expect(await compare(two, [two[0], skill('two', 'Other.')])).toEqual(['', 'two', '']);
    expect(await compare(two, [skill('three'), two[1]])).toEqual(['', 'three', '']);
    expect(await compare(two, ['broken', two[1]])).toEqual(['', '', 'one']);
    expect(await compare(two, [two[0]])).toEqual(['', '', 'two']);
    expect(await compare([two[0]], two)).toEqual(['two', '', '']);
  });
});

describe('watchCatalog', () => {
  it('takes no good skill for half written, because another source of its id has a broken one', async () => {
    let first = skill('one');
    const told: string[] = [];
    const watch = await watchCatalog(() => [first, 'broken'].map((text) => memorySource({ 'a/SKILL.md': text })), {
      patience: 60_000,
      onChange: (_, { changed }) => {
        told.push(...changed.map(({ description }) => description));
      },
    });
    first = skill('one', 'Other.');
    await watch.check();
    watch.close();
    expect(told).toEqual(['Other.']);
  });
});
