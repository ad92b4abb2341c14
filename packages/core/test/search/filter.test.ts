import { describe, expect, it } from 'vitest';
import { isMatching } from '../../src/extending.ts';
import {
  type CreateSkillIndex,
  createSkillIndex,
  hybridIndex,
  memorySource,
  type SkillFilter,
} from '../../src/index.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const project = memorySource({}, { id: 'team', scope: 'project' });
const skills = [
  fakeSkill('list', 'Fills forms.', { extensions: { tags: ['PDF', 'Office', 7] } }),
  fakeSkill('nested', 'Fills forms.', { metadata: { tags: '["pdf","web"]', team: 'billing' } }),
  { ...fakeSkill('plain', 'Fills forms.', { extensions: { tags: 'web, pdf' } }), source: project },
  fakeSkill('untagged', 'Fills forms.'),
];

describe('a filter', () => {
  it.each<[string, SkillFilter, readonly string[]]>([
    ['nothing', {}, ['list', 'nested', 'plain', 'untagged']],
    ['a scope', { scope: 'project' }, ['plain']],
    ['the id of a source', { source: 'team' }, ['plain']],
    ['a tag, however tags are written', { tag: ' Pdf' }, ['list', 'nested', 'plain']],
    ['a tag that is not text', { tag: 7 as unknown as string }, []],
    ['a tag that no skill has', { tag: 'pd' }, []],
    ['a field of the metadata', { metadata: { team: 'billing' } }, ['nested']],
    ['another text in a field', { metadata: { team: 'sales' } }, []],
    ['several conditions at once', { tag: 'web', source: 'team' }, ['plain']],
    ['what every object has', { metadata: { constructor: 'x' } }, []],
  ])('keeps the skills with %s', (_, filter, names) => {
    expect(skills.filter((skill) => isMatching(skill, filter)).map(({ name }) => name)).toEqual(names);
    const found = createSkillIndex(skills).search('forms', { filter });
    expect(found.map(({ skill }) => skill.name).sort()).toEqual(names);
  });

  it.each<[string, CreateSkillIndex]>([
    ['words', createSkillIndex],
    ['meaning, too', hybridIndex({ embed: async (texts) => texts.map(() => [1]) })],
  ])('is refused by a search for %s if it is misspelt, because it would find too much', async (_, createIndex) => {
    const search = async (options: object) => createIndex(skills).search('forms', options);
    for (const wrong of [{ fliter: { scope: 'project' } }, { filter: { scop: 'project' } }, { filter: () => true }, 5])
      await expect(search(wrong as object)).rejects.toMatchObject({ code: 'options-invalid' });
  });
});
