// Scripts in the sandbox of a workspace: Mastra's own, which bubblewrap keeps apart where it is installed.

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import mastra from '@mastra/core/package.json' with { type: 'json' };
import { LocalSandbox, Workspace } from '@mastra/core/workspace';
import { createToolkit, definePolicy, loadCatalog, memorySource, sandboxRunner } from '@skillful/core';
import { processRunner } from '@skillful/core/node';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { expect, it, onTestFinished } from 'vitest';
import { scriptSandbox, skillTools, withSkills } from '../src/index.ts';

const hasBubblewrap = existsSync('/usr/bin/bwrap');
if (!hasBubblewrap) process.stderr.write('bwrap is NOT INSTALLED, so the test of the isolated sandbox is SKIPPED.\n');

/** What a model reads after it ran a script with these arguments. */
async function answer(isolation: 'none' | 'bwrap', script: string, given: readonly string[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'skillful-workspace-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const workspace = new Workspace({ sandbox: new LocalSandbox({ workingDirectory: directory, isolation }) });
  await workspace.init();
  const { sandbox } = workspace;
  if (sandbox === undefined) throw new Error('no sandbox');
  const source = memorySource({
    'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nBody.',
    'report/scripts/a.sh': script,
  });
  const toolkit = createToolkit(await loadCatalog([source]), {
    runner: sandboxRunner(() => scriptSandbox(sandbox), { name: 'workspace', directory }),
    policy: definePolicy({ rules: [{ action: 'run', effect: 'allow' }] }),
  });
  const input = { skill: 'report', path: 'scripts/a.sh', arguments: given };
  const model = scriptedModel([{ calls: [{ tool: 'run_skill_script', input }] }, { text: 'Done.' }]);
  const config = { id: 'a', name: 'a', instructions: 'Hi.', model: model as unknown as MastraModelConfig };
  await new Agent(withSkills(config, toolkit)).generate('Go.', { maxSteps: 3 });
  expect(readdirSync(directory)).toEqual([]);
  return JSON.stringify(observedCalls(model).at(-1));
}

it('runs the files of a skill, with literal arguments, and leaves nothing', async () => {
  const seen = await answer('none', 'echo "got $1"; grep -c Body "$SKILL_DIR/SKILL.md"; exit 4', ["a'b $(id)"]);
  expect(seen).toContain('exit=\\"4\\"');
  expect(seen).toContain("got a'b $(id)\\n1\\n");
});

// In the sandbox of Mastra 1.42 there is no /dev/null, without which no shell begins work in the background.
it.skipIf(!hasBubblewrap || mastra.version === '1.42.0')(
  'reaches no file outside if the sandbox is isolated',
  async () => {
    const secret = join(mkdtempSync(join(tmpdir(), 'skillful-secret-')), 'secret');
    onTestFinished(() => rmSync(join(secret, '..'), { recursive: true, force: true }));
    writeFileSync(secret, 'SECRET');
    const seen = await answer('bwrap', 'cat "$1"; echo x > "$1"; echo done', [secret]);
    expect(seen).not.toContain('SECRET');
    expect(seen).toContain('done');
  },
);

it.each([
  ['the processor and the tools', true],
  ['the tools alone', true],
  ['only if it is asked to', false],
])('shows what a script writes while it runs: %s', async (parts, streamEvents) => {
  const model = scriptedModel([
    { calls: [{ tool: 'run_skill_script', input: { skill: 'report', path: 'scripts/a.sh' }, id: 'c1' }] },
    { text: 'Done.' },
  ]);
  const source = memorySource({
    'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nBody.',
    'report/scripts/a.sh': 'echo one',
  });
  const toolkit = createToolkit(await loadCatalog([source]), {
    runner: processRunner(),
    policy: definePolicy({ rules: [{ action: 'run', effect: 'allow' }] }),
  });
  const config = { id: 'a', name: 'a', instructions: 'Hi.', model: model as unknown as MastraModelConfig };
  const shown: unknown[] = [];
  const options = { streamEvents };
  const isAlone = parts === 'the tools alone';
  const agent = new Agent(
    isAlone ? { ...config, tools: skillTools(toolkit, options) } : withSkills(config, toolkit, options),
  );
  const { fullStream } = await agent.stream('Go.', { maxSteps: 3 });
  const kinds = ['data-skill-progress', ...(streamEvents ? [] : ['data-skill'])];
  for await (const chunk of fullStream) if (kinds.includes(chunk.type)) shown.push(Object(chunk).data);
  const written = expect.objectContaining({ skill: 'report', path: 'scripts/a.sh', call: 'c1', text: 'one\n' });
  expect(shown).toEqual(streamEvents ? [written] : []);
});

it('ends a command that is aborted, and tells its output from its errors', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'skillful-workspace-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const sandbox = new LocalSandbox({ workingDirectory: directory });
  await sandbox._start();
  const controller = new AbortController();
  const shown: object[] = [];
  const onOutput = (output: { readonly stream: string; readonly text: string }): void => {
    shown.push(output);
    if (output.stream === 'errors') controller.abort();
  };
  const command = 'echo one; sleep 0.1; echo two >&2; sleep 300';
  await Promise.allSettled([scriptSandbox(sandbox).run({ command, abortSignal: controller.signal, onOutput })]);
  expect(shown).toEqual([
    { stream: 'output', text: 'one\n' },
    { stream: 'errors', text: 'two\n' },
  ]);
});

it('says that a sandbox runs no commands', async () => {
  const told = await scriptSandbox({}).run({ command: 'true' });
  expect(told).toEqual({ exitCode: 127, stdout: '', stderr: 'This sandbox runs no commands.' });
});
