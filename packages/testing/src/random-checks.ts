// Checks each call of a random session, and what is reported about it. Each check returns a list of what is wrong.

import type { ActiveSkill, SkillEvent } from '@skillful/core';
import type { ObservedCall } from './adapter-harness.ts';
import { lostMessages } from './lost-messages.ts';
import type { Expectation } from './random-expectation.ts';
import { saidWord, skillNames } from './random-session.ts';
import { textOf } from './script.ts';

/** Checks what the model reads in one call. */
export function checkCall(call: ObservedCall, { active, denied, versions, unsure }: Expectation): readonly string[] {
  const text = textOf(call);
  return [
    ...(call.system.includes(saidWord) ? ['the system prompt contains what somebody said'] : []),
    ...skillNames.flatMap((name) => {
      const found = [...text.matchAll(new RegExp(`TEXT-OF-${name} (\\d+)`, 'g'))].map(([, version]) => version);
      const wanted = active.has(name) && !denied.has(name) ? [String(versions.get(name))] : [];
      const isRight = found.join() === wanted.join();
      if (unsure.has(name) && (found.length === 0 || found.join() === String(versions.get(name)))) return [];
      return isRight ? [] : [`has the versions [${found}] of ${name}, not [${wanted}]`];
    }),
    ...[...denied]
      .filter((name) => text.includes(`USE-OF-${name}`))
      .map((name) => `describes ${name}, which is denied`),
  ];
}

/** Checks that instructions neither left a place that still exists nor changed there. */
export function checkPlaces(
  before: ObservedCall | undefined,
  call: ObservedCall,
  expected: Expectation,
  shortens: boolean,
): readonly string[] {
  return skillNames.flatMap((name) => {
    const [anchor = '', offset = 0] = placeOf(before, name) ?? [];
    const isFree = !expected.active.has(name) || expected.denied.has(name);
    if (before === undefined || !anchor.includes(saidWord) || isFree) return [];
    if (expected.moving.has(name) || expected.unsure.has(name)) return [];
    // If an earlier message is back that the framework had left out, it is now the first, which texts without a place move to.
    const [current = ''] = placeOf(call, name) ?? [];
    const anchors = call.messages.map(anchorOf);
    const isNew = before.messages.every((message) => anchorOf(message) !== current);
    const isBack = isNew && anchors.indexOf(current) < anchors.indexOf(anchor);
    if (shortens && isBack) return [];
    const [old, now] = [before, call].map(({ messages }) => {
      const starts = messages.flatMap((message, index) =>
        message.role === 'user' && anchorOf(message) === anchor ? [index] : [],
      );
      const turn = starts.length === 1 ? messages.slice(starts[0]) : [];
      const next = turn.findIndex(({ role }, index) => role === 'user' && index > 0);
      return { message: turn[offset], length: next === -1 ? turn.length : next };
    });
    const [is, was] = [now?.message, old?.message];
    // A framework may remove messages from a turn, or clear a result, which then contains nothing about the skill.
    if (was === undefined || is?.role !== was.role || Number(now?.length) < Number(old?.length)) return [];
    // If it did, a later result of the skill may have come in the place of the first, which is gone.
    const same = shortens ? `<skill_content name="${name}"` : `name="${name}"`;
    if (is.role === 'tool' && !is.text.includes(same)) return [];
    return wrapperOf(is, name) === wrapperOf(was, name) ? [] : [`moves or changes the text of ${name}`];
  });
}

/** Checks that no event is missing or reported twice. */
export function checkEvents(
  told: readonly SkillEvent[],
  expected: Expectation,
  moved: readonly string[],
): readonly string[] {
  const failed = told.flatMap((event) =>
    'reason' in event && event.type !== 'cut' ? [`${event.type}: ${event.reason}`] : [],
  );
  const named = told.flatMap((event) => ('skill' in event ? [[event.type, event.skill] as const] : []));
  const isKnown = (name = ''): boolean => !expected.unsure.has(name) && !expected.denied.has(name);
  const counted = named.filter(([type, name]) => /^(de)?activated$/.test(type) && isKnown(name));
  const found = counted.map((event) => event.join(' ')).toSorted();
  const wanted = expected.events.filter((event) => isKnown(event.split(' ')[1])).toSorted();
  const again = skillNames.filter((name) => {
    const count = named.filter(([type, skill]) => type === 'reattached' && skill === name).length;
    return isKnown(name) && count > moved.filter((skill) => skill === name).length;
  });
  return [
    ...failed,
    ...(found.join() === wanted.join() ? [] : [`reports [${found}], not [${wanted}]`]),
    ...again.map((name) => `reports again that ${name} moved`),
  ];
}

/** Checks how many messages of the prefix a call loses; `mayLose` is the number without skills. */
export function checkPrefix(before: ObservedCall | undefined, call: ObservedCall, mayLose: number): readonly string[] {
  const lost = lostMessages(before, call);
  return lost > mayLose ? [`loses ${lost} messages of the prefix, not ${mayLose}`] : [];
}

/** Checks the list of active skills. */
export function checkActive(listed: readonly ActiveSkill[], { active, denied }: Expectation): readonly string[] {
  const describe = (skills: readonly Pick<ActiveSkill, 'name' | 'by'>[]): string =>
    skills
      .filter(({ name }) => !denied.has(name))
      .map(({ name, by }) => `${name} by ${by}`)
      .toSorted()
      .join();
  const [found, wanted] = [describe(listed), describe([...active].map(([name, by]) => ({ name, by })))];
  return found === wanted ? [] : [`lists ${found}, not ${wanted}`];
}

/** Returns where the text of a skill is: the beginning of the user message before it, and the number of messages after that. */
function placeOf(call: ObservedCall | undefined, name: string): readonly [anchor: string, offset: number] | undefined {
  const { messages = [] } = call ?? {};
  const at = messages.findIndex(({ text }) => text.includes(`TEXT-OF-${name} `));
  const start = messages.findLastIndex(({ role }, index) => role === 'user' && index <= at);
  const message = messages[start];
  return message && [anchorOf(message), at - start];
}

/** Checks whether a place may be a different one, because users may say the same twice. */
export function mayHaveMoved(before: ObservedCall | undefined, call: ObservedCall, name: string): boolean {
  const [old, now] = [placeOf(before, name), placeOf(call, name)];
  return old?.join() !== now?.join() || now?.[0].includes(saidWord) !== true;
}

function anchorOf({ text }: ObservedCall['messages'][number]): string {
  return text.split('\n', 1)[0] ?? '';
}

function wrapperOf({ text }: ObservedCall['messages'][number], name: string): string | undefined {
  return new RegExp(`<skill_content name="${name}" [^]*?</skill_content>`).exec(text)?.[0];
}
