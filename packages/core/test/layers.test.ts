import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../src/catalog.ts';
import { filterSource, overlaySource, prefixSource, renameSource } from '../src/layers.ts';
import { memorySource } from '../src/memory-source.ts';
import type { SkillSource } from '../src/source.ts';

const skill = (name: string, description = `About ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody of ${name}.\n`;

async function describeSkills(...sources: readonly SkillSource[]): Promise<readonly string[]> {
  const { skills } = await loadCatalog(sources);
  return skills.map(({ name, description }) => `${name}: ${description}`);
}

const source = memorySource({
  'pdf/SKILL.md': skill('pdf'),
  'docs/SKILL.md': skill('docs'),
  'unnamed/SKILL.md': '---\ndescription: Has no name.\n---\n',
});

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
});

describe('prefixSource and renameSource', () => {
  it('give other names, and the files stay readable', async () => {
    const renamed = renameSource(prefixSource(source, 'acme-'), (name) => name.toUpperCase());
    const { skills } = await loadCatalog([renamed]);
    expect(skills.map(({ name }) => name)).toEqual(['ACME-DOCS', 'ACME-PDF', 'ACME-UNNAMED']);
    const [docs] = skills;
    if (docs === undefined) throw new Error('The skill was not found.');
    expect(new TextDecoder().decode(await docs.source.readFile(docs, 'SKILL.md'))).toBe(skill('docs'));
  });

  it('read on where a frontmatter is longer than a head', async () => {
    const long = `---\nlicense: ${'x'.repeat(5000)}\nname: long\ndescription: d\n---\n`;
    const inner = memorySource({ 'a/SKILL.md': long });
    const cut: SkillSource = {
      ...inner,
      list: async () => {
        const { entries, diagnostics } = await inner.list();
        return { entries: entries.map((entry) => ({ ...entry, head: entry.head.subarray(0, 4096) })), diagnostics };
      },
    };
    expect((await prefixSource(cut, 'p-').list()).entries.map(({ name }) => name)).toEqual(['p-long']);
  });

  it('keep two sources of the same skills apart', async () => {
    expect(await describeSkills(source, prefixSource(source, 'b/'))).toHaveLength(6);
  });
});

describe('overlaySource', () => {
  const top = memorySource(
    { 'pdf/SKILL.md': skill('pdf', 'Ours.'), 'pdf/ours.md': 'ours' },
    { id: 'top', scope: 'user' },
  );

  it('replaces a whole skill and reads each file where it came from', async () => {
    const both = overlaySource(top, source);
    expect(await describeSkills(both)).toEqual(['docs: About docs.', 'pdf: Ours.', 'unnamed: Has no name.']);
    const { entries } = await both.list();
    const [docs, pdf] = entries;
    if (docs === undefined || pdf === undefined) throw new Error('A skill was not found.');
    expect(new TextDecoder().decode(await both.readFile(docs, 'SKILL.md'))).toBe(skill('docs'));
    expect(await both.listFiles(pdf)).toEqual({ files: [{ path: 'ours.md', bytes: 4 }], truncated: false });
    expect([both.id, both.scope, both.trusted]).toEqual(['top', 'user', true]);
  });

  it('leaves out none of its own: directories of one name with two skills', async () => {
    const groups = memorySource({ 'one/pdf/SKILL.md': skill('read-pdf'), 'two/pdf/SKILL.md': skill('write-pdf') });
    expect(await describeSkills(overlaySource(groups, source))).toEqual([
      'docs: About docs.',
      'read-pdf: About read-pdf.',
      'unnamed: Has no name.',
      'write-pdf: About write-pdf.',
    ]);
  });

  it('is trusted only where all of its sources are, and knows only what it listed', async () => {
    expect(overlaySource(top, memorySource({}, { trusted: false })).trusted).toBe(false);
    const stranger = { directory: 'x', location: 'x/SKILL.md' };
    await expect(overlaySource(top).readFile(stranger, 'SKILL.md')).rejects.toMatchObject({ code: 'skill-unknown' });
    expect(() => overlaySource()).toThrow('no source');
  });
});
