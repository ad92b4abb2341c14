import { expect, it } from 'vitest';
import {
  renderAmbiguousSkill,
  renderScriptResult,
  renderSkillLine,
  renderToolLocked,
  renderToolRestricted,
} from '../../src/disclosure/answers.ts';
import { fakeSkill } from '../catalog/catalog-fixture.ts';

const many = Array.from({ length: 1000 }, (_, index) => `name-${index}`);

function renderScript(deleted: readonly string[]): string {
  const plan = { skill: 'x', path: 'scripts/a.sh', arguments: [], files: new Map<string, Uint8Array>(), digest: '' };
  const result = { exitCode: 0, output: '', errors: '', truncated: false, timedOut: false, deleted };
  return renderScriptResult(plan, result);
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
  ['a script that leaves many files', renderScript(many)],
])('stays short about %s', (_, text) => {
  expect(text.length).toBeLessThan(2_500);
});

it('shows nothing hidden of the tools that a skill wants to use', () => {
  const skill = fakeSkill('x', 'D.', { allowedTools: ['Re\u200bad', '\u{e0041}Write'] });
  expect(JSON.parse(renderSkillLine(skill))).toMatchObject({ allowedTools: ['Read', 'Write'] });
});
