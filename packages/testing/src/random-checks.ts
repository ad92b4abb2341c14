// Checks each call of a random session, and what is reported about it. Each check returns a list of what is wrong.

import type { ActiveSkill, SkillEvent } from '@skillful/core';
import { messagesOfTurn, type ObservedCall, type ObservedMessage } from './adapter-harness.ts';
import { lostMessages } from './lost-messages.ts';
import type { Expectation } from './random-expectation.ts';
import { saidWord, skillNames } from './random-session.ts';
import { textOf } from './script.ts';

/** Checks what the model reads in one call. */
export function checkCall(call: ObservedCall, { active, denied, versions, unsure }: Expectation): readonly string[] {
  const text = textOf(call);
  return [
    ...(call.system.includes(saidWord) ? ['the system prompt contains what was said'] : []),
    ...skillNames.flatMap((name) => {
      const found = [...text.matchAll(new RegExp(`TEXT-OF-${name} (\\d+)`, 'g'))].map(([, version]) => version);
      const current = String(versions.get(name));
      const wanted = active.has(name) && !denied.has(name) ? current : '';
      const isRight = found.join() === wanted || (unsure.has(name) && ['', current].includes(found.join()));
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
  if (before === undefined) return [];
  return skillNames.flatMap((name) => {
    const place = placeOf(before, name);
    if (place === undefined || !mustStay(name, place, expected)) return [];
    if (shortens && isAtReturned(placeOf(call, name), place, before, call)) return [];
    const [oldTurn, turn] = [turnAt(before, place), turnAt(call, place)];
    const [old, now] = [oldTurn[place.offset], turn[place.offset]];
    const isTurnCut = old === undefined || now?.role !== old.role || turn.length < oldTurn.length;
    if (isTurnCut) return [];
    // Nothing about the skill is left, or a later result of the skill moved here.
    const mark = shortens ? `<skill_content name="${name}"` : `name="${name}"`;
    const isCleared = now.role === 'tool' && !now.text.includes(mark);
    const isSame = wrapperOf(now, name) === wrapperOf(old, name);
    return isCleared || isSame ? [] : [`moves or changes the text of ${name}`];
  });
}

/** Checks whether instructions have to stay in a place: it is in what somebody said, and nothing that happened may move them. */
function mustStay(name: string, { anchor }: Place, { active, denied, moving, unsure }: Expectation): boolean {
  const isActive = active.has(name) && !denied.has(name);
  return anchor.includes(saidWord) && isActive && !moving.has(name) && !unsure.has(name);
}

/**
 * Checks whether instructions are now at an earlier message that was left out and is back. If it is the first message,
 * instructions without a place move to it.
 */
function isAtReturned(place: Place | undefined, old: Place, before: ObservedCall, call: ObservedCall): boolean {
  const current = place?.anchor ?? '';
  const anchors = call.messages.map(anchorOf);
  return !before.messages.map(anchorOf).includes(current) && anchors.indexOf(current) < anchors.indexOf(old.anchor);
}

/** Returns the messages of the turn that a place is in. Empty if the turn is gone, or if users said the same twice. */
function turnAt({ messages }: ObservedCall, { anchor }: Place): readonly ObservedMessage[] {
  const begins = messages.filter(isOfUser).flatMap((message, turn) => (anchorOf(message) === anchor ? [turn] : []));
  return begins.length === 1 ? begins.flatMap((turn) => messagesOfTurn(messages, isOfUser, turn)) : [];
}

/** Checks that no event is missing or reported twice. */
export function checkEvents(
  told: readonly SkillEvent[],
  expected: Expectation,
  moved: readonly string[],
): readonly string[] {
  const failed = told.flatMap((event) => ('reason' in event && event.type.endsWith('-failed') ? event.reason : []));
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

/** Checks that what is reported about the instructions in model calls is what the model reads there. */
export function checkIncluded(told: readonly SkillEvent[], calls: readonly ObservedCall[]): readonly string[] {
  const reported = told.flatMap((event) =>
    event.type === 'included' ? Object.keys(event.skills).toSorted().join() : [],
  );
  const read = calls.map((call) => skillNames.filter((name) => textOf(call).includes(`TEXT-OF-${name} `)));
  const wanted = read.filter((names) => names.length > 0).map((names) => names.toSorted().join());
  return reported.join(' ') === wanted.join(' ')
    ? []
    : [`reports [${reported.join(' ')}] in its calls, not [${wanted.join(' ')}]`];
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
      .map(({ name, by }) => `${name} by ${by}`)
      .toSorted()
      .join();
  const allowed = [...active].map(([name, by]) => ({ name, by })).filter(({ name }) => !denied.has(name));
  const [found, wanted] = [describe(listed), describe(allowed)];
  return found === wanted ? [] : [`lists ${found}, not ${wanted}`];
}

/** Where the text of a skill is: the beginning of the user message before it, and the number of messages after that. */
interface Place {
  readonly anchor: string;
  readonly offset: number;
}

function placeOf(call: ObservedCall | undefined, name: string): Place | undefined {
  const { messages = [] } = call ?? {};
  const at = messages.findIndex(({ text }) => text.includes(`TEXT-OF-${name} `));
  const start = messages.findLastIndex((message, index) => isOfUser(message) && index <= at);
  const message = messages[start];
  return message && { anchor: anchorOf(message), offset: at - start };
}

/** Checks whether a place may be a different one, because users may say the same twice. */
export function mayHaveMoved(before: ObservedCall | undefined, call: ObservedCall, name: string): boolean {
  const [old, now] = [placeOf(before, name), placeOf(call, name)];
  return old?.anchor !== now?.anchor || old?.offset !== now?.offset || now?.anchor.includes(saidWord) !== true;
}

function isOfUser({ role }: ObservedMessage): boolean {
  return role === 'user';
}

function anchorOf({ text }: ObservedMessage): string {
  return text.split('\n', 1)[0] ?? '';
}

function wrapperOf({ text }: ObservedMessage, name: string): string | undefined {
  return new RegExp(`<skill_content name="${name}" [^]*?</skill_content>`).exec(text)?.[0];
}
