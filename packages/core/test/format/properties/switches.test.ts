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
  const { disableModelInvocation: hidden, userInvocable: usable } = properties ?? {};
  return { hidden, usable, codes: diagnostics.map(({ code }) => code) };
}

describe('a switch that restricts the skill', () => {
  it.each([
    ...['disable_model_invocation', 'disableModelInvocation', 'Disable-Model-Invocation', 'DISABLE_MODEL_INVOCATION'],
    ...[
      'disable model invocation',
      'disable-model-invokation',
      'disabel-model-invocation',
      'disable-model-invocations',
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
    ['disable-model-invocation: true', { hidden: true, usable: true }],
    ['disable_model_invocation: "yes"', { hidden: true, usable: true }],
    ['user-invocable: false', { hidden: false, usable: false }],
    ['opencode/autoinvoke: "False"', { hidden: true, usable: true }],
    ['opencode/autoinvoke: no', { hidden: true, usable: true }],
    ['opencode/autoinvoke: true', { hidden: false, usable: true }],
  ])('takes effect below `metadata`: %s', (line, expected) => {
    expect(switches(['metadata:', `  ${line}`])).toMatchObject(expected);
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
  ])('is never undone by another spelling: %j', (lines, expected) => {
    expect(switches(lines)).toMatchObject(expected);
  });

  it.each([
    ['policy:\n  allow_implicit_invocation: false', true],
    ['policy:\n  allow_implicit_invocation: "no"', true],
    ['policy:\n  allowImplicitInvocation: 0', true],
    ['policy:\n  allow_implicit_invocation: true', false],
    ['policy:\n  bad: [', false],
  ])('takes effect in the sidecar of Codex: %j', (sidecar, hidden) => {
    expect(switches([], sidecar).hidden).toBe(hidden);
  });

  it.each(['invocable: false', 'model: none', 'disable-user-invocation-hint: true', 'version: 1'])(
    'is no other field: %s',
    (line) => {
      expect(switches([line])).toEqual({ hidden: false, usable: true, codes: [] });
    },
  );
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
});
