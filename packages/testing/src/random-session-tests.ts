// The part of an adapter's contract about what nobody thought of: whatever happens in a session, the rules hold in each call.

import type { SkillEvent } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { AdapterHarness, ObservedCall } from './adapter-harness.ts';
import { lostMessages } from './lost-messages.ts';
import { createExpectation, type Expectation } from './random-expectation.ts';
import { createPlayer } from './random-player.ts';
import { createRandomSession, type RandomTurn, saidWord, skillNames } from './random-session.ts';

/** Few sessions that together notice every mistake that was tried out. SKILLFUL_SESSIONS=0-50 holds others instead. */
const [from = 0, to = 0] = (process.env['SKILLFUL_SESSIONS'] ?? '').split('-').map(Number);
const seeds = to === 0 ? [6, 15, 20, 35] : Array.from({ length: to - from }, (_, index) => from + index);

/** Declares the tests of sessions that are made up. */
export function testRandomSessions(harness: AdapterHarness): void {
  describe(`${harness.framework} random session`, () => {
    it.each(seeds)('%i breaks no rule', async (seed) => {
      const turns = createRandomSession(seed);
      expect(await findProblems(harness, turns)).toEqual([]);
    });
  });
}

/** Holds a session twice, with skills and without. Returns the rules that it broke first, by turn and model call. */
async function findProblems(harness: AdapterHarness, turns: readonly RandomTurn[]): Promise<readonly string[]> {
  const expected = createExpectation(skillNames, 'rules', 'secret');
  const own = await createPlayer(harness, expected, true);
  const plain = await createPlayer(harness, expected, false);
  let before: ObservedCall | undefined;
  let plainBefore: ObservedCall | undefined;
  for (const [at, turn] of turns.entries()) {
    const problems: string[] = [];
    for (const step of turn.before) {
      if ('skill' in step && expected.denied.has(step.skill)) continue;
      expected.take(step);
      await own.take(step);
      await plain.take(step);
    }
    const isWhole = turn.before.every(({ does }) => does === 'activate' || does === 'deactivate');
    const asked = [...turn.mentions, ...turn.answers.flat()];
    expected.userNames(turn.mentions);
    // The same words again may be the same message, or another one.
    if (turn.before.some(({ does }) => does === 'delete'))
      for (const { skill } of turn.mentions) expected.unsure.add(skill);
    const { calls, failure } = await own.say(turn);
    const { calls: plainCalls = [] } = await plain.say(turn);
    if (failure !== undefined && turn.end === 'answer') problems.push(`fails: ${failure}`);
    const moved: string[] = [];
    for (const [index, call] of (calls ?? []).entries()) {
      if (index > 0) expected.modelCalls(turn.answers[index - 1] ?? []);
      problems.push(...checkCall(call, expected), ...checkPlaces(before, call, expected));
      const plainCall = plainCalls[index];
      const mayLose = plainCall === undefined ? Number.MAX_VALUE : lostMessages(plainBefore, plainCall);
      const isSteady =
        !own.shortens() && (isWhole || index > 0) && expected.moving.size === 0 && expected.unsure.size === 0;
      if (isSteady && lostMessages(before, call) > mayLose)
        problems.push(`call ${index} loses ${lostMessages(before, call)} messages of the prefix, not ${mayLose}`);
      moved.push(...skillNames.filter((name) => mayHaveMoved(before, call, name)));
      expected.moving.clear();
      before = call;
      plainBefore = plainCall;
    }
    if (calls === undefined) {
      for (const answer of turn.answers) expected.modelCalls(answer);
      for (const { skill } of asked) expected.unsure.add(skill);
      for (const step of turn.before) if ('skill' in step) expected.unsure.add(step.skill);
      expected.events.length = 0;
      own.events.length = 0;
    } else {
      problems.push(...checkEvents(own.events.splice(0), expected, moved));
      const active = await own.active();
      expected.settle(active);
      const listed = active.filter(({ name }) => !expected.denied.has(name)).map(({ name, by }) => `${name} by ${by}`);
      const known = [...expected.active].filter(([name]) => !expected.denied.has(name));
      const wanted = known.map(([name, by]) => `${name} by ${by}`);
      if (listed.toSorted().join() !== wanted.toSorted().join()) problems.push(`lists ${listed}, not ${wanted}`);
    }
    problems.push(...own.problems.splice(0));
    if (problems.length > 0) return problems.map((problem) => `turn ${at}: ${problem}`);
  }
  return [];
}

/** Says what is wrong with what the model reads in one call. */
function checkCall(call: ObservedCall, { active, denied, versions, unsure }: Expectation): readonly string[] {
  const text = textOf(call);
  return [
    ...(call.system.includes(saidWord) ? ['the system prompt contains what somebody said'] : []),
    ...skillNames.flatMap((name) => {
      const all = [...text.matchAll(new RegExp(`TEXT-OF-${name} (\\d+)`, 'g'))].map(([, version]) => version);
      // An older text that the model was once given stays in its result: nobody can tell that it was the skill's own.
      const isOfModel = active.get(name) === 'model' || denied.has(name);
      const found = isOfModel ? all : all.filter((version) => version === String(versions.get(name)));
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

/** Says which instructions left a place that is still there, or are other bytes. */
function checkPlaces(before: ObservedCall | undefined, call: ObservedCall, expected: Expectation): readonly string[] {
  return skillNames.flatMap((name) => {
    const [anchor = '', offset = 0] = placeOf(before, name) ?? [];
    const isFree = !expected.active.has(name) || expected.denied.has(name);
    if (before === undefined || !anchor.includes(saidWord) || isFree) return [];
    if (expected.moving.has(name) || expected.unsure.has(name)) return [];
    const [old, now] = [before, call].map(({ messages }) => {
      const starts = messages.flatMap((message, index) =>
        message.role === 'user' && anchorOf(message) === anchor ? [index] : [],
      );
      return starts.length === 1 ? messages[Number(starts[0]) + Number(offset)] : undefined;
    });
    // A result that a framework cleared says nothing about the skill.
    if (old === undefined || now?.role !== old.role || (now.role === 'tool' && !now.text.includes(`name="${name}"`)))
      return [];
    return wrapperOf(now, name) === wrapperOf(old, name) ? [] : [`moves or changes the text of ${name}`];
  });
}

/** Says which events are missing, or are reported twice. */
function checkEvents(told: readonly SkillEvent[], expected: Expectation, moved: readonly string[]): readonly string[] {
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

function textOf({ system, messages }: ObservedCall): string {
  return [system, ...messages.map(({ text }) => text)].join('\n');
}

/** Where the text of a skill is: the beginning of the user message before it, and how many messages follow that. */
function placeOf(call: ObservedCall | undefined, name: string): readonly [anchor: string, offset: number] | undefined {
  const { messages = [] } = call ?? {};
  const at = messages.findIndex(({ text }) => text.includes(`TEXT-OF-${name} `));
  const start = messages.findLastIndex(({ role }, index) => role === 'user' && index <= at);
  const message = messages[start];
  return message && [anchorOf(message), at - start];
}

/** Users may say the same twice: then the place may be another one. */
function mayHaveMoved(before: ObservedCall | undefined, call: ObservedCall, name: string): boolean {
  const [old, now] = [placeOf(before, name), placeOf(call, name)];
  return old?.join() !== now?.join() || now?.[0].includes(saidWord) !== true;
}

function anchorOf({ text }: ObservedCall['messages'][number]): string {
  return text.split('\n', 1)[0] ?? '';
}

function wrapperOf({ text }: ObservedCall['messages'][number], name: string): string | undefined {
  return new RegExp(`<skill_content name="${name}" [^]*?</skill_content>`).exec(text)?.[0];
}
