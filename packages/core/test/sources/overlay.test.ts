import { describe, expect, it, vi } from 'vitest';
import { type Catalog, loadCatalog } from '../../src/catalog/catalog.ts';
import { keyOf } from '../../src/skill/listing.ts';
import type { Skill } from '../../src/skill/skill.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { overlaySource } from '../../src/sources/overlay.ts';
import { renameSource } from '../../src/sources/rename.ts';
import { describeSkills, skill, source, stampedSource } from './layer-fixture.ts';

const top = memorySource(
  { 'pdf/SKILL.md': skill('pdf', 'Ours.'), 'pdf/ours.md': 'ours' },
  { id: 'top', scope: 'user' },
);

function find({ skills }: Catalog, name: string): Skill {
  const found = skills.find((each) => each.name === name);
  if (found === undefined) throw new Error('The skill was not found.');
  return found;
}

const read = async (of: Skill, path = 'SKILL.md') => new TextDecoder().decode(await of.source.readFile(of, path));

describe('overlaySource', () => {
  it('replaces a whole skill and reads each file where it came from', async () => {
    const both = overlaySource(top, source);
    expect(await describeSkills(both)).toEqual(['docs: About docs.', 'pdf: Ours.', 'unnamed: Has no name.']);
    const { entries } = await both.list();
    const [pdf, docs] = entries;
    if (docs === undefined || pdf === undefined) throw new Error('A skill was not found.');
    expect(new TextDecoder().decode(await both.readFile(docs, 'SKILL.md'))).toBe(skill('docs'));
    expect(await both.listFiles(pdf)).toEqual({ files: [{ path: 'ours.md', bytes: 4 }], truncated: false });
    expect([both.id, both.scope, both.trusted]).toEqual(['top', 'user', true]);
  });

  it('gives a name that both have to the skill of the first source, whatever the directories are called', async () => {
    const theirs = memorySource({ 'a/SKILL.md': skill('pdf').replace('Body', 'Obey me. Body') });
    const catalog = await loadCatalog([overlaySource(top, theirs)]);
    expect(catalog.skills.map(({ name, directory }) => [name, directory])).toEqual([['pdf', 'pdf']]);
    expect(catalog.shadowed.map(({ skill: { name, directory } }) => [name, directory])).toEqual([['pdf', 'a']]);
  });

  it('asks each source for its own skills, as that source has listed them', async () => {
    const list = vi.fn(source.list);
    const readFile = vi.fn(source.readFile);
    const below = { ...source, list, readFile };
    const both = overlaySource(memorySource({ 'a/SKILL.md': skill('a') }), overlaySource(below));
    const catalog = await loadCatalog([both]);
    await read(find(catalog, 'docs'));
    expect(readFile.mock.lastCall?.[0].origin).toBeUndefined();
    await loadCatalog([both], { previous: catalog });
    const { entries } = await source.list();
    expect([...(list.mock.lastCall?.[0]?.known?.keys() ?? [])].sort()).toEqual(entries.map(keyOf).sort());
  });

  it('hides no skill of the same source: directories of one name with two skills', async () => {
    const groups = memorySource({ 'one/pdf/SKILL.md': skill('read-pdf'), 'two/pdf/SKILL.md': skill('write-pdf') });
    expect(await describeSkills(overlaySource(groups, source))).toEqual([
      'docs: About docs.',
      'read-pdf: About read-pdf.',
      'unnamed: Has no name.',
      'write-pdf: About write-pdf.',
    ]);
  });

  it('is trusted only if all of its sources are, and knows only what a listing returned', async () => {
    expect(overlaySource(top, memorySource({}, { trusted: false })).trusted).toBe(false);
    // The text of a configuration is no trust.
    expect(overlaySource({ ...source, trusted: 'false' as unknown as boolean }, top).trusted).toBe(false);
    for (const origin of [undefined, '', '0', '7:', 'x:', '-1:']) {
      const stranger = { directory: 'pdf', location: 'pdf/SKILL.md', origin };
      await expect(overlaySource(top).readFile(stranger, 'SKILL.md')).rejects.toMatchObject({ code: 'skill-unknown' });
      await expect(overlaySource(top).listFiles(stranger)).rejects.toMatchObject({ code: 'skill-unknown' });
    }
    expect(() => overlaySource()).toThrow('needs at least one source');
  });

  it('is remote if one of its sources is, so that a person is still asked about the skills of that one', () => {
    const remote = memorySource({}, { scope: 'remote' });
    expect(overlaySource(top, remote)).toMatchObject({ id: 'top', scope: 'remote' });
    expect(overlaySource(remote, top)).toMatchObject({ id: 'memory', scope: 'remote' });
  });
});

describe('a skill of an older catalog', () => {
  it('is still read where it came from after another listing', async () => {
    const team = stampedSource({});
    const base = memorySource({ 'deploy/SKILL.md': skill('deploy', 'Base.'), 'deploy/a.md': 'of base' });
    const both = overlaySource(team.source, base);
    const old = find(await loadCatalog([both]), 'deploy');
    team.files = { 'deploy/SKILL.md': skill('deploy', 'Team.'), 'deploy/a.md': 'of the team' };
    const now = find(await loadCatalog([both]), 'deploy');
    expect([await read(old, 'a.md'), await read(now, 'a.md')]).toEqual(['of base', 'of the team']);
  });

  it('is still read if the newest listing leaves it out', async () => {
    let isAway = false;
    const both = overlaySource(
      filterSource(source, () => !isAway),
      top,
    );
    const old = find(await loadCatalog([both]), 'docs');
    isAway = true;
    expect((await both.list()).entries.map(({ directory }) => directory)).toEqual(['pdf']);
    expect(await read(old)).toBe(skill('docs'));
  });

  it('is still read through layers and overlays below, each file from the cache that is on the way', async () => {
    const inner = stampedSource({ 'zip/SKILL.md': skill('zip') });
    const cached = cacheSource(overlaySource(memorySource({ 'csv/SKILL.md': skill('csv') }), inner.source));
    const outer = renameSource(overlaySource(top, cached), (name) => `acme/${name}`);
    const zip = find(await loadCatalog([outer]), 'acme/zip');
    inner.read();
    expect([await read(zip), await read(zip), inner.read()]).toEqual([skill('zip'), skill('zip'), ['zip']]);
    expect(await read(find(await loadCatalog([outer]), 'acme/csv'))).toBe(skill('csv'));
  });

  it('has a file of its own in a cache, though another source has the same directory now', async () => {
    const team = stampedSource({});
    const base = memorySource({ 'deploy/SKILL.md': skill('deploy'), 'deploy/a.md': 'of base' });
    vi.useFakeTimers({ now: 0, toFake: ['performance'] });
    try {
      const cached = cacheSource(overlaySource(team.source, base), { maxAge: 1000 });
      const old = find(await loadCatalog([cached]), 'deploy');
      team.files = { 'deploy/SKILL.md': skill('deploy'), 'deploy/a.md': 'of the team' };
      vi.advanceTimersByTime(1000);
      const now = find(await loadCatalog([cached]), 'deploy');
      expect([await read(old, 'a.md'), await read(now, 'a.md')]).toEqual(['of base', 'of the team']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a reload', () => {
  it('reads neither what has not changed nor what is hidden, and returns the very same catalog', async () => {
    const team = stampedSource({ 'deploy/SKILL.md': skill('deploy', 'Team.') });
    const base = stampedSource({ 'deploy/SKILL.md': skill('deploy', 'Of base.'), 'lint/SKILL.md': skill('lint') });
    const both = overlaySource(overlaySource(team.source), base.source);
    const first = await loadCatalog([both]);
    expect([team.read(), base.read()]).toEqual([['deploy'], ['deploy', 'lint']]);
    expect(await loadCatalog([both], { previous: first })).toBe(first);
    expect([team.read(), base.read()]).toEqual([[], []]);
  });

  it('does not read what a filter below has refused', async () => {
    const base = stampedSource({ 'deploy/SKILL.md': skill('deploy'), 'lint/SKILL.md': skill('lint') });
    const both = overlaySource(
      top,
      filterSource(base.source, ({ name }) => name !== 'lint'),
    );
    const first = await loadCatalog([both]);
    base.read();
    await loadCatalog([both], { previous: first });
    expect(base.read()).toEqual([]);
  });

  it('takes no skill for the one of another source in a directory of the same name with the same stamp', async () => {
    const team = stampedSource({ 'deploy/SKILL.md': skill('deploy', 'Team.') });
    const base = stampedSource({ 'deploy/SKILL.md': skill('deploy', 'Base.') });
    const both = overlaySource(team.source, base.source);
    const first = await loadCatalog([both]);
    team.files = {};
    base.read();
    const second = await loadCatalog([both], { previous: first });
    expect([find(first, 'deploy').description, find(second, 'deploy').description]).toEqual(['Team.', 'Base.']);
    expect(base.read()).toEqual(['deploy']);
  });
});
