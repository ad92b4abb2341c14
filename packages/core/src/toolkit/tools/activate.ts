// The tools with which a model activates a skill, whose instructions are returned only if they are not in context yet, and ends it.

import {
  isActive,
  isDecided,
  latestMoment,
  mergeStates,
  momentToBegin,
  type TrackedSkills,
} from '../../conversation/tracked.ts';
import { activateSkill, declaresArguments } from '../../disclosure/activate.ts';
import { renderDecided, renderInactive, renderPointer } from '../../disclosure/activation-text.ts';
import { parseMark, shortDigest } from '../../disclosure/marks.ts';
import { oneLine } from '../../text/neutral.ts';
import type { Offer } from '../offer.ts';
import { takeAnswer } from '../permission/approval.ts';
import { findCalled, findNamed, refuseUnasked } from '../permission/called-skill.ts';
import { recordConsent } from '../permission/consented.ts';
import type { RunMemory, ToolkitParts } from '../toolkit-parts.ts';
import { answer, createTool, type ToolDefinition } from './create-tool.ts';
import { refuse, refuseSkill } from './refusal.ts';
import type { SkillContext, SkillTool, SkillToolInputs } from './tool.ts';

/**
 * Limit for names in the schema, because each costs about five tokens in every call. With more skills, or if some are not listed,
 * the schema contains no names. The answer to an unknown name always contains the closest matches.
 */
const maxEnumeratedNames = 100;

/** Creates `activate_skill`. `staticOffer` is the offer of a catalog that is known from the start. */
export function createActivateTool(
  parts: ToolkitParts,
  staticOffer: Offer | undefined,
  catalogText: string,
): SkillTool {
  const what = "Loads a skill's instructions.";
  const shown = `${what} Call it before a task that a skill covers.\n\n${catalogText}`;
  return createTool(
    {
      name: parts.names.activate,
      description: catalogText === '' ? what : shown,
      ...inputFor(staticOffer),
    },
    parts,
    async (input: ActivateInput, call) => {
      const { context } = call;
      const called = await findCalled(input.name, call);
      if ('text' in called) return called;
      const { skill, name, offer, tracked } = called;
      const request = { skill, action: 'activate' } as const;
      const isNew = called.consent === 'needed';
      const check = () => (context.replay === true ? 'unasked' : takeAnswer(request, call));
      const consent = isNew ? await check() : called.consent;
      if (consent === 'unasked') return refuseUnasked(called, call);
      if (consent !== undefined && 'text' in consent) return consent;
      const given = input.arguments?.trim() ?? '';
      const { text, digest } = await activateSkill(skill, {
        catalog: offer.forAnyone,
        signal: context.signal,
        checkPath: offer.checkFiles(skill, 'read'),
        readTool: parts.toolsOf(offer).read,
        arguments: given,
      });
      if (consent !== undefined && consent.digests['SKILL.md'] !== digest) return refuseSkill('approval-stale', skill);
      if (consent !== undefined && isNew && !(await recordConsent(request, called, consent, call)))
        return refuseSkill('approval-lost', skill);
      const memory = parts.memoryOf(context.replay === true ? {} : context);
      const version = `${digest} ${given}`;
      const isRepeated = memory.changed.has(name)
        ? isSame(memory.changed.get(name), version, given)
        : isInContext(name, given, digest, tracked, context);
      if (isRepeated) {
        const pointer = renderPointer(name, shortDigest(digest));
        const saved = parts.countTokens(text) - parts.countTokens(pointer);
        parts.emit({ type: 'deduplicated', skill: skill.name, tokens: saved }, context);
        return answer(pointer, { kind: 'activation', skill: skill.name, digest, repeated: true });
      }
      const tokens = parts.countTokens(text);
      const source = skill.source.id;
      parts.emit({ type: 'activated', skill: skill.name, digest, source, by: 'model', tokens }, context);
      memory.changed.set(name, version);
      // An activation with consent counts only together with its result.
      if (consent === undefined && !isActive(tracked, name)) keepBegun(memory, name, given, digest, tracked);
      return answer(text, { kind: 'activation', skill: skill.name, digest, repeated: false });
    },
  );
}

/** Compares an activation with an earlier one. A call without arguments keeps the current ones. */
function isSame(earlier: string | undefined, version: string, given: string): boolean {
  return given === '' ? earlier?.startsWith(version) === true : earlier === version;
}

/** Records the activation for the next model call, because a framework may remove the result before that. */
function keepBegun(memory: RunMemory, name: string, given: string, digest: string, { records }: TrackedSkills): void {
  const at = momentToBegin(records.get(name), latestMoment(records));
  const begun = { by: 'model', at, digest: shortDigest(digest) } as const;
  const record = { ...begun, ...(given !== '' && { hasArguments: true }) };
  memory.state = mergeStates(memory.state, { skills: { [name]: record } });
}

/** Checks whether `prepare` keeps exactly this text in the conversation. Without messages, a tool cannot know. */
function isInContext(
  name: string,
  given: string,
  digest: string,
  tracked: TrackedSkills,
  { messages, replay }: SkillContext,
): boolean {
  if (replay === true || messages === undefined || !isActive(tracked, name)) return false;
  const record = tracked.records.get(name);
  if (record?.moved === false || (record?.digest ?? shortDigest(digest)) !== shortDigest(digest)) return false;
  // A call without arguments keeps the current ones.
  if (given === '') return true;
  if (record?.by !== 'model') return isDecided(tracked, name);
  const marks = messages.flatMap(({ results = [] }) => results.map(({ text }) => parseMark('activation', text)));
  // A moved text has lost its arguments, even if the result is still there, before a summary.
  return record.moved !== true && marks.findLast((mark) => mark?.name === name)?.arguments === given;
}

type ActivateInput = SkillToolInputs['activate_skill'];

function inputFor(staticOffer: Offer | undefined): Pick<ToolDefinition<ActivateInput>, 'properties' | 'required'> {
  const skills = staticOffer?.forModel.skills ?? [];
  const named = { type: 'string' } as const;
  const isWhole = staticOffer?.plan.skills.every(({ showing }) => showing !== 'deferred') === true;
  const takesArguments = skills.some(({ properties }) => declaresArguments(properties));
  const given = { type: 'string', description: 'Arguments, for a skill that takes some.' } as const;
  return {
    properties: {
      name:
        isWhole && skills.length <= maxEnumeratedNames
          ? { ...named, enum: skills.map(({ name }) => oneLine(name)) }
          : named,
      ...((staticOffer === undefined || takesArguments) && { arguments: given }),
    },
    required: ['name'],
  };
}

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
      const { changed } = parts.memoryOf(call.context.replay === true ? {} : call.context);
      const wasActive = changed.has(name) ? changed.get(name) !== undefined : isActive(tracked, name);
      if (wasActive) parts.emit({ type: 'deactivated', skill: skill.name, by: 'model', tokens }, call.context);
      changed.set(name, undefined);
      return answer(text, { kind: 'deactivation', skill: skill.name });
    },
  );
}
