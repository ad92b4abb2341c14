// Tools and skills with names that every object inherits.

import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { generateText, jsonSchema, stepCountIs, type ToolSet, tool } from 'ai';
import { expect, it } from 'vitest';
import { withSkills } from '../src/index.ts';
import { isSix } from './read.ts';

const skill = '---\nname: constructor\ndescription: Builds.\n---\nCONSTRUCTOR-BODY\n';
const toolkit = createToolkit(await loadCatalog([memorySource({ 'constructor/SKILL.md': skill })]));
const build = tool({
  inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
  execute: async () => 'built',
});
const prompt = 'Build.';

function scripted(name: string) {
  return scriptedModel([{ calls: [{ tool: name, input: {} }] }, { text: 'Done.' }]);
}

it.each(['constructor', 'toString'])('the tool `%s` of the application is kept', async (name) => {
  const model = scripted(name);
  await generateText({ ...withSkills({ model, tools: { [name]: build }, stopWhen: stepCountIs(2) }, toolkit), prompt });
  expect(observedCalls(model).map(({ tools, results }) => [tools[0]?.name, results])).toEqual([
    [name, []],
    [name, ['built']],
  ]);
});

it('the `needsApproval` of such a tool counts although `toolApproval` speaks of others', async () => {
  const model = scripted('toString');
  const tools: ToolSet = { toString: { ...build, needsApproval: true }, build };
  const settings = withSkills({ model, tools, toolApproval: { build: 'approved' as const } }, toolkit);
  const { content } = await generateText({ ...settings, prompt });
  expect(content.at(-1)?.type).toBe('tool-approval-request');
});

// The AI SDK 6 itself finds an inherited property for such a name.
it.skipIf(isSix)('the name of such a skill is corrected if it is called as a tool', async () => {
  const model = scripted('constructor');
  await generateText({ ...withSkills({ model, stopWhen: stepCountIs(2) }, toolkit), prompt });
  expect(observedCalls(model)[1]?.results).toEqual([expect.stringContaining('CONSTRUCTOR-BODY')]);
});
