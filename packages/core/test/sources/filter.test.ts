import { describe, expect, it } from 'vitest';
import { type Catalog, loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { renameSource } from '../../src/sources/rename.ts';
import { describeSkills, skill, source, stampedSource } from './layer-fixture.ts';

describe('filterSource', () => {
  it('leaves out what is refused, by name', async () => {
    const asked: string[] = [];
    const filtered = filterSource(source, ({ name }) => {
      asked.push(name);
      return name !== 'docs';
    });
    expect(await describeSkills(filtered)).toEqual(['pdf: About pdf.', 'unnamed: Has no name.']);
    expect(asked).toEqual(['docs', 'pdf', 'unnamed']);
  });

  it('reads nothing again that has not changed, also if the layer is made anew, and what it refused once that is kept', async () => {
    const stamped = stampedSource({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b'), 'c/SKILL.md': skill('c') });
    let refused = ['b'];
    const layered = () => filterSource(stamped.source, ({ name }) => !refused.includes(name));
    const load = async (previous?: Catalog) => {
      const catalog = await loadCatalog([layered()], { previous });
      return { catalog, names: catalog.skills.map(({ name }) => name), read: stamped.read() };
    };
    const first = await load();
    expect([first.names, first.read]).toEqual([
      ['a', 'c'],
      ['a', 'b', 'c'],
    ]);
    const second = await load(first.catalog);
    expect([second.names, second.read]).toEqual([['a', 'c'], []]);
    refused = ['a'];
    const third = await load(second.catalog);
    expect([third.names, third.read]).toEqual([['b', 'c'], ['b']]);
  });

  it('reads a refused skill that has changed once, not at each reload', async () => {
    const stamped = stampedSource({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') });
    const filtered = filterSource(stamped.source, ({ name }) => name !== 'b');
    const first = await loadCatalog([filtered]);
    stamped.read();
    stamped.files = { ...stamped.files, 'b/SKILL.md': skill('b', 'Something else.') };
    const second = await loadCatalog([filtered], { previous: first });
    expect([second.skills, stamped.read()]).toEqual([first.skills, ['b']]);
    expect(await loadCatalog([filtered], { previous: second })).toBe(second);
    expect(stamped.read()).toEqual([]);
  });

  it('asks about a skill by its new name once that has changed, also below a cache', async () => {
    const stamped = stampedSource({ 'a/SKILL.md': skill('a') });
    const filtered = filterSource(stamped.source, ({ name }) => name === 'a' || name === 'later');
    const cached = cacheSource(filtered, { maxAge: 0 });
    const first = await loadCatalog([filtered]);
    expect(await describeSkills(cached)).toEqual(['a: About a.']);
    for (const name of ['later', 'another']) {
      stamped.files = { 'a/SKILL.md': skill(name) };
      const { skills } = await loadCatalog([filtered], { previous: first });
      const names = name === 'later' ? ['later'] : [];
      expect([skills.map((found) => found.name), await describeSkills(cached)]).toEqual([
        names,
        names.map(() => `${name}: About ${name}.`),
      ]);
    }
  });

  it('reads nothing again below a cache or below other layers', async () => {
    const stamped = stampedSource({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') });
    const renamed = renameSource(stamped.source, (name) => `acme/${name}`);
    const kept = filterSource(renamed, ({ name }) => name !== 'acme/b');
    const layered = cacheSource(
      filterSource(kept, () => true),
      { maxAge: 0 },
    );
    const first = await loadCatalog([layered]);
    expect([first.skills.map(({ name }) => name), stamped.read()]).toEqual([['acme/a'], ['a', 'b']]);
    expect([await loadCatalog([layered], { previous: first }), stamped.read()]).toEqual([first, []]);
    expect([(await loadCatalog([layered])).skills, stamped.read()]).toEqual([first.skills, []]);
  });

  it('hands over the sidecar, too, of a skill that it refused before', async () => {
    const sidecar = 'policy:\n  allow_implicit_invocation: false\n';
    const stamped = stampedSource({ 'a/SKILL.md': skill('a'), 'a/agents/openai.yaml': sidecar });
    let isKept = false;
    const filtered = filterSource(stamped.source, () => isKept);
    const first = await loadCatalog([filtered]);
    isKept = true;
    const { skills } = await loadCatalog([filtered], { previous: first });
    expect(skills.map(({ properties }) => properties.disableModelInvocation)).toEqual([true]);
  });

  it('asks about each skill by the name of its own directory, though their files are the same', async () => {
    const unnamed = memorySource({ 'a/SKILL.md': '---\ndescription: Has no name.\n---\n' });
    const { entries } = await unnamed.list();
    const twice = entries.flatMap((entry) => [entry, { ...entry, directory: 'b', location: 'b/SKILL.md' }]);
    const asked: string[] = [];
    const filtered = filterSource(
      { ...unnamed, list: async () => ({ entries: twice, diagnostics: [] }) },
      ({ name }) => asked.push(name) > 0,
    );
    await filtered.list();
    expect(asked).toEqual(['a', 'b']);
  });

  it('reads a skill whole again if a layer has it read by other rules', async () => {
    const sidecar = 'policy:\n  allow_implicit_invocation: false\n';
    const stamped = stampedSource({
      'a/SKILL.md': skill('a'),
      'a/agents/openai.yaml': sidecar,
      'B/SKILL.md': skill('B'),
    });
    const strict: SkillSource = {
      ...stamped.source,
      async list(options) {
        const { entries, diagnostics } = await stamped.source.list(options);
        return { entries: entries.map((entry) => ({ ...entry, profile: 'strict' })), diagnostics };
      },
    };
    const first = await loadCatalog([stamped.source]);
    const second = await loadCatalog([strict], { previous: first });
    expect(second.skills.map(({ profile, properties }) => [profile, properties.disableModelInvocation])).toEqual([
      ['strict', true],
    ]);
    expect(second.rejected.map(({ name }) => name)).toEqual(['B']);
  });
});
