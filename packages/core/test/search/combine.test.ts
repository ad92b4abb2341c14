import { describe, expect, it } from 'vitest';
import { combineMatches } from '../../src/extending.ts';
import type { SkillMatch } from '../../src/index.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const skills = new Map(['invoices', 'soup', 'trees', 'fish'].map((name) => [name, fakeSkill(name, 'Does things.')]));
const match = (name: string, band: SkillMatch['band'], ...words: readonly string[]): SkillMatch => {
  const skill = skills.get(name) ?? fakeSkill(name, 'Fills the ranks.');
  return { skill, score: 7, band, words };
};
const combine = (query: string, byWords: readonly SkillMatch[], byMeaning: readonly SkillMatch[]) =>
  combineMatches(query, byWords, byMeaning).map(({ skill, band, words }) => [skill.name, band, ...words]);
const others = (letter: string) => Array.from({ length: 8 }, (_, at) => match(`${letter}${at}`, 'none'));

describe('combineMatches', () => {
  it('puts first what both ways find first, and keeps the words and the better band', () => {
    const byWords = [match('trees', 'none', 'oak'), match('soup', 'strong', 'hot')];
    expect(combine('hot oak', byWords, [match('trees', 'weak'), match('fish', 'weak')])).toEqual([
      ['trees', 'weak', 'oak'],
      ['soup', 'strong', 'hot'],
      ['fish', 'weak'],
    ]);
  });

  it('puts what the words find first before what both ways find tenth', () => {
    const byWords = [match('soup', 'weak'), ...others('w'), match('trees', 'weak')];
    const byMeaning = [...others('m'), match('fish', 'weak'), match('trees', 'weak')];
    const ranked = combine('query', byWords, byMeaning).map(([name]) => name);
    expect([ranked[0], ranked.indexOf('trees') > ranked.indexOf('w0')]).toEqual(['soup', true]);
  });

  it('keeps the skill first whose name is the query', () => {
    const byWords = [match('soup', 'weak'), match('trees', 'strong')];
    expect(combine(' trees ', byWords, [match('soup', 'weak')])[0]).toEqual(['trees', 'strong']);
  });
});
