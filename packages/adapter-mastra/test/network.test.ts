// Approvals in a network, in which a router hands tasks to agents and calls tools itself.

import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { createToolkit, definePolicy, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { expect, it } from 'vitest';
import { withSkills } from '../src/index.ts';

const catalog = await loadCatalog([
  memorySource({ 'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n' }),
]);
const policy = definePolicy({ rules: [{ actor: 'model', effect: 'ask' }] });
const thread = { memory: { thread: 'one', resource: 'user' }, maxSteps: 5 };
const end = { isComplete: true, completionReason: 'It is done.', finalResult: 'Done.' };
const activate = { calls: [{ tool: 'activate_skill', input: { name: 'notes' } }] };

/** Starts a network whose router answers with these objects, and whose worker activates a skill. */
function start(routes: readonly object[]) {
  const toolkit = createToolkit(catalog, { policy });
  const storage = new InMemoryStore();
  const router = scriptedModel(routes.map((route) => ({ text: JSON.stringify(route) })));
  const model = scriptedModel([activate, { text: 'Done.' }]);
  const configOf = (id: string, own: typeof model): AgentConfig => {
    const base = { id, name: id, description: `The ${id}.`, instructions: `You are the ${id}.` };
    return { ...base, model: own as unknown as MastraModelConfig };
  };
  const worker = new Agent(withSkills(configOf('worker', model), toolkit, { mentions: false, streamEvents: true }));
  const memory = new Memory({ storage });
  const lead = new Agent(withSkills({ ...configOf('lead', router), memory, agents: { worker } }, toolkit));
  new Mastra({ agents: { lead, worker }, storage, logger: false });
  const calls = () => observedCalls(model);
  return { lead, router, ran: () => calls().length, results: () => calls().at(-1)?.results };
}

/** Reads a stream to its end, and returns what it asks a person. */
async function readAsked(stream: AsyncIterable<object> & { readonly runId: string }) {
  const asked: unknown[] = [];
  for await (const chunk of stream) {
    const { type, payload } = Object(chunk);
    if (type === 'agent-execution-approval' || type === 'tool-execution-approval') asked.push(type);
    if (type.endsWith('data-skill')) asked.push(Object(payload).data?.question);
  }
  return { runId: stream.runId, asked };
}

const route = { primitiveId: 'worker', primitiveType: 'agent', prompt: 'Work.', selectionReason: 'It works.' };
const question = expect.stringContaining('Let the model follow the skill `builtin:notes`');

it('a person is asked about a call of an agent, which runs once after they agree', async () => {
  const { lead, results } = start([route, end]);
  const { runId, asked } = await readAsked(await lead.network('Please.', thread));
  expect([asked, results()]).toEqual([[question, 'agent-execution-approval'], []]);
  await readAsked(await lead.approveNetworkToolCall({ ...thread, runId }));
  expect(results()).toEqual([expect.stringContaining('NOTES-BODY')]);
});

it('a call that a person refuses does not run', async () => {
  const { lead, results } = start([route, end]);
  const { runId } = await readAsked(await lead.network('Please.', thread));
  await readAsked(await lead.declineNetworkToolCall({ ...thread, runId }));
  expect(results()).toEqual(['Tool call was not approved by the user']);
});

it('an answer to another question, or to one that was answered, runs nothing', async () => {
  const { lead, results, ran } = start([route, end]);
  const { runId } = await readAsked(await lead.network('Please.', thread));
  const answer = async (given: string) => readAsked(await lead.approveNetworkToolCall({ ...thread, runId: given }));
  await answer('another');
  expect(results()).toEqual([]);
  await answer(runId);
  await answer(runId).catch(() => {});
  expect([ran(), results()]).toEqual([2, [expect.stringContaining('NOTES-BODY')]]);
});

it('a skill tool that the router calls itself is refused in words, whatever a person says', async () => {
  const prompt = JSON.stringify({ name: 'notes' });
  const { lead, router } = start([{ ...route, primitiveId: 'activate_skill', primitiveType: 'tool', prompt }, end]);
  const { runId, asked } = await readAsked(await lead.network('Please.', thread));
  expect(asked).toEqual(['tool-execution-approval']);
  await readAsked(await lead.approveNetworkToolCall({ ...thread, runId }));
  const [message] = observedCalls(router).at(-1)?.messages ?? [];
  expect(message?.text).toContain('A person must agree before `notes` is activated.');
  expect(JSON.stringify(observedCalls(router))).not.toContain('NOTES-BODY');
});
