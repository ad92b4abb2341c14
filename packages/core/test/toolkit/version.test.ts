// Which versions of a framework an adapter accepts.

import { describe, expect, it } from 'vitest';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type PolicyRule,
  type ScriptRunner,
  type ToolkitOptions,
} from '../../src/index.ts';

const toolkit = createToolkit(await loadCatalog([]));
const assert = (version: string, oldest: string) => () =>
  toolkit.assertVersion('@skillful/some', { name: 'some', version }, oldest);

it.each([
  ['1.41.9', '1.42'],
  ['0.24.9', '1.3.2'],
  ['1.3.1', '1.3.2'],
  ['1.3.1-rc.9', '1.3.2'],
  ['5.0.277', '6.0.0'],
])('refuses %s if %s is needed', (version, oldest) => {
  const message = `\`@skillful/some\` needs \`some\` ${oldest} or later, but ${version} is installed. Update \`some\`.`;
  expect(assert(version, oldest)).toThrow(expect.objectContaining({ code: 'framework-too-old', message }));
});

it.each([
  ['1.42.0', '1.42'],
  ['1.100.0-alpha.1', '1.42'],
  ['6.0.0-beta.1', '6.0.0'],
  ['2.0.0', '1.3.2'],
  ['1.3.2', '1.3.2'],
  ['1.10.0', '1.3.2'],
])('accepts %s if %s is needed', (version, oldest) => {
  expect(assert(version, oldest)).not.toThrow();
});

describe('whether people may be asked', () => {
  const files = {
    'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nBody.\n',
    'notes/scripts/a.sh': 'a',
  };
  const catalogOf = (scope: 'builtin' | 'remote') => loadCatalog([memorySource(files, { scope })]);
  const canAsk = async (version: string, options: ToolkitOptions, scope: 'builtin' | 'remote' = 'builtin') =>
    createToolkit(await catalogOf(scope), options).canAsk('@skillful/some', { name: 'some', version }, '1.60.0');
  const runner: ScriptRunner = { run: () => Promise.reject(new Error('Not here.')) };
  const policyOf = (...rules: readonly PolicyRule[]) => definePolicy({ rules });
  const allowsScripts = policyOf({ action: ['read', 'run'], effect: 'allow' });

  it.each<[string, ToolkitOptions, ('builtin' | 'remote')?]>([
    ['by a rule', { policy: policyOf({ skill: 'pdf', effect: 'ask' }) }],
    ['by the default', { policy: definePolicy({ default: 'ask' }) }],
    [
      'by the default, but not about activations',
      { policy: definePolicy({ rules: [{ action: 'activate', effect: 'allow' }], default: 'ask' }) },
    ],
    ['because no rule is about scripts', { runner }],
    [
      'because no rule is about scripts, but about something else',
      { runner, policy: policyOf({ action: 'read', effect: 'allow' }) },
    ],
    ['because a skill is remote', {}, 'remote'],
  ])('a version that cannot is refused if the policy asks %s', async (_, options, scope) => {
    const message =
      '`@skillful/some` needs `some` 1.60.0 or later for a policy that asks people, but 1.59.0 is installed. Update `some`, pass `asks: false`, or allow or deny what the policy asks about.';
    await expect(canAsk('1.59.0', options, scope)).rejects.toMatchObject({ code: 'framework-too-old', message });
    expect(await canAsk('1.60.0', options, scope)).toBe(true);
  });

  it.each<[string, ToolkitOptions, ('builtin' | 'remote')?]>([
    ['no script can run', {}],
    ['a rule allows scripts', { runner, policy: allowsScripts }],
    ['a rule allows everything', { runner, policy: policyOf({ effect: 'allow' }) }],
    ['the default allows everything', { runner, policy: definePolicy({ default: 'allow' }) }, 'remote'],
    ['a function decides for each request', { runner, policy: () => definePolicy({ default: 'ask' }) }],
  ])('a version that cannot is accepted if %s', async (_, options, scope) => {
    expect(await canAsk('1.59.0', options, scope)).toBe(false);
  });

  it.each<[string, boolean, ToolkitOptions, 'later'?]>([
    ['nothing is left to ask about', false, {}],
    ['the policy only denies', false, { policy: policyOf({ effect: 'deny' }) }],
    ['a script may run', true, { runner, policy: allowsScripts }],
    ['the catalog is found later', true, {}, 'later'],
    ['a function decides for each request', true, { policy: () => policyOf() }],
  ])('with a version that can, if %s: %s', async (_, expected, options, found) => {
    const catalog = await catalogOf('builtin');
    const skills = createToolkit(found === 'later' ? () => catalog : catalog, options);
    expect(skills.canAsk('@skillful/some', { name: 'some', version: '1.60.0' }, '1.60.0')).toBe(expected);
  });
});
