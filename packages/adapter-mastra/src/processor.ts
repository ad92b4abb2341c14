// Changes each model call of a Mastra agent, after all other processors, and stores what is active.

import mastraPackage from '@mastra/core/package.json' with { type: 'json' };
import type { InputProcessor, ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { SkillToolkit } from '@skillful/core';
import { attended, judgeTools } from './approval.ts';
import { contextOf, createRun, type SkillRun, type SkillsOptions } from './run.ts';
import { writeTo } from './stream.ts';
import { editPrompt, hideUnshown, viewCalls, viewPrompt, viewStored } from './view.ts';
import { replaceOwn } from './workspace.ts';

/**
 * Creates an input processor that shows the catalog to the model and keeps active skills in place.
 *
 * Put it last in the list, because it works on what other processors leave. A toolkit's catalog function receives
 * Mastra's `RequestContext` as its request. Input processors of a single call replace those of the agent, including this one.
 *
 * @throws {SkillError} `framework-too-old` if the installed version of Mastra is older than 1.42, or than 1.60 and the policy is
 * known to ask people
 */
export function skillsProcessor(toolkit: SkillToolkit, options: SkillsOptions = {}): InputProcessor {
  // An older one calls no hook before a tool, and has no place for the state.
  toolkit.assertVersion('@skillful/mastra', mastraPackage, '1.42.0');
  // Before that, anyone may answer: another resource on Mastra's server, or the model itself.
  const asks = toolkit.canAsk('@skillful/mastra', mastraPackage, '1.60.0');
  if (asks) attended.add(toolkit);
  return {
    id: 'skillful',
    // Mastra then leaves out its own list of skills, and all of its tools for them except one.
    ...(options.workspace !== undefined && { providesSkillDiscovery: 'on-demand' as const }),
    // A durable agent repeats in each step what is added here, so `processLLMRequest` adds the catalog.
    processInputStep: unlessAborted({}, async (step: ProcessInputStepArgs) => {
      const { messageList, state, writer } = step;
      const { tools, replaced } = await replaceOwn(options.workspace, step);
      const { activeTools = Object.keys(tools) } = step;
      state['run'] ??= createRun({ ...step, ...messageList.serialize().memoryInfo }, options);
      const run = state['run'] as SkillRun;
      // A durable agent of an older one calls no `processLLMRequest`, so that its model reads no skills. Its caller seldom chooses
      // a tool, and all other agents begin with `auto`; if it does, its second step tells.
      if (run.isBegun || step.toolChoice === undefined)
        toolkit.assertVersion('@skillful/mastra', mastraPackage, '1.49.0');
      run.isBegun = true;
      run.calls = () => viewCalls(messageList.get.all.db());
      run.writer = options.streamEvents === true ? writer : undefined;
      run.messages = viewStored(messageList.get.all.db(), toolkit);
      run.offered = activeTools.filter((name) => name in tools);
      const hiddenTools = await toolkit.begin({ ...contextOf(run, step), replaced });
      run.offered = run.offered.filter((name) => !hiddenTools.includes(name));
      const judged = judgeTools(tools, run, toolkit, { ...step, asks });
      return { tools: judged, ...(hiddenTools.length > 0 && { activeTools: [...run.offered] }) };
    }),
    processLLMRequest: unlessAborted(undefined, async (call: ProcessLLMRequestArgs) => {
      const run = call.state['run'] as SkillRun;
      run.isBegun = false;
      const { specificationVersion } = call.model;
      const prompt = await toolkit.restoreMessages(call.prompt, specificationVersion, contextOf(run, call));
      const shown = viewPrompt(prompt, toolkit);
      run.messages = hideUnshown(run.messages ?? [], shown);
      const prepared = await toolkit.prepare(shown, { ...contextOf(run, call), ...writeTo(run.writer, toolkit) });
      return { prompt: editPrompt({ ...call, prompt }, shown, prepared, toolkit) };
    }),
  };
}

/** Returns a hook that changes nothing once its run is aborted: Mastra itself ends the run, and an error would be its answer. */
function unlessAborted<Call extends { readonly abortSignal?: AbortSignal }, Result, Nothing>(
  nothing: Nothing,
  hook: (call: Call) => Promise<Result>,
): (call: Call) => Promise<Result | Nothing> {
  return async (call) => {
    try {
      call.abortSignal?.throwIfAborted();
      return await hook(call);
    } catch (error) {
      if (call.abortSignal?.aborted === true) return nothing;
      throw error;
    }
  };
}
