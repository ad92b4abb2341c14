// The tool by which a model activates a skill, once for as long as its instructions stay in context.

import { activateSkill } from '../../disclosure/activate.ts';
import { renderChanged, renderPointer } from '../../disclosure/activation-text.ts';
import { nameInWrapper } from '../../disclosure/ledger.ts';
import { type ActiveSkill, parseWholeActivation, sameArguments, shortDigest } from '../../disclosure/marks.ts';
import { oneLine } from '../../text/neutral.ts';
import { type Offer, resolveOffered, type ToolSetting, usableCatalog } from '../offer.ts';
import { answer, createTool, type JsonSchemaObject, type SkillConversation, type SkillTool } from '../tool.ts';

/**
 * The tool spells out the names that it takes while there are no more than this and none is left to the search. It costs
 * about five tokens a name in every call; beyond that a name that is none is answered with the nearest ones.
 */
const maxEnumeratedNames = 100;

/** Creates `activate_skill`. `fixed` is the offer of a catalog that is known from the start. */
export function createActivateTool(setting: ToolSetting, fixed: Offer | undefined, catalogText: string): SkillTool {
  const what = "Loads a skill's instructions.";
  const shown = `${what} Call it before a task that a skill covers.\n\n${catalogText}`;
  return createTool(
    {
      name: setting.names.activate,
      description: catalogText === '' ? what : shown,
      inputSchema: schemaFor(fixed),
    },
    async (input, context) => {
      const offer = await setting.offerFor(context);
      const active = setting.activeIn(offer, context);
      const catalog = usableCatalog(offer, active);
      const found = resolveOffered(catalog, input.text('name') ?? '');
      if (found.refusal !== undefined) return found.refusal;
      const { skill } = found;
      const name = nameInWrapper(catalog, skill);
      const given = input.text('arguments')?.trim() ?? '';
      const { text, digest } = await activateSkill(skill, {
        signal: context.signal,
        readTool: setting.toolsOf(offer).read,
        frameName: name,
        arguments: given,
      });
      const known = findInContext(name, context.conversation);
      const isSame = known?.digest === shortDigest(digest);
      const isActive = active.some((entry) => entry.name === name);
      if (known !== undefined && isSame && isActive && sameArguments(known, { name, arguments: given })) {
        const pointer = renderPointer(name, shortDigest(digest));
        const saved = setting.countTokens(text) - setting.countTokens(pointer);
        setting.emit({ type: 'deduplicated', skill: skill.name, tokens: saved });
        return answer(pointer, { kind: 'activation', skill: skill.name, digest, repeated: true });
      }
      setting.emit({ type: 'activated', skill: skill.name, digest, by: 'model', tokens: setting.countTokens(text) });
      const whole = known === undefined || isSame ? text : renderChanged(text);
      return answer(whole, { kind: 'activation', skill: skill.name, digest, repeated: false });
    },
  );

  /** The activation of a skill whose text the model has before it to its end. */
  function findInContext(name: string, conversation: SkillConversation | undefined): ActiveSkill | undefined {
    return conversation?.items
      .flatMap((item) =>
        item.kind === 'result' && item.tool === setting.names.activate ? [parseWholeActivation(item.text)] : [],
      )
      .findLast((activation) => activation?.name === name);
  }
}

/** Characters of all names that a schema spells out at most: a name may be long where it breaks the rules. */
const maxEnumeratedCharacters = 10_000;

function schemaFor(fixed: Offer | undefined): JsonSchemaObject {
  const skills = fixed?.catalog.skills;
  const named = { type: 'string' } as const;
  const names = skills?.slice(0, maxEnumeratedNames + 1).map(({ name }) => oneLine(name));
  const isWhole = fixed?.plan.skills.every(({ showing }) => showing !== 'deferred');
  const isShort =
    names !== undefined && names.length <= maxEnumeratedNames && names.join('').length <= maxEnumeratedCharacters;
  const takesArguments = skills?.some(
    ({ properties }) => properties.arguments.length > 0 || properties.argumentHint !== undefined,
  );
  return {
    type: 'object',
    properties: {
      name: isShort && isWhole === true ? { ...named, enum: names } : named,
      ...(takesArguments === false
        ? {}
        : { arguments: { type: 'string' as const, description: 'Arguments, for a skill that takes some.' } }),
    },
    required: ['name'],
    additionalProperties: false,
  };
}
