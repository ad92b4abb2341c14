// Proves that an adapter refuses a framework that it cannot work with, as soon as skills are added to an agent.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { runWell } from './run.ts';
import { root } from './workspace.ts';

const ai = '`@skillful/vercel-ai` needs `ai` 6.0.0 or later, but 5.0.277 is installed. Update `ai`.';
const langchain = '`@skillful/langchain` needs `langchain` 1.3.2 or later, but 1.0.6 is installed. Update `langchain`.';

it.each([
  ['adapter-vercel-ai', 'withSkills', ai],
  ['adapter-vercel-ai', 'skillsMiddleware', ai],
  ['adapter-vercel-ai', 'skillTools', ai],
  ['adapter-langchain', 'skillsMiddleware', langchain],
  ['adapter-langchain', 'skillTools', langchain],
])('%s refuses a version that is too old in %s', async (folder, name, sentence) => {
  const program = join(root, 'test/too-old-program.ts');
  const adapter = pathToFileURL(join(root, 'packages', folder, 'src/index.ts')).href;
  const args = ['--conditions', 'skillful-source', program, adapter, name];
  const told = await runWell(process.execPath, args, root);
  expect(JSON.parse(told)).toEqual({ code: 'framework-too-old', message: sentence });
});
