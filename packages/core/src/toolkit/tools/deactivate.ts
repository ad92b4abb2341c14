// The tool by which a model gives the context of a skill back.

import { renderInactive } from '../../disclosure/activation-text.ts';
import { nameInWrapper } from '../../disclosure/ledger.ts';
import { resolveOffered, type ToolSetting, usableCatalog } from '../offer.ts';
import { answer, createTool, type SkillTool } from '../tool.ts';

/** Creates `deactivate_skill`: the instructions leave the context at the next model call. */
export function createDeactivateTool(setting: ToolSetting): SkillTool {
  return createTool(
    {
      name: setting.names.deactivate,
      description: 'Takes the instructions of a skill that is done out of the context.',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const offer = await setting.offerFor(context);
      const catalog = usableCatalog(offer, setting.activeIn(offer, context));
      const found = resolveOffered(catalog, input.text('name') ?? '');
      if (found.refusal !== undefined) return found.refusal;
      const text = renderInactive(nameInWrapper(catalog, found.skill));
      setting.emit({ type: 'deactivated', skill: found.skill.name, by: 'model', tokens: setting.countTokens(text) });
      return answer(text, { kind: 'deactivation', skill: found.skill.name });
    },
  );
}
