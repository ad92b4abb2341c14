// Scripts in a sandbox of the AI SDK, here the SDK's own for `just-bash`.

import { createJustBashSandbox } from '@ai-sdk/sandbox-just-bash';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type ScriptSandbox,
  sandboxRunner,
} from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { type Experimental_SandboxSession, stepCountIs, ToolLoopAgent } from 'ai';
import { expect, expectTypeOf, it } from 'vitest';
import { withSkills } from '../src/index.ts';

it('takes the session of the SDK', () => {
  expectTypeOf<Experimental_SandboxSession>().toExtend<ScriptSandbox>();
});

it('runs the files of a skill, with literal arguments, and leaves nothing', async () => {
  const session = (await createJustBashSandbox().createSession()).restricted();
  const source = memorySource({
    'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nBody.',
    'report/scripts/a.sh': 'echo "got $1"; grep -c Body "$SKILL_DIR/SKILL.md"; exit 4',
  });
  const toolkit = createToolkit(await loadCatalog([source]), {
    runner: sandboxRunner(() => session, { name: 'session' }),
    policy: definePolicy({ rules: [{ action: 'run', effect: 'allow' }] }),
  });
  const input = { skill: 'report', path: 'scripts/a.sh', arguments: ["a'b $(id)"] };
  const model = scriptedModel([{ calls: [{ tool: 'run_skill_script', input }] }, { text: 'Done.' }]);
  const agent = new ToolLoopAgent(withSkills({ model, stopWhen: stepCountIs(3) }, toolkit));
  await agent.generate({ prompt: 'Go.' });
  const seen = JSON.stringify(observedCalls(model).at(-1));
  expect(seen).toContain('exit=\\"4\\"');
  expect(seen).toContain("got a'b $(id)\\n1\\n");
  expect((await session.run({ command: 'ls /tmp' })).stdout).toBe('');
});
