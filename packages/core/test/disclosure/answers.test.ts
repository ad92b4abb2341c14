import { expect, it } from 'vitest';
import {
  renderAmbiguousSkill,
  renderMatches,
  renderRest,
  renderScriptResult,
  renderSkillLine,
  renderTextResource,
  renderToolLocked,
  renderToolRestricted,
  renderUnknownLine,
} from '../../src/disclosure/answers.ts';
import type { ScriptResult } from '../../src/scripts/plan.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const many = Array.from({ length: 1000 }, (_, index) => `name-${index}`);

function renderScript(changed: Partial<ScriptResult>): string {
  const plan = { skill: 'x', path: 'scripts/a.sh', arguments: [], files: new Map<string, Uint8Array>(), digest: '' };
  const result = { exitCode: 0, output: '', errors: '', truncated: false, timedOut: false };
  return renderScriptResult(plan, { ...result, ...changed });
}

it.each([
  ['a name of many skills', renderAmbiguousSkill('name', many)],
  ['a tool that many skills unlock', renderToolLocked('mail', many)],
  [
    'a tool that long patterns exclude',
    renderToolRestricted(
      'mail',
      many.map((name) => name.repeat(100)),
    ),
  ],
  ['a script that leaves many files', renderScript({ deleted: many })],
])('stays short about %s', (_, text) => {
  expect(text.length).toBeLessThan(2_500);
});

it('shows nothing hidden of the tools that a skill wants to use', () => {
  const skill = fakeSkill('x', 'D.', { allowedTools: ['Re\u200bad', '\u{e0041}Write'] });
  expect(JSON.parse(renderSkillLine(skill))).toMatchObject({ allowedTools: ['Read', 'Write'] });
});

it.each([
  [{ exitCode: 3 }, 'exit="3"'],
  [{ exitCode: undefined }, 'exit="signal"'],
  [{ exitCode: undefined, timedOut: true, tooManyProcesses: true }, 'timed-out="true"'],
  [{ exitCode: undefined, tooManyProcesses: true }, 'too-many-processes="true"'],
  [{ truncated: true }, 'exit="0" cut="true"'],
  [{ output: 'x'.repeat(40_000) }, 'exit="0" cut="true"'],
  [{ errors: 'x'.repeat(40_000) }, 'exit="0" cut="true"'],
])('says how a script ended, and whether its output is cut: %j', (result, end) => {
  expect(renderScript(result).split('\n')[0]).toBe(`<script_output skill="x" path="scripts/a.sh" ${end}>`);
});

it('says of which line a page is a part, even if the file has no other', () => {
  const page = { text: 'a', firstLine: 1, lastLine: 1, totalLines: 1 };
  const wrapped = (lines: string) => `<skill_resource skill="x" path="a"${lines}>\na\n</skill_resource>`;
  expect(renderTextResource('x', 'a', page, 'read')).toBe(wrapped(''));
  const first = renderTextResource('x', 'a', { ...page, nextLine: 1, nextCharacter: 5 }, 'read');
  expect(first).toBe(`${wrapped(' lines="1-1" of="1"')}\nContinue with read, "line": 1, "character": 5.`);
  expect(renderTextResource('x', 'a', { ...page, firstCharacter: 5 }, 'read')).toBe(wrapped(' lines="1-1" of="1"'));
});

it('says that a line or a number is past the end', () => {
  const section = { level: 1, title: 'A', start: 1, end: 4 };
  expect([
    renderUnknownLine('a.md', 2, undefined, 1),
    renderUnknownLine('a.md', 9, section, 8),
    renderUnknownLine('a.md', 8, section, 8),
    ...renderRest('file', 1, 0, 1),
    ...renderRest('skill', 7, 0, 2),
  ]).toEqual([
    '`a.md` has 1 line; line 2 is past the end.',
    '`a.md` has 8 lines; line 9 is past the end.',
    'Line 8 of `a.md` is past the end of its section, which ends at line 4.',
    'There is 1 file; number 1 is past the end, because the first is 0.',
    'There are 2 skills; number 7 is past the end, because the first is 0.',
  ]);
});

it('says why a skill was found, unless only its meaning is close', () => {
  const match = { skill: fakeSkill('x', 'Does x.'), score: 1, band: 'weak' } as const;
  expect(renderMatches([{ ...match, words: [] }])).toContain('Does x. (weak)');
  expect(renderMatches([{ ...match, words: ['a', 'b'] }])).toContain('Does x. (weak: a, b)');
});
