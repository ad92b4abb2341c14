// Puts the toolkit's instructions into each model call of a Mastra agent, behind the agent's own instructions.

import type { InputProcessor, ProcessInputStepArgs, ProcessInputStepResult } from '@mastra/core/processors';
import type { SkillToolkit } from '@skillful/core';

/**
 * Creates an input processor that discloses the catalog.
 *
 * A toolkit's catalog function receives, as its request, Mastra's `RequestContext`. Input processors that are given to a
 * single call replace those of the agent, and this one with them.
 */
export function skillsProcessor(toolkit: SkillToolkit): InputProcessor {
  return {
    id: 'skillful',
    providesSkillDiscovery: 'on-demand',
    async processInputStep(step: ProcessInputStepArgs): Promise<ProcessInputStepResult> {
      const { systemMessages, tools: registered, activeTools, abortSignal, requestContext } = step;
      const { instructions, tools } = await toolkit.disclose({ signal: abortSignal, request: requestContext });
      const withheld = new Set(toolkit.tools.filter((tool) => !tools.includes(tool)).map((tool) => tool.name));
      const active = (activeTools ?? Object.keys(registered ?? {})).filter((name) => !withheld.has(name));
      return {
        ...(withheld.size === 0 ? {} : { activeTools: active }),
        ...(instructions === ''
          ? {}
          : { systemMessages: [...systemMessages, { role: 'system', content: instructions }] }),
      };
    },
  };
}
