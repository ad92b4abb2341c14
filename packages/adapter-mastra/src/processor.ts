// Changes each model call of a Mastra agent, behind all other processors, and keeps what is active.

import type {
  InputProcessor,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
} from '@mastra/core/processors';
import type { SkillState, SkillToolkit } from '@skillful/core';
import { inheritNothing } from './delegate.ts';
import { fitFiles } from './files.ts';
import { beginRun, type SkillRun, type SkillsOptions } from './run.ts';
import { writeNews } from './stream.ts';
import { keepState } from './thread.ts';
import { assertVersion } from './version.ts';
import { editPrompt, viewConversation, viewPrompt, viewStored } from './view.ts';

/**
 * Creates an input processor that shows the catalog to the model and keeps active skills in place.
 *
 * Put it last in the list: what other processors leave of a conversation counts. A toolkit's catalog function receives
 * Mastra's `RequestContext` as its request. Input processors of a single call replace those of the agent, including this one.
 *
 * @throws if the installed version of Mastra is older than 1.42
 */
export function skillsProcessor(toolkit: SkillToolkit, options: SkillsOptions = {}): InputProcessor {
  assertVersion();
  return {
    id: 'skillful',
    // What is said here is repeated in each step of a durable agent: the catalog has to wait for the request.
    async processInputStep(step: ProcessInputStepArgs): Promise<ProcessInputStepResult> {
      const {
        tools = {},
        activeTools = Object.keys(tools),
        requestContext: request,
        abortSignal: signal,
        state,
      } = step;
      state['run'] ??= beginRun(step, options);
      const run = state['run'] as SkillRun;
      const withheld = await toolkit.begin({ run, request, signal, about: run.about });
      run.messageList = step.messageList;
      run.offered = activeTools.filter((name) => name in tools && !withheld.includes(name));
      return { tools: inheritNothing(tools), ...(withheld.length > 0 && { activeTools: [...run.offered] }) };
    },
    async processLLMRequest(call: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
      const { prompt, model, requestContext: request, abortSignal: signal, state, writer } = call;
      const run = state['run'] as SkillRun;
      const { about, offered } = run;
      const shown = viewPrompt(prompt);
      run.messages = viewConversation(shown, viewStored(run.messageList.get.all.db()));
      const onEvent = options.streamEvents === true ? writeNews(toolkit, writer) : undefined;
      const { mentions } = options;
      const context = { signal, request, run, about, onEvent, offered, mentions, messages: run.messages };
      const { thread } = run;
      const keep = (change?: (known: SkillState) => SkillState): Promise<void> =>
        toolkit.storeState(async () => {
          if (thread !== undefined) run.stored = await keepState(thread, toolkit, change);
        }, context);
      await keep();
      const prepared = await toolkit.prepare(shown, {
        ...context,
        state: toolkit.merge(run.stored, run.state),
      });
      run.state = toolkit.merge(prepared.state);
      // Which message was seen last is not worth a write.
      if (run.stored !== undefined && skillsIn(run.stored) !== skillsIn(run.state)) {
        await keep((known) => toolkit.merge(known, run.state));
      }
      return { prompt: fitFiles(editPrompt(prompt, shown, prepared), model, toolkit) };
    },
  };
}

function skillsIn({ skills }: SkillState): string {
  return JSON.stringify(skills);
}
