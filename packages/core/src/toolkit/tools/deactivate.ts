// The tool with which a model removes the instructions of a skill from its context.

import { isActive, isDecided } from '../../conversation/tracked.ts';
import { renderDecided, renderInactive } from '../../disclosure/activation-text.ts';
import { findNamed } from '../permission/called-skill.ts';
import type { RunMemory, ToolkitParts } from '../toolkit-parts.ts';
import { answer, createTool, refuse } from './create-tool.ts';
import type { SkillTool, SkillToolInputs } from './tool.ts';

/** Creates `deactivate_skill`. The instructions leave the context at the next model call. */
export function createDeactivateTool(parts: ToolkitParts): SkillTool {
  return createTool(
    {
      name: parts.names.deactivate,
      description: "Removes a finished skill's instructions from the context.",
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
    parts,
    async (input: SkillToolInputs['deactivate_skill'], call) => {
      const found = await findNamed(input.name, call);
      if ('text' in found) return found;
      const { skill, name, tracked } = found;
      if (isDecided(tracked, name)) return refuse('skill-decided', renderDecided(name));
      const text = renderInactive(name);
      const tokens = parts.countTokens(text);
      const memory: RunMemory = call.context.replay === true ? {} : parts.memoryOf(call.context);
      memory.changed ??= new Map();
      const wasActive = memory.changed.has(name) ? memory.changed.get(name) !== undefined : isActive(tracked, name);
      if (wasActive) parts.emit({ type: 'deactivated', skill: skill.name, by: 'model', tokens }, call.context);
      memory.changed.set(name, undefined);
      return answer(text, { kind: 'deactivation', skill: skill.name });
    },
  );
}
