// Puts the toolkit's instructions into each model call, behind the application's own system prompt.

import type { SkillToolkit } from '@skillful/core';
import type { LanguageModelMiddleware } from 'ai';
import type { SkillToolsOptions } from './tools.ts';

/**
 * Creates language-model middleware that discloses the catalog, for `wrapLanguageModel`.
 *
 * It runs once a model call, streaming or not, and leaves the call as it is where there are no skills.
 */
export function skillsMiddleware(toolkit: SkillToolkit, options: SkillToolsOptions = {}): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const { instructions, tools } = await toolkit.disclose({ signal: params.abortSignal, request: options.request });
      const withheld = new Set(toolkit.tools.filter((tool) => !tools.includes(tool)).map((tool) => tool.name));
      const offered = params.tools?.filter((tool) => !withheld.has(tool.name));
      const call = offered === undefined || withheld.size === 0 ? params : { ...params, tools: offered };
      if (instructions === '') return call;
      const first = params.prompt.findIndex((message) => message.role !== 'system');
      const end = first === -1 ? params.prompt.length : first;
      const prompt = [
        ...params.prompt.slice(0, end),
        { role: 'system' as const, content: instructions },
        ...params.prompt.slice(end),
      ];
      return { ...call, prompt };
    },
  };
}
