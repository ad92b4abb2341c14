import { describe, expect, it } from 'vitest';
import { addBands, type UnratedMatch } from '../../src/extending.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const skill = fakeSkill('pdf', 'Fills forms.');
const match = { skill, score: 12, covered: 0.5, words: ['form'] };
/** A query of two words in a catalog of 1,000 skills, of which a hundredth has each word. */
const asked = { holders: [10, 10], skills: 1_000 };
const bandsOf = (matches: readonly UnratedMatch[], about = asked) =>
  addBands({ matches, ...about }).map(({ band }) => band);

describe('addBands', () => {
  it('adds a band, and removes what only the bands need', () => {
    expect(addBands({ matches: [match], ...asked })).toEqual([{ skill, score: 12, words: ['form'], band: 'strong' }]);
    expect(addBands({ matches: [], holders: [], skills: 0 })).toEqual([]);
  });

  it('asks for more if the catalog seldom has the words, or there are more skills', () => {
    const doubtful = { ...match, score: 8 };
    expect(bandsOf([doubtful])).toEqual(['weak']);
    expect(bandsOf([doubtful], { ...asked, holders: [10, 0] })).toEqual(['none']);
    expect(bandsOf([doubtful], { holders: [100, 100], skills: 10_000 })).toEqual(['none']);
  });

  it('judges a small catalog like one of 100 skills', () => {
    const poor = { ...match, score: 3 };
    expect(bandsOf([poor], { holders: [1, 0], skills: 100 })).toEqual(['none']);
    expect(bandsOf([poor], { holders: [1, 0], skills: 2 })).toEqual(['none']);
  });

  it('is never none for a skill that has all words, and strong for one whose name is the query', () => {
    expect(bandsOf([{ ...match, score: 0.1, covered: 1 }])).toEqual(['weak']);
    expect(bandsOf([{ ...match, score: 1_000, covered: 0 }], { holders: [], skills: 10 })).toEqual(['strong']);
  });

  it('counts a close meaning for a match, and a distant one against it', () => {
    const bandOf = (score: number, closeness?: number) => bandsOf([{ ...match, score, closeness }])[0];
    expect([bandOf(4), bandOf(4, 2), bandOf(8), bandOf(8, 3), bandOf(8, -2)]).toEqual([
      'none',
      'weak',
      'weak',
      'strong',
      'none',
    ]);
  });

  it('is never strong by meaning alone, however close it is', () => {
    const unsaid = { ...match, score: 0, covered: 0, words: [] };
    expect(bandsOf([{ ...unsaid, closeness: 3 }])).toEqual(['none']);
    expect(bandsOf([{ ...unsaid, closeness: 4 }])).toEqual(['weak']);
    expect(bandsOf([{ ...unsaid, closeness: 40 }])).toEqual(['weak']);
  });

  it('lets others that have words answer if one does', () => {
    const poor = { ...match, score: 1 };
    expect(bandsOf([match, poor, { ...poor, covered: 0 }])).toEqual(['strong', 'weak', 'none']);
    expect(bandsOf([poor, poor])).toEqual(['none', 'none']);
  });
});
