// Registers the skill tools with an agent, discloses the catalog in each model call and keeps active skills in it.

import type { SkillToolkit } from '@skillful/core';
import { type AgentMiddleware, AIMessage, createMiddleware, SystemMessage } from 'langchain';
import { readItems, replaceResults } from './conversation.ts';
import { recoverCalls } from './recover.ts';
import { middlewareName, recordField, recordMessages, recordState } from './state.ts';
import { readConversation, recordingTools } from './tools.ts';

/**
 * Creates middleware for `createAgent` that registers the skill tools and appends the catalog to the system message.
 *
 * Put it last in the list, after middleware that shortens the conversation. A toolkit's catalog function receives the
 * `context` of `invoke` or `stream` as its request.
 *
 * An agent that has a tool with the name of a skill tool rejects its first call with `options-invalid`.
 */
export function skillsMiddleware(toolkit: SkillToolkit): AgentMiddleware {
  const own = recordingTools(toolkit);
  const registered = new Set<unknown>(own);
  return createMiddleware({
    name: middlewareName,
    stateSchema: recordState,
    tools: own,
    beforeAgent: ({ messages }) => ({ [recordField]: recordMessages(messages, toolkit) }),
    async wrapModelCall(request, handler) {
      const { signal, context } = request.runtime;
      toolkit.assertNamesFree(request.tools.filter((tool) => !registered.has(tool)).map(nameOf));
      const before = await readConversation(request.state, toolkit, { signal, request: context });
      const conversation = { ...before, items: readItems(request.messages, toolkit) };
      const call = { signal, request: context, conversation };
      const [disclosure, attachment] = await Promise.all([toolkit.disclose(call), toolkit.attach(call)]);
      const tools = request.tools.filter((tool) => !disclosure.withheld.includes(nameOf(tool)));
      const texts = [disclosure.system, attachment.text].filter((text) => text !== '');
      const answer = await handler({
        ...request,
        tools,
        messages: replaceResults(request.messages, toolkit, attachment.results),
        systemMessage: texts.reduce(appendText, request.systemMessage),
      });
      const known = new Set(request.tools.map(nameOf));
      return AIMessage.isInstance(answer) ? recoverCalls(answer, known, toolkit, { signal, request: context }) : answer;
    },
  });
}

function nameOf(tool: object): string {
  return 'name' in tool ? String(tool.name) : '';
}

function appendText(system: SystemMessage, text: string): SystemMessage {
  const separator = system.text === '' ? '' : '\n\n';
  return system.concat(new SystemMessage({ content: [{ type: 'text', text: `${separator}${text}` }] }));
}
