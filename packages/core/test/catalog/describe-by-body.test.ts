import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { type StampedSource, skill, stampedSource } from '../sources/layer-fixture.ts';

const undescribed = '---\nname: notes\n---\n# Notes\n\nTakes notes\nin meetings.\n\nMore.\n';
const files = { 'pdf/SKILL.md': skill('pdf'), 'memo/SKILL.md': undescribed };

/** Hands over heads without bodies, as a directory does, and records which bodies are read. */
function headSource(content: Readonly<Record<string, string>>): Pick<StampedSource, 'source' | 'read'> {
  const { source, read } = stampedSource(content);
  const list: SkillSource['list'] = async (options) => {
    const { entries, diagnostics } = await source.list(options);
    read();
    const cut = entries.map((entry) => ({ ...entry, head: entry.head.subarray(0, entry.head.lastIndexOf(45) + 2) }));
    return { entries: cut, diagnostics };
  };
  return { source: { ...source, list }, read };
}

describe('a catalog that describes skills by their bodies', () => {
  it('loads a skill without a description by its first paragraph, and reads no other body', async () => {
    const { source, read } = headSource(files);
    const { skills, rejected, diagnostics } = await loadCatalog([source], { describeByBody: true });
    expect(skills.map(({ name, description }) => `${name}: ${description}`)).toEqual([
      'notes: Takes notes in meetings.',
      'pdf: About pdf.',
    ]);
    expect(rejected).toEqual([]);
    expect(diagnostics.map(({ code, severity, location }) => `${location} ${severity} ${code}`)).toEqual([
      'memo/SKILL.md warning description-assumed',
      'memo/SKILL.md warning name-directory-mismatch',
    ]);
    expect(read()).toEqual(['memo']);
  });

  it('reads the body if the description is there and empty, too', async () => {
    const { source } = headSource({ 'memo/SKILL.md': '---\nname: memo\ndescription:\n---\nTakes memos.\n' });
    const { skills } = await loadCatalog([source], { describeByBody: true });
    expect(skills.map(({ description }) => description)).toEqual(['Takes memos.']);
  });

  it('leaves nothing of an aborted load to others', async () => {
    const { source } = headSource({ 'memo/SKILL.md': undescribed });
    const listing = await source.list();
    const controller = new AbortController();
    const readFile: SkillSource['readFile'] = (...call) => {
      controller.abort(new Error('stopped'));
      return source.readFile(...call);
    };
    const shared = { ...source, readFile, list: async () => listing };
    const aborted = loadCatalog([shared], { describeByBody: true, signal: controller.signal });
    await expect(aborted).rejects.toThrow('stopped');
    const { skills } = await loadCatalog([shared], { describeByBody: true });
    expect(skills.map(({ name }) => name)).toEqual(['notes']);
  });

  it('reads no body and rejects the skill by default', async () => {
    const { source, read } = headSource(files);
    const { skills, rejected } = await loadCatalog([source]);
    expect(skills.map(({ name }) => name)).toEqual(['pdf']);
    expect(rejected.map(({ directory }) => directory)).toEqual(['memo']);
    expect(read()).toEqual([]);
  });

  it('rejects such a skill under `strict`, and one whose body has no paragraph', async () => {
    const strict = await loadCatalog([memorySource(files)], { describeByBody: true, profile: 'strict' });
    expect(strict.rejected.map(({ directory }) => directory)).toEqual(['memo']);
    const empty = memorySource({ 'memo/SKILL.md': '---\nname: memo\ndescription:\n---\n# Memo\n' });
    expect((await loadCatalog([empty], { describeByBody: true })).diagnostics.map(({ code }) => code)).toEqual([
      'description-empty',
    ]);
  });

  it('shadows and is shadowed like any other skill', async () => {
    const first = memorySource({ 'memo/SKILL.md': undescribed }, { id: 'first' });
    const second = memorySource({ 'notes/SKILL.md': skill('notes') }, { id: 'second' });
    const winner = async (...sources: readonly SkillSource[]) => {
      const { skills, shadowed } = await loadCatalog(sources, { describeByBody: true });
      return [...skills, ...shadowed.map(({ skill: loser }) => loser)].map(({ source }) => source.id);
    };
    expect(await winner(first, second)).toEqual(['first', 'second']);
    expect(await winner(second, first)).toEqual(['second', 'first']);
  });

  it('is not confused with another catalog over the same cache or an earlier one', async () => {
    const cached = cacheSource(headSource(files).source);
    const names = async (describeByBody: boolean, previous?: Awaited<ReturnType<typeof loadCatalog>>) => {
      const catalog = await loadCatalog([cached], { describeByBody, previous });
      return { catalog, names: catalog.skills.map(({ name }) => name) };
    };
    const plain = await names(false);
    const described = await names(true, plain.catalog);
    expect([plain.names, described.names]).toEqual([['pdf'], ['notes', 'pdf']]);
    expect((await names(true, described.catalog)).catalog).toBe(described.catalog);
    expect((await names(false, described.catalog)).names).toEqual(['pdf']);
  });

  it('lets a filter decide by the name that the skill then has, also when it is loaded again', async () => {
    for (const describeByBody of [false, true]) {
      let seen: string[] = [];
      const filtered = filterSource(headSource(files).source, ({ name }) => seen.push(name) > 0);
      const previous = await loadCatalog([filtered], { describeByBody });
      expect(seen).toEqual(['notes', 'pdf']);
      seen = [];
      await loadCatalog([filtered], { describeByBody, previous });
      expect(seen).toEqual(['notes', 'pdf']);
    }
  });

  it('rejects a skill whose body cannot be read, until it can be', async () => {
    const { source } = headSource(files);
    let isAway = true;
    const flaky: SkillSource = {
      ...source,
      readFile: async (...input) => {
        if (isAway) throw new Error('away');
        return source.readFile(...input);
      },
    };
    const before = await loadCatalog([flaky], { describeByBody: true });
    expect(before.rejected.map(({ directory }) => directory)).toEqual(['memo']);
    expect(before.diagnostics.map(({ code, location }) => [code, location])).toEqual([
      ['skill-file-unreadable', 'memo/SKILL.md'],
    ]);
    isAway = false;
    const after = await loadCatalog([flaky], { describeByBody: true, previous: before });
    expect(after.skills.map(({ name }) => name)).toEqual(['notes', 'pdf']);
  });
});
