// The tool by which a model activates a skill, once for as long as its instructions stay in context.

import { activateSkill } from './activate.ts';
import { frameName, readActivation, readLedger } from './ledger.ts';
import { findOffered, type Offer, type ToolSetting } from './offer.ts';
import { renderChanged, renderPointer, shortDigest } from './render-activation.ts';
import { answer, createTool, type JsonSchemaObject, type SkillConversation, type SkillTool } from './tool.ts';

/** The tool spells out the names that it takes while there are no more than this. */
const maxEnumeratedNames = 100;

/** Creates `activate_skill`. `fixed` is the offer of a catalog that is known from the start. */
export function createActivateTool(setting: ToolSetting, fixed: Offer | undefined, catalogText: string): SkillTool {
  const description = 'Loads the instructions of a skill. Call it before you work on a task that the skill covers.';
  return createTool(
    {
      name: setting.names.activate,
      description: catalogText === '' ? description : `${description}\n\n${catalogText}`,
      inputSchema: schemaFor(fixed),
    },
    async (input, context) => {
      const { catalog } = await setting.offerFor(context);
      const found = findOffered(catalog, input.text('name') ?? '');
      if (found.refusal !== undefined) return found.refusal;
      const { skill } = found;
      const name = frameName(catalog, skill);
      const given = input.text('arguments');
      const { text, digest } = await activateSkill(skill, {
        signal: context.signal,
        readTool: setting.names.read,
        frameName: name,
        arguments: given,
      });
      const known = given === undefined ? digestInContext(name, context.conversation) : undefined;
      const { items = [], active = readLedger(items, catalog, setting.names) } = context.conversation ?? {};
      const isActive = active.some((entry) => entry.name === name);
      if (known === shortDigest(digest) && isActive) {
        const pointer = renderPointer(name, digest);
        const saved = setting.countTokens(text) - setting.countTokens(pointer);
        setting.emit({ type: 'deduplicated', skill: skill.name, tokens: saved });
        return answer(pointer, { kind: 'activation', skill: skill.name, digest, repeated: true });
      }
      setting.emit({ type: 'activated', skill: skill.name, digest, by: 'model', tokens: setting.countTokens(text) });
      const whole = known === undefined || known === shortDigest(digest) ? text : renderChanged(text);
      return answer(whole, { kind: 'activation', skill: skill.name, digest, repeated: false });
    },
  );

  /** The version of a skill's instructions that the model has before it in full. */
  function digestInContext(name: string, conversation: SkillConversation | undefined): string | undefined {
    return conversation?.items
      .flatMap((item) =>
        item.kind === 'result' && item.tool === setting.names.activate ? [readActivation(item.text)] : [],
      )
      .findLast((activation) => activation?.name === name)?.digest;
  }
}

function schemaFor(fixed: Offer | undefined): JsonSchemaObject {
  const skills = fixed?.catalog.skills;
  const named = { type: 'string', description: 'Name of the skill, as listed in available_skills.' } as const;
  const takesArguments = skills?.some(
    ({ properties }) => properties.arguments.length > 0 || properties.argumentHint !== undefined,
  );
  return {
    type: 'object',
    properties: {
      name:
        skills !== undefined && skills.length <= maxEnumeratedNames
          ? { ...named, enum: skills.map(({ name }) => name) }
          : named,
      ...(takesArguments === true
        ? { arguments: { type: 'string' as const, description: 'Arguments, for a skill that takes some.' } }
        : {}),
    },
    required: ['name'],
    additionalProperties: false,
  };
}
