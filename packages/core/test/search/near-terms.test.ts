import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFindNear } from '../../src/search/near-terms.ts';
import { closestNames } from '../../src/text/closest.ts';

const long = 'x'.repeat(31);
const findNear = createFindNear(
  [
    ...['deploy', 'deploi', 'iso27001', 'iso', 'python', 'refactor', 'schedule', 'sched', 'scheme', 'scherzo'],
    ...['scholar', 'test', 'web', '翻訳', '翻案', `${long}y`, `${long}yy`],
  ].sort(),
);

describe('the known terms that an unknown one may mean', () => {
  it.each<[string, string, readonly string[]]>([
    ['up to three that begin with it, in their order', 'sche', ['sched', 'schedule', 'scheme']],
    ['none that begin with two letters', 'we', []],
    ['those that begin with one character of Chinese', '翻', ['翻案', '翻訳']],
    ['none that go on in a number', 'iso27', []],
    ['one typo in four letters, also in the first', 'fest', ['test']],
    ['none in three', 'wev', []],
    ['one typo in seven letters', 'scholra', ['scholar']],
    ['not two', 'scohlra', []],
    ['two typos in eight letters', 'scheudel', ['schedule']],
    ['not with another first letter', 'cshedlue', []],
    ['not three', 'refcatros', []],
    ['a term without the number', 'iso2', ['iso']],
    ['a term without the last number', 'python4', ['python']],
    ['no term with another number', 'iso27002', []],
    ['typos in 32 characters', `${'x'.repeat(30)}zy`, [`${long}y`, `${long}yy`]],
    ['not in 33', `${long}zy`, []],
  ])('%s', (_, term, near) => {
    expect(findNear(term)).toEqual(near);
  });

  it('are those that are found if each term is compared', () => {
    const letters = fc.array(fc.constantFrom(...'abcdQ字é'), { minLength: 3, maxLength: 9 });
    const terms = letters.map((list) => list.join(''));
    const check = fc.property(fc.uniqueArray(terms, { maxLength: 30 }), terms, (known, term) => {
      const sorted = known.filter((each) => !each.startsWith(term)).sort();
      const edits = term.length < 8 ? 1 : 2;
      const possible = sorted.filter((each) => edits === 1 || each[0] === term[0]);
      expect(createFindNear(sorted)(term)).toEqual(term.length < 4 ? [] : closestNames(term, possible, edits));
    });
    fc.assert(check, { numRuns: 2_000 });
  });
});
