import { describe, expect, it } from 'vitest';
import { combineMatches, exactName, type MatchByMeaning, type UnratedMatch } from '../../src/extending.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const skills = new Map(['invoices', 'soup', 'trees', 'fish'].map((name) => [name, fakeSkill(name, 'Does things.')]));
const skillOf = (name: string) => skills.get(name) ?? fakeSkill(name, 'Fills the ranks.');
const match = (name: string, score: number, ...words: readonly string[]): UnratedMatch => {
  return { skill: skillOf(name), score, covered: 0.5, words };
};
const meaning = (name: string, lead: number, closeness?: number): MatchByMeaning => ({
  skill: skillOf(name),
  lead,
  closeness,
});

/** Combines the answers to a query of so many words, which a hundredth of 1,000 skills has. */
const combine = (asked: number, matches: readonly UnratedMatch[], byMeaning: readonly MatchByMeaning[]) =>
  combineMatches({ matches, holders: Array.from({ length: asked }, () => 10), skills: 1_000 }, byMeaning).map(
    ({ skill, band, words }) => [skill.name, band, ...words],
  );

describe('combineMatches', () => {
  it('puts first what both ways find, and keeps the words', () => {
    const byWords = [match('soup', 12, 'hot'), match('trees', 10, 'oak')];
    expect(combine(2, byWords, [meaning('trees', 3, 2), meaning('fish', 2, 4), meaning('invoices', 1, 3)])).toEqual([
      ['trees', 'strong', 'oak'],
      ['soup', 'strong', 'hot'],
      ['fish', 'weak'],
      ['invoices', 'none'],
    ]);
  });

  it('judges by both: few words and a close meaning answer, few words alone do not', () => {
    const bandOf = (closeness?: number) =>
      combine(2, [match('trees', 4, 'oak')], [meaning('trees', 3, closeness)])[0]?.[1];
    expect([bandOf(2), bandOf(), bandOf(-1)]).toEqual(['weak', 'none', 'none']);
  });

  it('lets meaning count the more, the less of the query the best match covers', () => {
    const byMeaning = [meaning('fish', 0.9), meaning('trees', 0.8)];
    const firstOf = (covered: number) =>
      combine(3, [{ ...match('soup', 9, 'hot'), covered }, match('trees', 6)], byMeaning)[0]?.[0];
    expect([firstOf(1), firstOf(0.7), firstOf(0.2)]).toEqual(['soup', 'soup', 'trees']);
  });

  it('ranks by meaning what no word finds, even if the best match has all words of the query', () => {
    const byWords = [{ ...match('soup', 9, 'hot'), covered: 1 }];
    const byMeaning = [meaning('fish', 0.1), meaning('soup', 0.9), meaning('trees', 0.8, 4)];
    expect(combine(1, byWords, byMeaning)).toEqual([
      ['soup', 'weak', 'hot'],
      ['trees', 'weak'],
      ['fish', 'none'],
    ]);
  });

  it('gives a skill nothing for a meaning that is further away than others on average', () => {
    const byWords = [match('soup', 5, 'hot'), match('trees', 4)];
    expect(combine(2, byWords, [meaning('fish', 1), meaning('soup', -9)])[0]?.[0]).toBe('soup');
    expect(combine(2, byWords, [meaning('soup', -9)])[0]?.[0]).toBe('soup');
  });

  it('ranks by meaning what no word finds', () => {
    expect(combine(1, [], [meaning('soup', 0.1, 3), meaning('fish', 0.2, 4)])).toEqual([
      ['fish', 'weak'],
      ['soup', 'none'],
    ]);
  });

  it('combines more matches than a function may have arguments', () => {
    const byWords = Array.from({ length: 200_000 }, (_, at) => ({
      ...match('fish', at),
      skill: fakeSkill(`s${at}`, ''),
    }));
    const byMeaning = byWords.map(({ skill }, at) => ({ skill, lead: at, closeness: undefined }));
    expect(combine(1, byWords, byMeaning)[0]?.[0]).toBe('s199999');
  });

  it('keeps the skill first whose name is the query', () => {
    const byWords = [match('trees', exactName + 1), match('soup', 9)];
    expect(combine(9, byWords, [meaning('soup', 1)])[0]).toEqual(['trees', 'strong']);
  });
});
