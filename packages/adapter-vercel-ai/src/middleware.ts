// Adds skills to each call of a model, for applications that only control the model.

import type { SkillToolkit } from '@skillful/core';
import type { LanguageModelMiddleware } from 'ai';
import { assertUsable, type OptionsParameter } from './options.ts';
import { prepareCall } from './prepare-call.ts';

/**
 * Creates middleware for `wrapLanguageModel`. Use it together with `skillTools` if you cannot use `withSkills`.
 *
 * A model that `prepareStep` returns needs it as well. Does not correct calls that use the name of a skill as a tool.
 *
 * @throws {SkillError} `framework-too-old`
 */
export function skillsMiddleware<Request>(
  toolkit: SkillToolkit<Request>,
  ...[options = {}]: OptionsParameter<Request>
): LanguageModelMiddleware {
  assertUsable(toolkit, options);
  const runs = new WeakMap<object, object>();
  return {
    specificationVersion: 'v4',
    async transformParams({ params, model }) {
      const { prompt, tools, abortSignal: signal = options.signal } = params;
      // With `generateText`, each attempt has the same prompt object; with `streamText`, it does not. The run is another object, because
      // other models may get the same prompt.
      const run = runs.get(prompt) ?? {};
      runs.set(prompt, run);
      const context = { ...options, signal, run, offered: (tools ?? []).map(({ name }) => name) };
      const { messages, offered } = await prepareCall(toolkit, { messages: prompt, model }, context);
      return {
        ...params,
        prompt: messages,
        ...(tools && { tools: tools.filter(({ name }) => offered.includes(name)) }),
      };
    },
  };
}
