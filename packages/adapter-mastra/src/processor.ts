// Changes each model call of a Mastra agent, behind all other processors, and keeps what is active.

import type { Mastra } from '@mastra/core/mastra';
import type {
  InputProcessor,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
} from '@mastra/core/processors';
import type { SkillState, SkillToolkit } from '@skillful/core';
import { attend, judgeTools } from './approval.ts';
import { inheritNothing } from './delegate.ts';
import { fitFiles } from './files.ts';
import { beginRun, contextOf, loadState, type SkillRun, type SkillsOptions } from './run.ts';
import { writeNews } from './stream.ts';
import { assertVersion } from './version.ts';
import { editPrompt, viewConversation, viewPrompt, viewStored } from './view.ts';
import { replaceOwn } from './workspace.ts';

/**
 * Creates an input processor that shows the catalog to the model and keeps active skills in place.
 *
 * Put it last in the list: what other processors leave of a conversation counts. A toolkit's catalog function receives
 * Mastra's `RequestContext` as its request. Input processors of a single call replace those of the agent, including this one.
 *
 * @throws {SkillError} `framework-too-old` if the installed version of Mastra is older than 1.42
 */
export function skillsProcessor(toolkit: SkillToolkit, options: SkillsOptions = {}): InputProcessor {
  assertVersion(toolkit);
  attend(toolkit);
  let mastra: Mastra | undefined;
  return {
    id: 'skillful',
    __registerMastra(registered) {
      mastra = registered;
    },
    // Mastra then leaves its own list of skills out, and the tools that go with it except one.
    ...(options.workspace !== undefined && { providesSkillDiscovery: 'on-demand' as const }),
    // What is said here is repeated in each step of a durable agent: the catalog has to wait for the request.
    async processInputStep(step: ProcessInputStepArgs): Promise<ProcessInputStepResult> {
      const { requestContext: request, messageList, state, abortSignal: signal, writer } = step;
      const { tools, replaced } = await replaceOwn(options.workspace, step, mastra);
      const { activeTools = Object.keys(tools) } = step;
      const isFirst = state['run'] === undefined;
      state['run'] ??= beginRun(step, options);
      const run = state['run'] as SkillRun;
      run.messageList = messageList;
      run.writer = options.streamEvents === true ? writer : undefined;
      const offered = activeTools.filter((name) => name in tools);
      const messages = viewStored(messageList.get.all.db());
      const context = { ...contextOf(run, request, options), signal, run };
      // Which of the application's tools are hidden depends on what is active.
      if (toolkit.judgesAll) await loadState(run, toolkit, context);
      const known = { state: toolkit.merge(run.stored, run.state), messages, offered, ...(isFirst && { replaced }) };
      const withheld = await toolkit.begin({ ...context, ...known });
      run.offered = offered.filter((name) => !withheld.includes(name));
      const judged = judgeTools(inheritNothing(tools), { run, toolkit, options, request, signal });
      return { tools: judged, ...(withheld.length > 0 && { activeTools: [...run.offered] }) };
    },
    async processLLMRequest(call: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
      const { prompt, model, requestContext: request, abortSignal: signal, state } = call;
      const run = state['run'] as SkillRun;
      const shown = viewPrompt(prompt);
      run.messages = viewConversation(shown, viewStored(run.messageList?.get.all.db() ?? []));
      const context = { ...contextOf(run, request, options), signal, onEvent: writeNews(toolkit, run.writer) };
      await loadState(run, toolkit, context);
      const prepared = await toolkit.prepare(shown, {
        ...context,
        state: toolkit.merge(run.stored, run.state),
      });
      run.state = toolkit.merge(prepared.state);
      // Which message was seen last is not worth a write.
      if (run.stored !== undefined && skillsIn(run.stored) !== skillsIn(run.state)) {
        await loadState(run, toolkit, context, (known) => toolkit.merge(known, run.state));
      }
      return { prompt: fitFiles(editPrompt(prompt, shown, prepared), model, toolkit) };
    },
  };
}

function skillsIn({ skills }: SkillState): string {
  return JSON.stringify(skills);
}
