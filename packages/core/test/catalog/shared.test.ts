import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Catalog, type LoadCatalogOptions, loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { renameSource } from '../../src/sources/rename.ts';
import { countTurns } from '../runtime/event-loop.ts';

const skillFile = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n`;
const files = { 'pdf/SKILL.md': skillFile('pdf'), 'Zip/SKILL.md': skillFile('Zip'), 'bad/SKILL.md': '# Nothing\n' };
const outcome = ({ skills, rejected, diagnostics }: Catalog) => ({
  skills: skills.map(({ name }) => name),
  rejected: rejected.map(({ location }) => location),
  codes: diagnostics.map(({ code, severity }) => `${code} ${severity}`),
});

describe('catalogs that are loaded over one cache', () => {
  const cached = cacheSource(memorySource(files));
  const load = (source: SkillSource, options?: LoadCatalogOptions) => loadCatalog([source], options);

  it('share the skills, whatever other sources they have', async () => {
    const first = await load(cached);
    const own = memorySource({ 'pdf/SKILL.md': skillFile('pdf') }, { id: 'own' });
    const second = await loadCatalog([own, cached]);
    expect(second.skills.map(({ source }) => source.id)).toEqual(['memory', 'own']);
    expect(second.skills[0]).toBe(first.skills[0]);
    expect(second.shadowed[0]?.skill).toBe(first.skills[1]);
    expect(second.rejected).toEqual(first.rejected);
  });

  it('are one and the same if nothing distinguishes them', async () => {
    const source = cacheSource(memorySource(files));
    const first = await load(source);
    expect(await load(source, { settings: () => ({ isEnabled: () => true }) })).toBe(first);
    const settings = () => ({ isEnabled: ({ name }: { readonly name: string }) => name !== 'pdf' });
    expect((await load(source, { settings })).skills.map(({ name }) => name)).toEqual(['Zip']);
    expect(await load(source)).toBe(first);
    expect(await load(source, { profile: 'strict' })).not.toBe(first);
    const tenants = ['own', 'other'].map((name) => {
      const own = cacheSource(memorySource({ [`${name}/SKILL.md`]: skillFile(name) }));
      return { name, load: () => loadCatalog([source, own]) };
    });
    const catalogs = new Map<string, Catalog>();
    for (const { name, load } of tenants) catalogs.set(name, await load());
    for (const { name, load } of tenants) {
      const again = await load();
      expect(again).toBe(catalogs.get(name));
      expect(again.skills.map((skill) => skill.name)).toEqual(['Zip', name, 'pdf'].sort());
    }
  });

  it('share what was parsed through layers that give names or leave skills out', async () => {
    const [zip, pdf] = (await load(cached)).skills;
    const named = await load(renameSource(cached, (name) => `acme/${name.toLowerCase()}`));
    expect(named.skills.map(({ name }) => name)).toEqual(['acme/pdf', 'acme/zip']);
    expect(named.skills[0]?.properties).toBe(pdf?.properties);
    const filtered = await load(filterSource(cached, ({ name }) => name !== 'pdf'));
    expect(filtered.skills.map(({ name }) => name)).toEqual(['Zip']);
    expect(filtered.skills[0]?.properties).toBe(zip?.properties);
  });

  it('let the event loop turn while thousands of names are decided', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`s${n}/SKILL.md`, skillFile(`s${n}`)]));
    const source = cacheSource(memorySource(many));
    await load(source);
    let now = Date.now();
    // Each look at the clock finds 7 ms gone, so every second one ends a turn.
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 7));
    onTestFinished(() => clock.mockRestore());
    const own = memorySource({ 'own/SKILL.md': skillFile('own') });
    expect(await countTurns(() => loadCatalog([own, source]))).toBeGreaterThanOrEqual(5);
  });

  it('are each right for their own profile', async () => {
    const lenient = { skills: ['Zip', 'pdf'], rejected: ['bad/SKILL.md'] };
    const strict = { skills: ['pdf'], rejected: ['Zip/SKILL.md', 'bad/SKILL.md'] };
    expect(outcome(await load(cached))).toEqual({
      ...lenient,
      codes: ['name-uppercase warning', 'frontmatter-missing error'],
    });
    expect(outcome(await load(cached, { profile: 'strict' }))).toEqual({
      ...strict,
      codes: ['name-uppercase error', 'frontmatter-missing error'],
    });
    expect(outcome(await load(cached))).toMatchObject(lenient);
  });

  it('look at a listing that a source returns again only once for each profile', async () => {
    const { entries } = await cached.list();
    let looks = 0;
    const counted = new Proxy(entries, {
      get: (target, key, receiver) => {
        if (key === Symbol.iterator) looks += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const listing = { entries: counted, diagnostics: [] };
    const source: SkillSource = { ...memorySource({}), list: async () => listing };
    const profiles = [undefined, undefined, 'strict', 'strict', undefined] as const;
    const counts: number[] = [];
    for (const profile of profiles) counts.push((await load(source, { profile })).skills.length);
    // The first look checks what the source returned.
    expect([counts, looks]).toEqual([[2, 2, 1, 1, 2], 4]);
  });

  it('take nothing from an entry that came with another sidecar, place or source', async () => {
    const listing = await cached.list();
    const entry = listing.entries.find(({ directory }) => directory === 'pdf');
    if (entry === undefined) throw new Error('The skill was not found.');
    const give = (change: object, id = 'memory'): SkillSource => ({
      ...memorySource({}, { id }),
      list: async () => ({ entries: [{ ...entry, ...change }], diagnostics: [] }),
    });
    const load = async (source: SkillSource) => (await loadCatalog([source])).skills[0];
    const plain = await load(give({}));
    const hidden = await load(
      give({ sidecar: new TextEncoder().encode('policy: {allow_implicit_invocation: false}') }),
    );
    expect([plain, hidden].map((skill) => skill?.properties.disableModelInvocation)).toEqual([false, true]);
    const moved = await loadCatalog([give({ directory: 'doc', location: 'doc/SKILL.md' })]);
    expect(moved.diagnostics.map(({ code, location }) => [code, location])).toEqual([
      ['name-directory-mismatch', 'doc/SKILL.md'],
    ]);
    const other = await loadCatalog([give({ directory: 'doc', location: 'doc/SKILL.md' }, 'other')]);
    expect(other.diagnostics.map(({ source }) => source)).toEqual(['other']);
  });

  it('see a file that has changed once the cache has asked again', async () => {
    let text = skillFile('pdf');
    const inner = memorySource({});
    const changing = cacheSource(
      { ...inner, list: async () => memorySource({ 'pdf/SKILL.md': text }).list() },
      { maxAge: 0 },
    );
    const before = await load(changing);
    text = text.replace('Does', 'Reads');
    const after = await load(changing);
    expect([before, after].map(({ skills }) => skills[0]?.description)).toEqual(['Does pdf.', 'Reads pdf.']);
  });

  it('say that the cache could not ask again, each of them', async () => {
    let fails = false;
    const inner = memorySource(files);
    const source: SkillSource = {
      ...inner,
      list: (options) => (fails ? Promise.reject(new Error('no network')) : inner.list(options)),
    };
    const failing = cacheSource(source, { maxAge: 0 });
    const good = await load(failing);
    fails = true;
    const kept = await load(failing);
    expect(kept.skills).toEqual(good.skills);
    expect(kept.diagnostics.filter(({ code }) => code === 'source-kept')).toHaveLength(1);
  });
});
