import { describe, expect, it } from 'vitest';
import { type ParsedSkill, parseSkill } from '../../../src/format/parse.ts';

function parse(lines: readonly string[], sidecar?: string): ParsedSkill {
  const text = `---\nname: x\ndescription: d\n${lines.join('\n')}\n---\nbody\n`;
  return parseSkill(text, {
    directoryName: 'x',
    codexSidecar: sidecar === undefined ? undefined : new TextEncoder().encode(sidecar),
  });
}

function switches(lines: readonly string[], sidecar?: string) {
  const { properties, diagnostics } = parse(lines, sidecar);
  const { disableModelInvocation: hidden, userInvocable: usable, internal } = properties ?? {};
  return { hidden, usable, ...(internal === true ? { internal } : {}), codes: diagnostics.map(({ code }) => code) };
}

describe('a switch that restricts the skill', () => {
  it.each([
    ...['disable_model_invocation', 'disableModelInvocation', 'Disable-Model-Invocation', 'DISABLE_MODEL_INVOCATION'],
    ...[
      'disable model invocation',
      'disable-model-invokation',
      'disabel-model-invocation',
      'disable-model-invocations',
      'disbale-modle-invocaton',
      'dsiable-modle-invocatoin',
      'disablemodlinvocaton',
    ],
    ...['d\u0456sable-model-invocation', 'disable\u2011model\u2011invocation', 'disable.model.invocation'],
  ])('takes effect as `%s`, with a warning', (key) => {
    for (const value of ['true', '"true"', 'yes', 'on', '1', 'True', 'perhaps', '[false]']) {
      const result = switches([`${key}: ${value}`]);
      expect(result).toMatchObject({ hidden: true, usable: true });
      expect(result.codes).toContain('field-misspelt');
    }
    expect(switches([`${key}: false`])).toMatchObject({ hidden: false, usable: true });
  });

  it.each(['user_invocable', 'userInvocable', 'User-Invocable', 'user-invokable', 'user-invocabel'])(
    'takes effect as `%s: false`',
    (key) => {
      for (const value of ['false', '"false"', 'no', 'off', '0', 'flase']) {
        expect(switches([`${key}: ${value}`])).toMatchObject({ hidden: false, usable: false });
      }
      expect(switches([`${key}: true`])).toMatchObject({ hidden: false, usable: true });
    },
  );

  it.each([
    ...['disable-auto-invocation', 'disable_auto_invoke', 'disableImplicitInvocation', 'disable-automatic-invocation'],
    ...['disable-model-invoke', 'user-invocable-only', 'disable-llm-invocation'],
  ])('takes effect as `%s` of other clients', (key) => {
    expect(switches([`${key}: true`])).toEqual({ hidden: true, usable: true, codes: ['field-misspelt'] });
    expect(switches([`- ${key}: true`]).hidden).toBe(true);
    expect(switches([`${key}: false`]).hidden).toBe(false);
  });

  it.each(['disable-user-invocation', 'disable_user_invoke', 'not-user-invocable'])('takes effect as `%s`', (key) => {
    expect(switches([`${key}: true`])).toEqual({ hidden: false, usable: false, codes: ['field-misspelt'] });
    expect(switches([`${key}: false`])).toMatchObject({ hidden: false, usable: true });
  });

  it.each([
    ...['auto-invoke', 'auto_invoke', 'autoInvoke', 'model-invocable', 'allow-auto-invocation', 'enable-auto-invoke'],
    'allow_implicit_invocation',
  ])('takes effect as `%s: false` of other clients', (key) => {
    expect(switches([`${key}: false`])).toEqual({ hidden: true, usable: true, codes: ['field-misspelt'] });
    expect(switches([`**${key}**: false`]).hidden).toBe(true);
    expect(switches([`${key}: true`]).hidden).toBe(false);
  });

  it.each([
    ['disable-model-invocation: true', { hidden: true, usable: true }],
    ['disable_model_invocation: "yes"', { hidden: true, usable: true }],
    ['user-invocable: false', { hidden: false, usable: false }],
    ['opencode/autoinvoke: "False"', { hidden: true, usable: true }],
    ['opencode/autoinvoke: no', { hidden: true, usable: true }],
    ['opencode/autoinvoke: true', { hidden: false, usable: true }],
    ['auto-invoke: false', { hidden: true, usable: true }],
  ])('takes effect below `metadata`: %s', (line, expected) => {
    expect(switches(['metadata:', `  ${line}`])).toMatchObject(expected);
  });

  it.each([
    ['metadata:\n  internal: maybe', ['value-not-boolean 5']],
    ['metadata:\n  opencode/autoinvoke: false', ['metadata-not-string 5']],
    ['license: MIT\n**disable-model-invocation**: true\n- user-invocable: false', ['field-stray 5', 'field-stray 6']],
    ['metadata: disable-model-invocation: true', ['field-unreadable 4', 'field-stray 4']],
    ['disable_model_invocation: false', ['field-misspelt 4']],
    ['foo:\n  disable-model-invocation: false', []],
    ['foo:\n  disable-model-invocation: true', ['field-misspelt 5']],
    ['policy:\n  internal: true', []],
  ])('is reported once, and only if it restricts: %j', (lines, expected) => {
    const { diagnostics } = parse([lines]);
    const found = diagnostics
      .filter(({ code }) => code !== 'value-unquoted')
      .map(({ code, line }) => `${code} ${line}`);
    expect(found).toEqual(expected);
  });

  it('says what it takes an unclear value of `internal` for', () => {
    const { diagnostics } = parse(['metadata:', '  internal: maybe']);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '`metadata.internal` is `maybe`, expected `true` or `false`; it was read as `true`.',
    ]);
  });

  it('takes no effect in a body that begins without a closing fence', () => {
    const fields = ['license: MIT', '', '# Hide a skill', '', 'With this line', '', 'disable-model-invocation: true'];
    const { hidden, codes } = switches(fields);
    expect([hidden, codes]).toEqual([false, ['fence-close-assumed']]);
  });

  it.each([
    [['disable-model-invocation: true', 'disable_model_invocation: false'], { hidden: true, usable: true }],
    [['disable_model_invocation: false', 'disable_model_invocation: true'], { hidden: true, usable: true }],
    [['disable-model-invocation: false', 'disableModelInvocation: true'], { hidden: true, usable: true }],
    [['user-invocable: false', 'user_invocable: true'], { hidden: false, usable: false }],
    [['user-invocable: true', 'userInvocable: false'], { hidden: false, usable: false }],
    [['user-invocable: true', 'user-invocable: false'], { hidden: false, usable: false }],
    [['user-invocable: sometimes'], { hidden: false, usable: false }],
    [['enable-model-invocation: false'], { hidden: true, usable: true }],
    [['enable-model-invocation: true'], { hidden: false, usable: true }],
    [['enbale-modle-invocaton: true'], { hidden: false, usable: true }],
    [['enbale-modle-invocaton: false'], { hidden: true, usable: true }],
  ])('is never undone by another spelling: %j', (lines, expected) => {
    expect(switches(lines)).toMatchObject(expected);
  });

  it.each([
    ['policy:\n  allow_implicit_invocation: false', true],
    ['policy:\n  allow_implicit_invocation: "no"', true],
    ['policy:\n  allowImplicitInvocation: 0', true],
    ['policy:\n  allow_implicit_invocation: true', false],
    ['policy:\n  bad: [', false],
    ['POLICY:\n  allow_implicit_invocation: false', true],
    ['allow_implicit_invocation: false', true],
    ['policy: {allow_implicit_invocation: }', true],
    ['interface:\n  short_description: a: b\npolicy:\n  allow_implicit_invocation: false', true],
    ['interface:\n  short_description: a: b\npolicy:\n  allow_implicit_invocation: true', false],
    ['interface:\n  short_description: a: b', false],
    ['policy:\n  # allow_implicit_invocation: false', false],
    ['p\0o\0l\0i\0c\0y\0:\0', true],
  ])('takes effect in the sidecar of Codex: %j', (sidecar, hidden) => {
    expect(switches([], sidecar).hidden).toBe(hidden);
  });

  it('takes effect if the sidecar of Codex is too long to be read', () => {
    const sidecar = `policy:\n  allow_implicit_invocation: true\n# ${'x'.repeat(16_384)}`;
    expect(switches([], sidecar)).toEqual({ hidden: true, usable: true, codes: ['sidecar-invalid'] });
  });

  it.each(['', ' null', ' ~', ' ""', ' # why', ' []'])('restricts if its value is missing: %j', (value) => {
    const code = ['value-not-boolean'];
    expect(switches([`disable-model-invocation:${value}`])).toEqual({ hidden: true, usable: true, codes: code });
    expect(switches([`user-invocable:${value}`])).toEqual({ hidden: false, usable: false, codes: code });
    expect(switches(['metadata:', `  internal:${value}`])).toMatchObject({ internal: true });
  });

  it.each([
    ...[':true', '\uff1atrue', ':\u00a0true', ' = true', ': true.', ' true', ':', ':perhaps'].map(
      (end) => `disable-model-invocation${end}`,
    ),
    ...[' ', '\t', '- ', '* ', '> ', '\u00a0', '\u200b'].map((start) => `${start}disable-model-invocation: true`),
    ...['**disable-model-invocation:** true', '**disable-model-invocation**: true', '`disable-model-invocation`: true'],
    ...[
      '  disable_model_invocation: true',
      'disable_model_invocation:\n  - [',
      'x:\n  y: {disableModelInvocation: true}',
    ],
    ...['x: |\n  disable-model-invocation: true', 'x: "\n  disable-model-invocation: true\n  "'],
    ...['\uff1a', '\ufe55', '\uff1d', '\u2236'].map((colon) => `- disable-model-invocation${colon}\u662f`),
  ])('takes effect in a line that is no field: %j', (line) => {
    const result = switches(line.split('\n'));
    expect(result).toMatchObject({ hidden: true, usable: true });
    expect(result.codes).not.toEqual([]);
  });

  it.each([
    ...['disable-model-invocation:false', ' disable-model-invocation: false', '- user-invocable: true'],
    ...['# disable-model-invocation: true', 'x: 1 # disable-model-invocation: true', 'x: [disable-model-invocation]'],
    ...['  Set disable-model-invocation: true to hide it.', '  disable-model-invocation: keeps models from it'],
    ...['tags:\n  - internal\n  - user-invocable', 'x:\n  internal: true', 'audience:\n  - internal: docs'],
    ...['- internal: true\u7684', '- internal: \u672atrue', '- internal: true \u5417'],
    ...['interval: 1', 'external: true', 'internet: true', 'internal: false', 'metadata: { interval: "1" }'],
  ])('is not found in other lines: %j', (line) => {
    expect(switches(line.split('\n'))).toMatchObject({ hidden: false, usable: true });
    expect(switches(line.split('\n'))).not.toHaveProperty('internal');
  });

  it.each([
    ...['metadata:\n  internal: true', 'metadata:\n  Internal: "yes"', 'metadata:\n  intenral: true', 'internal: true'],
    ...['metadata:\n  internal: perhaps', 'metadata: internal', 'metadata: internal:true', 'metadata: internal: true'],
    ...[
      'metadata: [internal: true',
      'metadata:\n  - internal: true',
      'metadata:\n  - internal',
      'metadata.internal: true',
    ],
    ...[
      'metadata:\n  internal:true',
      'metadata:\n  a: b\n   internal: true',
      '- internal: true',
      'metadata: {internal: }',
    ],
  ])('hides an internal skill: %j', (lines) => {
    expect(switches(lines.split('\n'))).toMatchObject({ hidden: false, usable: true, internal: true });
  });

  it.each(['invocable: false', 'model: none', 'disable-user-invocation-hint: true', 'version: 1'])(
    'is no other field: %s',
    (line) => {
      expect(switches([line])).toEqual({ hidden: false, usable: true, codes: [] });
    },
  );
});

it('is reported once if the line is also the text of `metadata`', () => {
  const { codes } = switches(['metadata:', '  internal true']);
  expect(codes.filter((code) => code === 'field-stray')).toHaveLength(1);
});

describe('a request for tools', () => {
  it.each(['allowed_tools', 'allowedTools', 'Allowed-Tools', 'alowed-tools', 'allowed-tool', 'allowed tools'])(
    'is read as `%s`, with a warning',
    (key) => {
      const { properties, diagnostics } = parse([`${key}: Read`]);
      expect(properties?.allowedTools).toEqual(['Read']);
      expect(diagnostics.map(({ code }) => code)).toContain('allowed-tools-spelling');
    },
  );

  it('asks for nothing if another spelling asks for something else', () => {
    expect(parse(['allowed-tools: Read', 'alowed-tools: Bash(*)']).properties?.allowedTools).toEqual([]);
    expect(parse(['disallowed-tools: Bash']).properties?.allowedTools).toEqual([]);
  });

  it.each(['disallowed-tools', 'unallowed-tools', 'not-allowed-tools', 'no_allowed_tools'])(
    'is not read from `%s`, whatever letter is wrong, missing or too much',
    (key) => {
      const typos = [...key].flatMap((letter, at) => {
        const [before, after] = [key.slice(0, at), key.slice(at + 1)];
        const swapped = before + after.slice(0, 1) + letter + after.slice(1);
        return [before + after, `${before}x${after}`, `${before}e${letter}${after}`, swapped];
      });
      for (const typo of [key, ...typos]) {
        const { properties, diagnostics } = parse([`${typo}: Bash`]);
        expect({ typo, tools: properties?.allowedTools }).toEqual({ typo, tools: [] });
        if (key === 'disallowed-tools') expect(diagnostics).toEqual([]);
      }
    },
  );
});
