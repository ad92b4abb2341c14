import { describe, expect, it } from 'vitest';
import { loadCatalog, memorySource, type SkillEnvironment, validateRequirements } from '../../src/index.ts';

const nothing: SkillEnvironment = {
  hasVariable: () => false,
  hasProgram: () => false,
  hasTool: () => false,
  platform: 'linux',
};

/** What is missing for a skill with this `metadata`. */
async function missing(metadata: string, environment: SkillEnvironment = nothing): Promise<readonly string[]> {
  const text = `---\nname: pdf\ndescription: d\nmetadata:${metadata}\n---\nBody.`;
  const [skill] = (await loadCatalog([memorySource({ 'pdf/SKILL.md': text })])).skills;
  if (skill === undefined) throw new Error('no skill');
  return validateRequirements(skill, environment).map(({ message }) => message.split(': ').slice(1).join(': '));
}

describe('validateRequirements', () => {
  it.each([
    ['\n  requires-env: API_KEY, API_URL', ['variable API_KEY, variable API_URL.']],
    ['\n  requires-bins: gh jq', ['program gh, program jq.']],
    ['\n  requires-tools: Bash WebFetch', ['tool Bash, tool WebFetch.']],
    ['\n  requires-env: [API_KEY, API_URL]', ['variable API_KEY, variable API_URL.']],
    ['\n  requires-bins:\n    - gh\n    - jq', ['program gh, program jq.']],
    ['\n  requires-tools: [Bash, WebFetch]', ['tool Bash, tool WebFetch.']],
    ['\n  author: me', []],
    [
      ' {"openclaw":{"requires":{"bins":["gog"],"env":["KEY"]},"os":["darwin"]}}',
      ['variable KEY, program gog, platform darwin.'],
    ],
    ['\n  clawdbot:\n    requires:\n      anyBins: [claude, codex]', ['one of the programs claude or codex.']],
    ['\n  moltbot: {"os": ["macos", "linux"]}', []],
    ['\n  clawdis: {"os": ["Windows"]}', ['platform win32.']],
    ['\n  openclaw: {"os": ["Linux"]}', []],
    ['\n  requires-bins: node >= 18, 7z > 9.20', ['program node, program 7z.']],
    ['\n  openclaw: {"always": true, "requires": {"bins": ["gog"]}}', []],
    ['\n  hermes:\n    requires_tools: [terminal]', ['tool terminal.']],
  ])('reads %s', async (metadata, expected) => {
    expect(await missing(metadata)).toEqual(expected);
  });

  it('looks for no more than 64 programs of a skill', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `p${index}`);
    const asked: string[] = [];
    const hasProgram = (name: string) => asked.push(name) === 0;
    expect(await missing(`\n  requires-bins: ${names.join(' ')}`, { hasProgram })).toHaveLength(1);
    expect(asked).toEqual(names.slice(0, 64));
  });

  it.each([
    '\n  openclaw: {"requires": {"bins": ["/bin/sh", "../gh", "node >= 18", {"name": "go"}, ""], "env": {"KEY": "x"}}}',
    '\n  openclaw: [1, 2]',
    '\n  openclaw: "{ not JSON"',
    '\n  openclaw: {"requires": null, "os": "linux"}',
    '\n  requires-env: not-a-variable',
    ' 12',
  ])('takes no other form for a requirement: %s', async (metadata) => {
    expect(await missing(metadata)).toEqual([]);
  });

  it('takes any answer that counts as no for a no', async () => {
    const variables: Readonly<Record<string, string>> = { HOME: '/root' };
    const hasVariable = ((name: string) => variables[name]) as unknown as (name: string) => boolean;
    expect(await missing('\n  requires-env: HOME API_KEY', { hasVariable })).toEqual(['variable API_KEY.']);
  });

  it('asks only for what there is, and not for what nothing can answer', async () => {
    const metadata =
      '\n  requires-env: HOME\n  requires-bins: gh\n  requires-tools: Bash\n  openclaw: {"os": ["win32"]}';
    expect(await missing(metadata, {})).toEqual([]);
    expect(
      await missing(metadata, {
        ...nothing,
        hasVariable: (name) => name === 'HOME',
        hasTool: (name) => name === 'Bash',
      }),
    ).toEqual(['program gh, platform win32.']);
    expect(
      await missing('\n  openclaw: {"requires": {"anyBins": ["a", "b"]}}', { hasProgram: (name) => name === 'b' }),
    ).toEqual([]);
  });
});
