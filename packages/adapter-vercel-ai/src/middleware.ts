// Puts what the toolkit discloses into each model call, behind the application's own system prompt.

import type { SkillToolkit } from '@skillful/core';
import type { LanguageModelMiddleware } from 'ai';
import { channel, readActive } from './channel.ts';
import { readItems, replaceResults } from './conversation.ts';
import type { SkillToolsOptions } from './options.ts';
import { recoverContent, recoverStream } from './recover.ts';

/**
 * Creates language-model middleware that discloses the catalog and keeps active skills in context, for
 * `wrapLanguageModel`.
 *
 * It runs last, once per model call, with and without streaming, and changes nothing if there are no skills.
 */
export function skillsMiddleware(toolkit: SkillToolkit, options: SkillToolsOptions = {}): LanguageModelMiddleware {
  const { request } = options;
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const { [channel]: own, ...providerOptions } = params.providerOptions ?? {};
      const conversation = {
        items: readItems(params.prompt, toolkit, options),
        active: readActive(params.providerOptions),
      };
      const context = { signal: params.abortSignal, request, conversation };
      const [disclosure, attachment] = await Promise.all([toolkit.disclose(context), toolkit.attach(context)]);
      const texts = [disclosure.system, attachment.text].filter((text) => text !== '');
      const prompt = replaceResults(params.prompt, toolkit, attachment.results).filter(
        ({ role, content }) => role !== 'tool' || content.length > 0,
      );
      const first = prompt.findIndex((message) => message.role !== 'system');
      prompt.splice(
        first === -1 ? prompt.length : first,
        0,
        ...texts.map((content) => ({ role: 'system' as const, content })),
      );
      return {
        ...params,
        prompt,
        ...(params.tools === undefined
          ? {}
          : { tools: params.tools.filter((tool) => !disclosure.withheld.includes(tool.name)) }),
        ...(own === undefined ? {} : { providerOptions }),
      };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      return { ...result, content: await recoverContent(result.content, params, toolkit, request) };
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...result } = await doStream();
      return { ...result, stream: stream.pipeThrough(recoverStream(params, toolkit, request)) };
    },
  };
}
