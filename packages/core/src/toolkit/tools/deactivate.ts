// The tool by which a model removes the instructions of a skill from its context.

import { renderInactive } from '../../disclosure/activation-text.ts';
import { nameInWrapper } from '../../disclosure/ledger.ts';
import { answer, createTool } from '../create-tool.ts';
import { resolveOffered, usableCatalog } from '../offer.ts';
import type { ToolServices } from '../setting.ts';
import type { SkillTool } from '../tool.ts';

/** Creates `deactivate_skill`: the instructions leave the context at the next model call. */
export function createDeactivateTool(services: ToolServices): SkillTool {
  return createTool(
    {
      name: services.names.deactivate,
      description: "Removes a finished skill's instructions from the context.",
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const offer = await services.offerFor(context);
      const catalog = usableCatalog(offer, services.activeIn(offer, context));
      const found = resolveOffered(catalog, input.text('name') ?? '');
      if (found.refusal !== undefined) return found.refusal;
      const text = renderInactive(nameInWrapper(catalog, found.skill));
      services.emit({ type: 'deactivated', skill: found.skill.name, by: 'model', tokens: services.countTokens(text) });
      return answer(text, { kind: 'deactivation', skill: found.skill.name });
    },
  );
}
