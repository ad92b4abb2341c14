import { describe, expect, it } from 'vitest';
import {
  definePolicy,
  explainPolicy,
  loadCatalog,
  memorySource,
  type PolicyRule,
  type Skill,
} from '../../src/index.ts';

async function skill(name: string, scope = 'project', id: string = scope): Promise<Skill> {
  const text = `---\nname: ${name}\ndescription: Does ${name}.\n---\nBody.`;
  const { skills } = await loadCatalog([memorySource({ [`${name}/SKILL.md`]: text }, { scope, id })]);
  const [only] = skills;
  if (only === undefined) throw new Error('no skill');
  return only;
}

const request = { actor: 'model', action: 'activate' } as const;

describe('explainPolicy', () => {
  it.each(['refs/a.md', './refs/a.md', 'refs/./a.md', 'refs//a.md', '././REFS/a.md'])(
    'decides about a file however its path is written: %s',
    async (path) => {
      const policy = definePolicy({ rules: [{ path: 'refs/*', effect: 'deny' }] });
      const about = { actor: 'model', action: 'read' } as const;
      expect(explainPolicy(policy, await skill('pdf'), { ...about, path }).effect).toBe('deny');
      expect(explainPolicy(policy, await skill('pdf'), { ...about, path: `x${path}` }).effect).toBe('allow');
    },
  );

  it('lets the first rule that applies decide, and names it', async () => {
    const rules: readonly PolicyRule[] = [
      { skill: 'pdf-*', actor: 'user', effect: 'allow' },
      { skill: ['pdf-*', 'mail'], effect: 'deny', reason: 'Not here.' },
      { effect: 'allow' },
    ];
    const policy = definePolicy({ rules });
    const pdf = await skill('pdf-forms');
    expect(explainPolicy(policy, pdf, request)).toEqual({ effect: 'deny', rule: rules[1] });
    expect(explainPolicy(policy, pdf, { ...request, actor: 'user' })).toEqual({ effect: 'allow', rule: rules[0] });
    expect(explainPolicy(policy, await skill('csv'), request)).toEqual({ effect: 'allow', rule: rules[2] });
  });

  it.each([
    [{ skill: 'plugin:pdf' }, true],
    [{ skill: 'plugin:*' }, true],
    [{ skill: 'PDF' }, true],
    [{ skill: 'project:*' }, false],
    [{ scope: 'plug*' }, true],
    [{ scope: 'project' }, false],
    [{ source: 'acme-?' }, true],
    [{ source: 'acme' }, false],
    [{ action: ['read', 'activate'] }, true],
    [{ action: 'read' }, false],
    [{ actor: [] }, false],
    [{ skill: [] }, false],
    [{}, true],
  ] as const)('matches %j: %j', async (rule, expected) => {
    const policy = definePolicy({ rules: [{ ...rule, effect: 'deny' }] });
    const { effect } = explainPolicy(policy, await skill('pdf', 'plugin', 'acme-1'), request);
    expect(effect).toBe(expected ? 'deny' : 'allow');
  });

  it.each([
    ['lint/*', true],
    ['plugin:lint/pdf', true],
    ['LINT/pdf', true],
    ['other/*', false],
  ])('matches %s with a skill of a plugin: %j', async (pattern, expected) => {
    const policy = definePolicy({ rules: [{ skill: pattern, effect: 'deny' }] });
    const ofPlugin = { ...(await skill('pdf', 'plugin')), plugin: 'lint' };
    expect(explainPolicy(policy, ofPlugin, request).effect).toBe(expected ? 'deny' : 'allow');
  });

  it.each(['user:x', 'user\u2236x'])('takes no plugin %j for a scope', async (plugin) => {
    const policy = definePolicy({ default: 'deny', rules: [{ skill: 'user:*', effect: 'allow' }] });
    const ofPlugin = { ...(await skill('pdf', 'plugin')), plugin };
    expect(explainPolicy(policy, ofPlugin, request).effect).toBe('deny');
    const other = definePolicy({ rules: [{ skill: `plugin:${plugin}/*`, effect: 'deny' }] });
    expect(explainPolicy(other, ofPlugin, request).effect).toBe('deny');
  });

  it('F17, L07: asks only the rules that may apply', async () => {
    const asked: number[] = [];
    const rules = Array.from({ length: 1000 }, (_, index) => ({
      ...{ skill: index % 2 === 0 ? `team-${index}-*` : `skill-${index}`, effect: 'deny' as const },
      get actor() {
        asked.push(index);
        return 'model' as const;
      },
    }));
    const policy = { rules };
    const pdf = await skill('team-998-pdf');
    expect(explainPolicy(policy, pdf, request)).toMatchObject({ effect: 'deny', rule: { skill: 'team-998-*' } });
    expect(new Set(asked)).toEqual(new Set([998]));
  });

  it('F16: matches names that look the same alike', async () => {
    const policy = definePolicy({ rules: [{ skill: 'café', effect: 'deny' }] });
    expect(explainPolicy(policy, await skill('cafe\u0301'), request).effect).toBe('deny');
  });

  it('allows by default, and asks before a model activates a remote skill', async () => {
    const remote = await skill('pdf', 'remote');
    expect(explainPolicy(definePolicy(), await skill('pdf'), request)).toEqual({ effect: 'allow' });
    expect(explainPolicy(definePolicy(), remote, request)).toEqual({ effect: 'ask' });
    expect(explainPolicy(definePolicy(), remote, { ...request, actor: 'user' })).toEqual({ effect: 'allow' });
    expect(explainPolicy(definePolicy(), remote, { ...request, action: 'list' })).toEqual({ effect: 'allow' });
    expect(explainPolicy(definePolicy({ default: 'deny' }), remote, request)).toEqual({ effect: 'deny' });
  });
});

describe('definePolicy', () => {
  it.each([
    [[{ effect: 'denny' }], 'Rule 1 has the effect `denny`, which does not exist. Did you mean `deny`?'],
    [[{ effect: 'allow' }, { actor: 'modle', effect: 'deny' }], 'Rule 2 has the actor `modle`'],
    [[{ action: 'write', effect: 'deny' }], 'Expected one of list, activate, read, run.'],
    [[{ skil: 'pdf', effect: 'deny' }], 'Rule 1 has `skil`, which does not exist. Did you mean `skill`?'],
    [[{ skill: [7], effect: 'deny' }], 'Rule 1 has a bad pattern in `skill`'],
    [[{ skill: 7, effect: 'deny' }], 'Rule 1 has a bad pattern in `skill`'],
    [[{ path: null, effect: 'deny' }], 'Rule 1 has a bad pattern in `path`'],
    [[{ actor: null, effect: 'deny' }], 'Rule 1 has the actor `null`, which does not exist.'],
    [[{ effect: 'deny' }, null], 'Rule 2 must be an object, not null.'],
    [{ effect: 'deny' }, '`rules` must be a list, not a value of type object.'],
    [[{ effect: 'ask', reason: 7 }], 'Rule 1 has a `reason` that is not a text.'],
    [
      [{ skill: undefined, effect: 'allow' }],
      'Rule 1 has no value for `skill`, so it would apply to any. Leave it out if it should.',
    ],
    [[{ path: undefined, effect: 'allow' }], 'Rule 1 has no value for `path`'],
    [[{ actor: undefined, effect: 'allow' }], 'Rule 1 has no value for `actor`'],
    [[{ skill: '', effect: 'deny' }], 'Rule 1 has a bad pattern in `skill`: expected a text of 1 to 1000 characters.'],
    [[{ scope: 'x'.repeat(1001), effect: 'deny' }], 'Rule 1 has a bad pattern in `scope`'],
    [
      [{ effect: 'allow' }, { skill: 'pdf', effect: 'deny' }],
      'Rule 1 applies to everything, so the rules after it never apply.',
    ],
    [
      [{ skill: '**', scope: ['*'], effect: 'allow' }, { effect: 'deny' }],
      'Rule 1 applies to everything, so the rules after it never apply.',
    ],
    [
      [
        { skill: 'csv', effect: 'allow' },
        { skill: ['x', '*'], actor: ['model', 'user', 'code'], effect: 'ask' },
        { path: '*', effect: 'deny' },
      ],
      'Rule 2 applies to everything, so the rules after it never apply. Put it last, or use `default` instead.',
    ],
  ])('refuses the rules %j', (rules, message) => {
    expect(() => definePolicy({ rules: rules as unknown as PolicyRule[] })).toThrow(
      expect.objectContaining({ code: 'options-invalid', message: expect.stringContaining(message) }),
    );
  });

  it.each([
    [{ path: '*' }],
    [{ actor: ['model', 'user'] }],
    [{ action: ['activate', 'read', 'run'] }],
    [{ skill: [] }],
    [{ action: [] }],
    [{ scope: 'plugin' }],
    [{ source: '*-1' }],
  ] as const)('allows a rule after %j, which does not apply to everything', (rule) => {
    expect(() => definePolicy({ rules: [{ ...rule, effect: 'allow' }, { effect: 'deny' }] })).not.toThrow();
  });

  it('keeps a copy of its rules', async () => {
    const rule: { effect: 'deny' | 'allow' } = { effect: 'deny' };
    const policy = definePolicy({ rules: [rule] });
    rule.effect = 'allow';
    expect(explainPolicy(policy, await skill('pdf'), request).effect).toBe('deny');
  });
});

it.each<[unknown, string]>([
  [{ rule: [] }, 'The policy has `rule`, which does not exist. Did you mean `rules`?'],
  [{ rules: [], defaults: 'deny' }, 'The policy has `defaults`, which does not exist. Did you mean `default`?'],
  [[{ effect: 'deny' }], 'A policy must be an object, not a list.'],
  [null, 'A policy must be an object, not null.'],
  [Promise.resolve({ rules: [] }), 'A policy must be an object, not a promise.'],
])('refuses the policy %j, because it would protect nothing', (policy, message) => {
  expect(() => definePolicy(policy as object)).toThrow(expect.objectContaining({ code: 'options-invalid', message }));
});

it('refuses a default that does not exist', () => {
  expect(() => definePolicy({ default: 'denny' as 'deny' })).toThrow(
    expect.objectContaining({
      code: 'options-invalid',
      message: '`default` has the effect `denny`, which does not exist. Did you mean `deny`?',
    }),
  );
});

it('asks before a script is run, and nothing else of a local skill, if no rule says more', async () => {
  const pdf = await skill('pdf');
  const effects = (['list', 'activate', 'read', 'run'] as const).map(
    (action) => explainPolicy(definePolicy(), pdf, { actor: 'model', action }).effect,
  );
  expect(effects).toEqual(['allow', 'allow', 'allow', 'ask']);
});

it('reads the default of a class, and takes no list for a word', () => {
  class Options {
    get default() {
      return 'deny' as const;
    }
  }
  expect(definePolicy(new Options()).default).toBe('deny');
  expect(() => definePolicy({ default: ['deny'] as unknown as 'deny' })).toThrow('has the effect');
});
