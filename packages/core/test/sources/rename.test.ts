import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { renameSource } from '../../src/sources/rename.ts';
import { describeSkills, skill, source } from './layer-fixture.ts';

const prefix = (inner: SkillSource, text: string) => renameSource(inner, (name) => text + name);

describe('renameSource', () => {
  it('gives other names, and the files stay readable', async () => {
    const renamed = renameSource(prefix(source, 'acme-'), (name) => name.toUpperCase());
    const { skills } = await loadCatalog([renamed]);
    expect(skills.map(({ name }) => name)).toEqual(['ACME-DOCS', 'ACME-PDF', 'ACME-UNNAMED']);
    const [docs] = skills;
    if (docs === undefined) throw new Error('The skill was not found.');
    expect(new TextDecoder().decode(await docs.source.readFile(docs, 'SKILL.md'))).toBe(skill('docs'));
  });

  it('reads on if a frontmatter is longer than a head', async () => {
    const long = `---\nlicense: ${'x'.repeat(5000)}\nname: long\ndescription: d\n---\n`;
    const inner = memorySource({ 'a/SKILL.md': long });
    const cut: SkillSource = {
      ...inner,
      list: async () => {
        const { entries, diagnostics } = await inner.list();
        return { entries: entries.map((entry) => ({ ...entry, head: entry.head.subarray(0, 4096) })), diagnostics };
      },
    };
    expect((await prefix(cut, 'p-').list()).entries.map(({ name }) => name)).toEqual(['p-long']);
  });

  it('keeps two sources of the same skills apart', async () => {
    expect(await describeSkills(source, prefix(source, 'b/'))).toHaveLength(6);
  });
});

describe('names from an application', () => {
  const load = async (...sources: readonly SkillSource[]) => {
    const { skills, diagnostics } = await loadCatalog(sources);
    return { names: skills.map(({ name }) => name), messages: diagnostics.map(({ message }) => message) };
  };
  const one = memorySource({ 'pdf/SKILL.md': skill('pdf') });
  const naming = (given: unknown) => renameSource(one, () => given as string);

  it.each([
    ['', '', 'no text'],
    ['  \n', '', 'no text'],
    ['acme//pdf', 'acme//pdf', 'an empty part'],
    ['/pdf', '/pdf', 'an empty part'],
    ['../../x', '../../x', 'only dots'],
    ['a\\b', 'a\\b', 'a path separator'],
    ['a\nb', 'a\\nb', 'a control character'],
    ['a\u2028b', 'a\\u{2028}b', 'the invisible character U+2028'],
    ['a\u202eb', 'a\\u{202e}b', 'the invisible character U+202E'],
    ['\ud800', '\\u{d800}', 'the invisible character U+D800'],
    ['acme/\u0440df', 'acme/\u0440df', 'characters that look alike'],
    ['pdf\u2010x', 'pdf\u2010x', 'characters that look alike'],
    ['x'.repeat(257), `${'x'.repeat(119)}…`, 'more than 256 characters'],
    [undefined, '', 'no text'],
    [{}, '', 'no text'],
    [Promise.resolve('pdf'), '', 'no text'],
  ])('leave the skill its own if they are no names, and say so: %j', async (given, shown, problem) => {
    const message = `\`pdf\` was to be renamed to \`${shown}\`, which contains ${problem}; it keeps its own name.`;
    expect(await load(naming(given))).toEqual({ names: ['pdf'], messages: [message] });
    // A layer above is asked about the name that the skill has in the catalog.
    const asked: string[] = [];
    const seen = filterSource(naming(given), ({ name }) => asked.push(name) > 0);
    expect([await load(seen), asked]).toEqual([{ names: ['pdf'], messages: [message] }, ['pdf']]);
  });

  it('leave the skill its own, too, if they come from the source itself', async () => {
    const source: SkillSource = {
      ...one,
      list: async () => {
        const { entries, diagnostics } = await one.list();
        return { entries: entries.map((entry) => ({ ...entry, name: '../pdf' })), diagnostics };
      },
    };
    const messages = ['`pdf` was to be renamed to `../pdf`, which contains only dots; it keeps its own name.'];
    expect(await load(source)).toEqual({ names: ['pdf'], messages });
    expect(await load(filterSource(source, ({ name }) => name === 'pdf'))).toEqual({ names: ['pdf'], messages });
  });

  it('may have parts, and are kept in the form in which names are compared', async () => {
    expect(await load(naming('acme/tools/ｐdf '))).toEqual({ names: ['acme/tools/pdf'], messages: [] });
  });

  it('leave the skill its own if a prefix makes them too long', async () => {
    const long = memorySource({ 'a/SKILL.md': skill('pdf'), 'b/SKILL.md': skill(`a${'b'.repeat(99)}`) });
    const { names } = await load(prefix(long, 'x'.repeat(200)));
    expect(names).toEqual([`a${'b'.repeat(99)}`, `${'x'.repeat(200)}pdf`]);
  });
});
