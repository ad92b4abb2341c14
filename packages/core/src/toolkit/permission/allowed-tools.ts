// Decides which of the application's tools active skills approve, hide or unlock.

import { nameKey, nameKeys } from '../../catalog/names.ts';
import type { ToolCall } from '../../conversation/conversation.ts';
import type { SkillEvent } from '../../conversation/event.ts';
import { isDecided } from '../../conversation/tracked.ts';
import { renderToolLocked, renderToolRestricted } from '../../disclosure/answers.ts';
import { nameInWrapper } from '../../disclosure/wrapper-name.ts';
import { matchesPattern } from '../../policy/pattern.ts';
import { explainPolicy } from '../../policy/policy.ts';
import { allowsCall, allowsTool, approvableTools } from '../../policy/tool-pattern.ts';
import { orUndefined } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import { activeSkills, type Offer } from '../offer.ts';
import type { ToolkitOptions, UnlockedTools } from '../options.ts';
import type { Judgement } from '../skill-toolkit.ts';
import type { CallParts, UsedSkills } from '../toolkit-parts.ts';
import { reportOnce } from '../tools/refusal.ts';
import { readAgreed } from './consented.ts';

type ToolRules = Pick<ToolkitOptions, 'allowedTools' | 'unlocks'>;

/** Checks whether skills can refuse or approve calls of the application's tools. */
export function hasToolRules({ allowedTools, unlocks }: ToolRules): boolean {
  return (allowedTools?.mode ?? 'hint') !== 'hint' || unlocks !== undefined;
}

type Moment = Pick<UsedSkills, 'offer' | 'tracked'>;

/** Returns the application's tools that the model must not see. */
export function findHiddenTools(
  tools: readonly string[],
  { allowedTools: { mode, names = {}, always = [] } = {}, unlocks = {} }: ToolRules,
  moment: Moment,
): readonly string[] {
  const active = activeSkills(moment.offer, moment.tracked);
  const limits = limitsOf(active);
  const isRestricted = mode === 'restrict' && restricts(active);
  return tools.filter((tool) => {
    const unlocking = findUnlocking(tool, unlocks, active);
    if (unlocking !== undefined) return unlocking.length === 0;
    return isRestricted && !always.includes(tool) && !limits.some((limit) => allowsTool(limit, tool, names));
  });
}

/** Judges a call of an application's tool. `begun` are the skills that other calls of the same answer activate. */
export async function judgeForeignCall(
  call: ToolCall,
  moment: Moment,
  begun: readonly Skill[],
  parts: CallParts,
): Promise<Judgement> {
  const { allowedTools: { mode, names = {}, always = [] } = {}, unlocks = {} } = parts.options;
  const active = activeSkills(moment.offer, moment.tracked);
  const allows = (limits: readonly string[]) => limits.some((limit) => allowsCall(limit, call, names));
  const unlocking = findUnlocking(call.name, unlocks, active);
  if (unlocking?.length === 0) {
    const able = findUnlocking(call.name, unlocks, moment.offer.forModel.skills)?.map(({ name }) => name);
    reportOnce({ type: 'refused', tool: call.name, code: 'tool-locked', tokens: 0 }, parts);
    return { effect: 'deny', text: renderToolLocked(call.name, able ?? []) };
  }
  // A skill that is activated in the same answer may restrict, but never allow.
  const limiting = restricts(active) ? active : begun;
  const limits = limitsOf(limiting);
  const isFree = unlocking !== undefined || always.includes(call.name);
  if (mode === 'restrict' && !isFree && restricts(limiting) && !allows(limits)) {
    reportOnce({ type: 'refused', tool: call.name, code: 'tool-restricted', tokens: 0 }, parts);
    return { effect: 'deny', text: renderToolRestricted(call.name, limits) };
  }
  const approving = mode === 'preapprove' ? active.filter((skill) => allows(approvableTools(skill))) : [];
  for (const skill of approving) {
    if (!(await mayApprove(skill, moment, parts))) continue;
    reportOnce({ type: 'tool-approved', skill: skill.name, tool: call.name, tokens: 0 }, parts);
    return { effect: 'approve' };
  }
  return { effect: 'none' };
}

/**
 * Finds the tools that skills allow but the application does not have. Returns none with `hint`, where nothing depends on them.
 */
export function findUnknownTools(
  { forModel }: Offer,
  tools: readonly string[],
  { allowedTools: { mode = 'hint', names = {} } = {} }: ToolRules,
): readonly SkillEvent[] {
  if (mode === 'hint') return [];
  return forModel.skills.flatMap(({ name: skill, properties }) =>
    properties.allowedTools
      .filter((limit) => !tools.some((tool) => allowsTool(limit, tool, names)))
      .map((tool): SkillEvent => ({ type: 'tool-unknown', skill, tool, tokens: 0 })),
  );
}

function limitsOf(skills: readonly Skill[]): readonly string[] {
  return skills.flatMap(({ properties }) => properties.allowedTools);
}

/** Checks whether any skill has `allowed-tools`, even in a form that cannot be understood. */
function restricts(skills: readonly Skill[]): boolean {
  return skills.some(
    ({ properties }) => properties.allowedTools.length > 0 || properties.allowedToolsDoubtful === true,
  );
}

/**
 * Checks whether a skill may approve calls: a person agreed to its current files, the application activated it, or the policy
 * allows it and it is not remote.
 */
async function mayApprove(
  skill: Skill,
  { offer, tracked }: Moment,
  { policyFor, context }: CallParts,
): Promise<boolean> {
  const name = nameInWrapper(offer.forAnyone, skill);
  if (isDecided(tracked, name)) return true;
  const consent = tracked.records.get(name)?.consent;
  if (consent !== undefined) return (await orUndefined(readAgreed(skill, consent, context))) !== undefined;
  const { effect } = explainPolicy(policyFor(context), skill, { actor: 'model', action: 'activate' });
  return effect === 'allow' && skill.source.scope !== 'remote';
}

/** Finds the skills that unlock a tool; undefined if the tool needs none. */
function findUnlocking(tool: string, unlocks: UnlockedTools, skills: readonly Skill[]): readonly Skill[] | undefined {
  const patterns = Object.keys(unlocks).filter((pattern) => unlocks[pattern]?.includes(tool));
  if (patterns.length === 0) return undefined;
  return skills.filter((skill) => {
    const names = nameKeys(skill);
    return patterns.some((pattern) => names.some((name) => matchesPattern(nameKey(pattern), name)));
  });
}
