// The production examples over HTTP: sign-in, tenants, approval, a sub-agent, and a conversation that survives a restart.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { start as startLangChain } from '../langchain/production.ts';
import { start as startMastra } from '../mastra/production.ts';
import { start as startVercelAi } from '../vercel-ai/production.ts';

vi.spyOn(console, 'log').mockReturnValue();

const directory = mkdtempSync(join(tmpdir(), 'skillful-production-'));
const saver = new MemorySaver();
const consents = { langChain: new Map(), vercelAi: new Map() };
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(directory, { recursive: true });
});

interface Answer {
  readonly text?: string;
  readonly active?: readonly string[];
  readonly approve?: unknown;
}

async function open(start: () => Server) {
  const server = start();
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = (tenant: string, body: object) =>
    fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { authorization: `Bearer token-of-${tenant}` },
      body: JSON.stringify({ thread: 'one', ...body }),
    });
  const ask = async (tenant: string, body: object) => (await (await post(tenant, body)).json()) as Answer;
  return { post, ask };
}

describe.each([
  ['LangChain', () => startLangChain(saver, consents.langChain)],
  ['the AI SDK', () => startVercelAi(directory, consents.vercelAi)],
  ['Mastra', () => startMastra(directory)],
])('%s', (_, start) => {
  test('answers only who has signed in', async () => {
    const { post } = await open(start);
    expect((await post('nobody', { text: 'Hello' })).status).toBe(401);
  });

  test('asks a person before a skill is used, and keeps it in the conversation after a restart', async () => {
    const { ask } = await open(start);
    const { approve, text } = await ask('north', { text: 'Which version number does this release get?' });
    expect([JSON.stringify(approve), text]).toEqual([expect.stringContaining('release-notes'), undefined]);
    const approved = await ask('north', { approve: true });
    expect(approved.text).toContain('I follow the skill release-notes.');
    expect(approved.active).toEqual(['release-notes']);

    const restarted = await open(start);
    expect(await restarted.ask('north', { text: 'Good morning' })).toEqual({
      text: 'I have no skill for that.',
      active: ['release-notes'],
    });
  });

  test('carries out an answer after a restart', async () => {
    const { ask } = await open(start);
    await ask('north', { thread: 'four', text: 'Which version number does this release get?' });
    const restarted = await open(start);
    const approved = await restarted.ask('north', { thread: 'four', approve: true });
    expect(approved.text).toContain('I follow the skill release-notes.');
    expect(approved.active).toEqual(['release-notes']);
  });

  test('does not use a skill that the person refused', async () => {
    const { ask } = await open(start);
    await ask('north', { thread: 'two', text: 'Which version number does this release get?' });
    expect(await ask('north', { thread: 'two', approve: false })).toEqual({
      text: 'I go on without the skill.',
      active: [],
    });
  });

  test('has no skill of another tenant', async () => {
    const { ask } = await open(start);
    expect(await ask('south', { text: 'Which version number does this release get?' })).toEqual({
      text: 'I have no skill for that.',
      active: [],
    });
  });

  test('hands what none of its skills covers to the sub-agent', async () => {
    const { ask } = await open(start);
    const { text } = await ask('north', { thread: 'three', text: 'Is the mean of this CSV file right?' });
    expect(text).toContain('I follow the skill csv-report.');
  });
});
