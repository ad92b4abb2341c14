// What a script writes reaches the stream of a graph while the script still runs.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolkit, definePolicy, loadCatalog, memorySource } from '@skillful/core';
import { processRunner } from '@skillful/core/node';
import { createAgent } from 'langchain';
import { expect, it, onTestFinished } from 'vitest';
import { skillsMiddleware } from '../src/index.ts';
import { modelThatCalls, user } from './support.ts';

/** What is seen of a script in one of its modes; the script goes on only after its first line was seen. */
async function watch(streamEvents: boolean, script: string): Promise<readonly unknown[]> {
  const directory = await mkdtemp(join(tmpdir(), 'skillful-progress-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const source = memorySource({
    'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\nBody.',
    'pdf/scripts/fill.sh': script,
  });
  const policy = definePolicy({ rules: [{ action: 'run', effect: 'allow' }] });
  const runner = processRunner({ directory, timeout: 20_000 });
  const toolkit = createToolkit(await loadCatalog([source]), { policy, runner });
  const model = modelThatCalls([{ name: 'run_skill_script', args: { skill: 'pdf', path: 'scripts/fill.sh' } }]);
  const agent = createAgent({ model, middleware: [skillsMiddleware(toolkit, { streamEvents })] });
  const seen: unknown[] = [];
  for await (const [mode, chunk] of await agent.stream(user('Go.'), { streamMode: ['custom', 'updates'] })) {
    const { type, stream, text } = Object(mode === 'custom' ? Object(chunk).skillful : undefined);
    if (type === 'script-progress') {
      seen.push({ stream, text });
      await writeFile(join(directory, 'seen'), '');
    } else if ('tools' in Object(chunk)) {
      seen.push('result');
    }
  }
  return seen;
}

it('is seen before the result, if the stream is asked for it', async () => {
  expect(await watch(true, 'echo one; until [ -e seen ]; do sleep 0.05; done; echo two >&2')).toEqual([
    { stream: 'output', text: 'one\n' },
    { stream: 'errors', text: 'two\n' },
    'result',
  ]);
  expect(await watch(false, 'echo one')).toEqual(['result']);
});
