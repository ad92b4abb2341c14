// Changes each model call of a Mastra agent, after all other processors, and stores what is active.

import mastraPackage from '@mastra/core/package.json' with { type: 'json' };
import type {
  InputProcessor,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
} from '@mastra/core/processors';
import type { SkillState, SkillToolkit } from '@skillful/core';
import { attended, judgeTools } from './approval.ts';
import { createRun, loadState, type SkillRun, type SkillsOptions } from './run.ts';
import { writeTo } from './stream.ts';
import { keepState } from './thread.ts';
import { editPrompt, viewConversation, viewPrompt, viewStored } from './view.ts';
import { replaceOwn } from './workspace.ts';

/**
 * Creates an input processor that shows the catalog to the model and keeps active skills in place.
 *
 * Put it last in the list, because it works on what other processors leave. A toolkit's catalog function receives
 * Mastra's `RequestContext` as its request. Input processors of a single call replace those of the agent, including this one.
 *
 * @throws {SkillError} `framework-too-old` if the installed version of Mastra is older than 1.42
 */
export function skillsProcessor(toolkit: SkillToolkit, options: SkillsOptions = {}): InputProcessor {
  // An older one calls no hook before a tool, and has no place for the state.
  toolkit.assertVersion('@skillful/mastra', mastraPackage, '1.42.0');
  attended.add(toolkit);
  return {
    id: 'skillful',
    // Mastra then leaves out its own list of skills, and all of its tools for them except one.
    ...(options.workspace !== undefined && { providesSkillDiscovery: 'on-demand' as const }),
    // A durable agent repeats in each step what is added here, so `processLLMRequest` adds the catalog.
    async processInputStep(step: ProcessInputStepArgs): Promise<ProcessInputStepResult> {
      const { requestContext: request, messageList, state, abortSignal: signal, writer } = step;
      const { tools, replaced } = await replaceOwn(options.workspace, step);
      const { activeTools = Object.keys(tools) } = step;
      state['run'] ??= createRun({ ...step, ...messageList.serialize().memoryInfo }, options);
      const run = state['run'] as SkillRun;
      run.messageList = messageList;
      run.writer = options.streamEvents === true ? writer : undefined;
      const call = { request, signal };
      await loadState(run, toolkit, { ...run.known, ...call });
      const offered = activeTools.filter((name) => name in tools);
      const messages = viewStored(messageList.get.all.db(), toolkit);
      run.known = { ...run.known, state: toolkit.merge(run.stored, run.known.state), messages };
      const hiddenTools = await toolkit.begin({ ...run.known, ...call, offered, replaced });
      const active = offered.filter((name) => !hiddenTools.includes(name));
      run.known = { ...run.known, offered: active };
      const judged = judgeTools(tools, run, toolkit, call);
      return { tools: judged, ...(hiddenTools.length > 0 && { activeTools: active }) };
    },
    async processLLMRequest(call: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
      const { requestContext: request, abortSignal: signal } = call;
      const run = call.state['run'] as SkillRun;
      const shown = viewPrompt(call.prompt, toolkit);
      run.known = { ...run.known, messages: viewConversation(shown, run.known.messages ?? []) };
      const onState = (state: SkillState) => save(run, toolkit, state);
      const context = { ...run.known, request, signal, ...writeTo(run.writer, toolkit), onState };
      const prepared = await toolkit.prepare(shown, context);
      run.known = { ...run.known, state: prepared.state };
      return { prompt: editPrompt(call, shown, prepared, toolkit) };
    },
  };
}

/** Saves the state if a skill changed; a new last message alone is not worth a write. */
async function save(run: SkillRun, toolkit: SkillToolkit, state: SkillState): Promise<void> {
  const { thread, stored } = run;
  if (thread === undefined || stored === undefined || skillsIn(stored) === skillsIn(toolkit.merge(state))) return;
  run.stored = await keepState(thread, toolkit, (known) => toolkit.merge(known, state));
}

function skillsIn({ skills }: SkillState): string {
  return JSON.stringify(skills);
}
