// Changes each model call of a Mastra agent, after all other processors, and stores which skills are active.

import type { Mastra } from '@mastra/core/mastra';
import mastraPackage from '@mastra/core/package.json' with { type: 'json' };
import type { InputProcessor, ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import { attended, judgeTools, mayAsk } from './approval.ts';
import { contextOf, createRun, optionNames, type SkillRun, type SkillsOptions, writeTo } from './run.ts';
import type { AgentToolkit } from './thread.ts';
import { isSkillTool } from './tools.ts';
import { createForm, hideUnshown, usersOf, viewCalls, viewStored } from './view.ts';
import { replaceOwn, sharedWorkspace } from './workspace.ts';

/**
 * Creates an input processor that shows the catalog to the model and keeps active skills in place.
 *
 * Put it last in the list, because it needs the messages as other processors leave them. Only a `ResponseCache` belongs after it.
 * A toolkit's catalog function receives Mastra's `RequestContext` as its request. Input processors for a single call replace those
 * of the agent, including this one. Without the option `memory`, skills stay active only for the run.
 *
 * If a call adds another tool with the name of a skill tool, its run fails with `options-invalid`.
 *
 * @throws {SkillError} `framework-too-old` if the installed version of Mastra is older than 1.42, or older than 1.60 and the
 * policy is known to ask people
 */
export function skillsProcessor(toolkit: AgentToolkit, options: SkillsOptions = {}): InputProcessor {
  toolkit.assertOptions(options, optionNames);
  // Older versions call no hook before a tool, and have no place for the state.
  toolkit.assertVersion('@skillful/mastra', mastraPackage, '1.42.0');
  const asks = mayAsk(toolkit, options);
  if (asks) attended.add(toolkit);
  let known: Mastra | undefined;
  const findWorkspace = () => (options.workspace === sharedWorkspace ? known?.getWorkspace() : options.workspace);
  return {
    id: 'skillful',
    __registerMastra(mastra) {
      known = mastra;
    },
    // With this, Mastra leaves out its own list of skills, and all but one of its tools for skills.
    get providesSkillDiscovery() {
      return (findWorkspace() && 'on-demand') as 'on-demand';
    },
    // A durable agent repeats in each step whatever is added here, so the catalog is added in `processLLMRequest`.
    processInputStep: unlessAborted(async (step: ProcessInputStepArgs) => {
      const { messageList, state, writer } = step;
      const { tools, replaced } = await replaceOwn(findWorkspace(), step, known);
      // Otherwise, no one would be asked about the calls of a tool that replaces a skill tool.
      toolkit.assertNamesFree(Object.keys(tools).filter((name) => !isSkillTool(tools[name])));
      const { activeTools = Object.keys(tools) } = step;
      state['run'] ??= createRun({ ...step, ...messageList.serialize().memoryInfo, mastra: known }, options);
      const run = state['run'] as SkillRun;
      // Detects durable agents in older versions: they do not call `processLLMRequest`, so their model would see no skills. They
      // begin without a `toolChoice` unless the caller sets one, and then the second step shows it. All other agents begin with
      // `auto`.
      if (run.isBegun || step.toolChoice === undefined)
        toolkit.assertVersion('@skillful/mastra', mastraPackage, '1.49.0');
      run.isBegun = true;
      run.calls = () => viewCalls(messageList.get.all.db());
      run.news = options.streamEvents === true ? writeTo(writer, toolkit) : undefined;
      const stored = messageList.get.all.db();
      run.users = usersOf(stored);
      run.messages = viewStored(stored, toolkit, run.users);
      // With `none`, Mastra gives the model no tools.
      run.offered = step.toolChoice === 'none' ? [] : activeTools.filter((name) => name in tools);
      const hiddenTools = await toolkit.begin({ ...contextOf(run, step), replaced });
      run.offered = run.offered.filter((name) => !hiddenTools.includes(name));
      const judged = judgeTools(tools, run, toolkit, { ...step, asks });
      return { tools: judged, ...(hiddenTools.length > 0 && { activeTools: [...run.offered] }) };
    }),
    processLLMRequest: unlessAborted(async (call: ProcessLLMRequestArgs) => {
      const run = call.state['run'] as SkillRun;
      run.isBegun = false;
      const form = createForm(call, toolkit, run.users);
      run.messages = hideUnshown(run.messages ?? [], toolkit.viewMessages(call.prompt, form, run.messages));
      return { prompt: (await toolkit.prepareMessages(call.prompt, form, contextOf(run, call))).messages };
    }),
  };
}

/**
 * Wraps a hook so that it changes nothing once its run is aborted. Mastra itself ends the run, and would treat an error as the
 * answer.
 */
function unlessAborted<Call extends { readonly abortSignal?: AbortSignal }, Result>(
  hook: (call: Call) => Promise<Result>,
): (call: Call) => Promise<Partial<Result>> {
  return async (call) => {
    try {
      return await hook(call);
    } catch (error) {
      if (call.abortSignal?.aborted === true) return {};
      throw error;
    }
  };
}
