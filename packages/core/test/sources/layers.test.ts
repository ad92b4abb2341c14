import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { filterSource, overlaySource, prefixSource, renameSource } from '../../src/sources/layer.ts';
import { memorySource } from '../../src/sources/memory.ts';

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

describe('names that a host gives', () => {
  const load = async (...sources: readonly SkillSource[]) => {
    const { skills, diagnostics } = await loadCatalog(sources);
    return { names: skills.map(({ name }) => name), messages: diagnostics.map(({ message }) => message) };
  };
  const one = memorySource({ 'pdf/SKILL.md': skill('pdf') });
  const naming = (given: unknown) => renameSource(one, () => given as string);

  it.each([
    ['', '', 'an empty part'],
    ['  \n', '', 'an empty part'],
    ['acme//pdf', 'acme//pdf', 'an empty part'],
    ['/pdf', '/pdf', 'an empty part'],
    ['../../x', '../../x', 'only dots'],
    ['a\\b', 'a\\b', 'a path separator'],
    ['a\nb', 'a\\nb', 'a control character'],
    ['a\u2028b', 'a\\u{2028}b', 'the invisible character U+2028'],
    ['a\u202eb', 'a\\u{202e}b', 'the invisible character U+202E'],
    ['\ud800', '\\u{d800}', 'the invisible character U+D800'],
    ['x'.repeat(257), `${'x'.repeat(119)}…`, 'more than 256 characters'],
    [undefined, '', 'no text'],
    [{}, '', 'no text'],
    [Promise.resolve('pdf'), '', 'no text'],
  ])('that cannot be one, %j, leave the skill its own and say so', async (given, shown, problem) => {
    const message = `\`pdf\` was to be renamed to \`${shown}\`, which contains ${problem}; it keeps its own name.`;
    expect(await load(naming(given))).toEqual({ names: ['pdf'], messages: [message] });
    // A layer above is asked about the name that the skill has in the catalog.
    const asked: string[] = [];
    const seen = filterSource(naming(given), ({ name }) => asked.push(name) > 0);
    expect([await load(seen), asked]).toEqual([{ names: ['pdf'], messages: [message] }, ['pdf']]);
  });

  it('leave the skill its own, also where a source gives them itself', async () => {
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

  it.each(['../', '/', 'a\n', '\u202e', 'x'.repeat(256), 7 as unknown as string])('cannot start with %j', (prefix) => {
    expect(() => prefixSource(one, prefix)).toThrow(expect.objectContaining({ code: 'options-invalid' }));
  });

  it('that become too long by a prefix leave the skill its own', async () => {
    const long = memorySource({ 'a/SKILL.md': skill('pdf'), 'b/SKILL.md': skill(`a${'b'.repeat(99)}`) });
    const { names } = await load(prefixSource(long, 'x'.repeat(200)));
    expect(names).toEqual([`a${'b'.repeat(99)}`, `${'x'.repeat(200)}pdf`]);
  });
});

describe('X19: a host whose function', () => {
  const broken = new Error('no idea');
  const fail = (): never => {
    throw broken;
  };
  it.each([
    ['filterSource', 'failed: no idea', (inner: SkillSource) => filterSource(inner, fail)],
    ['renameSource', 'failed: no idea', (inner: SkillSource) => renameSource(inner, fail)],
    [
      'filterSource',
      'answered with neither true nor false',
      (inner: SkillSource) => filterSource(inner, (async () => false) as unknown as () => boolean),
    ],
  ])('fails in %s, because it %s, loses that source only, with a reason', async (name, how, layer) => {
    const other = memorySource({ 'other/SKILL.md': skill('other') }, { id: 'other' });
    const { skills, diagnostics } = await loadCatalog([layer(source), other]);
    expect(skills.map((found) => found.name)).toEqual(['other']);
    const reason = `The function of \`${name}\` ${how}`;
    expect(diagnostics).toMatchObject([{ code: 'source-failed', message: `The source failed: ${reason}.` }]);
    await expect(layer(source).list()).rejects.toMatchObject({ code: 'source-failed', message: reason });
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
