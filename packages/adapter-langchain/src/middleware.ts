// Registers the skill tools with an agent and puts the toolkit's instructions into each model call.

import type { SkillToolkit } from '@skillful/core';
import { type AgentMiddleware, createMiddleware, SystemMessage } from 'langchain';
import { skillTools } from './tools.ts';

/**
 * Creates middleware for `createAgent` that registers the skill tools and appends the catalog to the system message.
 *
 * A toolkit's catalog function receives, as its request, the `context` that was given to `invoke` or `stream`.
 */
export function skillsMiddleware(toolkit: SkillToolkit): AgentMiddleware {
  return createMiddleware({
    name: 'AgentSkills',
    tools: skillTools(toolkit),
    async wrapModelCall(request, handler) {
      const { signal, context } = request.runtime;
      const { instructions, tools } = await toolkit.disclose({ signal, request: context });
      const withheld = new Set(toolkit.tools.filter((tool) => !tools.includes(tool)).map((tool) => tool.name));
      const offered = request.tools.filter((tool) => !('name' in tool) || !withheld.has(String(tool.name)));
      if (instructions === '') return handler({ ...request, tools: offered });
      const separator = request.systemMessage.text === '' ? '' : '\n\n';
      const text = new SystemMessage({ content: [{ type: 'text', text: `${separator}${instructions}` }] });
      return handler({ ...request, tools: offered, systemMessage: request.systemMessage.concat(text) });
    },
  });
}
