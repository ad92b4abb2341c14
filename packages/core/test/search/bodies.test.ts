import { describe, expect, it } from 'vitest';
import { createSkillIndex, loadCatalog, memorySource, readBodies, type SkillSource } from '../../src/index.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const text = (name: string, body: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`;
const files = {
  'invoices/SKILL.md': text(
    'invoices',
    `# Overdue payments\n\n${'Write. '.repeat(400)}\n## Reminder letters\nby pigeon\n`,
  ),
  'reports/SKILL.md': text('reports', 'Start with the ledger.'),
};

/** Counts what is read. */
function counting(source: SkillSource) {
  const read: string[] = [];
  const readFile: SkillSource['readFile'] = (skill, ...rest) => {
    read.push(skill.directory);
    return source.readFile(skill, ...rest);
  };
  return { read, source: { ...source, readFile } };
}

describe('readBodies', () => {
  it('lets an index find skills by how their instructions begin, and by their headings', async () => {
    const { skills } = await loadCatalog([memorySource(files)]);
    const index = createSkillIndex(skills, { bodies: await readBodies(skills) });
    const find = (query: string) => index.search(query).map(({ skill }) => skill.name);
    expect(['overdue', 'reminder', 'ledger'].map(find)).toEqual([['invoices'], ['invoices'], ['reports']]);
    expect(find('pigeon')).toEqual([]);
  });

  it('ranks a skill higher if its instructions have a word more often, but not as high as its description', () => {
    const skills = [fakeSkill('a', 'Does this.'), fakeSkill('b', 'Does that.'), fakeSkill('c', 'Has a ledger.')];
    const bodies = new Map(
      skills.map((skill, index) => [skill, ['ledger', 'ledger, ledger, ledger', ''][index] ?? '']),
    );
    const found = createSkillIndex(skills, { bodies }).search('ledger');
    expect(found.map(({ skill }) => skill.name)).toEqual(['c', 'b', 'a']);
  });

  it('reads only what is not known', async () => {
    const { read, source } = counting(memorySource(files));
    const { skills } = await loadCatalog([source]);
    const known = await readBodies(skills.slice(0, 1));
    const bodies = await readBodies(skills, { known });
    expect(read).toEqual(['invoices', 'reports']);
    expect([...bodies.keys()]).toEqual(skills);
  });

  it('leaves out what cannot be read', async () => {
    const bodies = await readBodies([fakeSkill('gone', 'Was there.')]);
    expect([...bodies]).toEqual([]);
  });

  it('stops when it is told to', async () => {
    const signal = AbortSignal.abort(new Error('Enough.'));
    await expect(readBodies([fakeSkill('gone', 'Was there.')], { signal })).rejects.toThrow('Enough.');
  });
});
