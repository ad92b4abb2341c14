import { describe, expect, it } from 'vitest';
import { combineMatches } from '../../src/extending.ts';
import type { SkillMatch } from '../../src/index.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const skills = new Map(['invoices', 'soup', 'trees', 'fish'].map((name) => [name, fakeSkill(name, 'Does things.')]));
const match = (name: string, score: number, band: SkillMatch['band'], ...words: readonly string[]): SkillMatch => {
  const skill = skills.get(name) ?? fakeSkill(name, 'Fills the ranks.');
  return { skill, score, band, words };
};
const combine = (query: string, byWords: readonly SkillMatch[], byMeaning: readonly SkillMatch[]) =>
  combineMatches(query, byWords, byMeaning).map(({ skill, band, words }) => [skill.name, band, ...words]);

describe('combineMatches', () => {
  it('puts first what both ways find, and keeps the words and the better band', () => {
    const byWords = [match('soup', 8, 'strong', 'hot'), match('trees', 7, 'none', 'oak')];
    expect(combine('hot oak', byWords, [match('trees', 3, 'weak'), match('fish', 2, 'weak')])).toEqual([
      ['trees', 'weak', 'oak'],
      ['soup', 'strong', 'hot'],
      ['fish', 'weak'],
    ]);
  });

  it('lets meaning count the more, the fewer words of the query the best match has', () => {
    const byMeaning = [match('fish', 0.9, 'weak'), match('trees', 0.8, 'weak')];
    const firstOf = (query: string, ...words: readonly string[]) =>
      combine(query, [match('soup', 9, 'weak', ...words), match('trees', 6, 'weak')], byMeaning)[0]?.[0];
    expect(firstOf('hot dinner', 'hot', 'dinner')).toBe('soup');
    expect(firstOf('hot dinner tonight, please', 'hot', 'dinner')).toBe('soup');
    expect(firstOf('hot dinner for guests from the far north', 'hot')).toBe('trees');
  });

  it('gives a skill nothing for a meaning that is further away than others on average', () => {
    const byWords = [match('soup', 5, 'weak', 'hot'), match('trees', 4, 'weak')];
    const byMeaning = [match('fish', 1, 'none'), match('soup', -9, 'none')];
    expect(combine('hot oaks', byWords, byMeaning)[0]?.[0]).toBe('soup');
    expect(combine('hot oaks', byWords, [match('soup', -9, 'none')])[0]?.[0]).toBe('soup');
  });

  it('ranks by meaning what no word finds', () => {
    const byMeaning = [match('soup', 0.1, 'none'), match('fish', 0.2, 'weak')];
    expect(combine('hungry', [], byMeaning)).toEqual([
      ['fish', 'weak'],
      ['soup', 'none'],
    ]);
  });

  it('keeps the skill first whose name is the query', () => {
    const byWords = [match('soup', 9, 'weak'), match('trees', 1, 'strong')];
    expect(combine(' trees ', byWords, [match('soup', 1, 'weak')])[0]).toEqual(['trees', 'strong']);
  });
});
