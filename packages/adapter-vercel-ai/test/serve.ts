// A chat server on a real socket, for clients that send what they like.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { SkillState, SkillToolkit } from '@skillful/core';
import type { scriptedModel } from '@skillful/testing/ai-sdk';
import { createAgentUIStreamResponse, stepCountIs, ToolLoopAgent } from 'ai';
import { withSkills } from '../src/index.ts';

/** Starts a server; returns its address, and how to stop it. */
export async function serve(answer: (request: IncomingMessage) => Promise<Response>) {
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request).catch(
      (error: unknown) => new Response(String(error), { status: 400 }),
    );
    response.writeHead(status);
    for await (const chunk of body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

/** Starts a chat server that is sent the whole history, and keeps only the states. Each request has a model of its own. */
export function serveChat(
  toolkit: SkillToolkit,
  states: Map<string, SkillState>,
  modelOf: () => ReturnType<typeof scriptedModel>,
) {
  return serve(async (request) => {
    const { id, messages } = (await json(request)) as { id: string; messages: unknown[] };
    const settings = withSkills({ model: modelOf(), stopWhen: stepCountIs(5) }, toolkit, {
      state: states.get(id),
      onState: (state) => states.set(id, state),
    });
    return createAgentUIStreamResponse({ agent: new ToolLoopAgent(settings), uiMessages: messages });
  });
}
