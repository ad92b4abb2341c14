// The part of an adapter's contract about the unexpected: whatever happens in a session, the rules hold in each call.

import { describe, expect, it } from 'vitest';
import type { AdapterHarness, ObservedCall } from './adapter-harness.ts';
import { lostMessages } from './lost-messages.ts';
import {
  checkActive,
  checkCall,
  checkEvents,
  checkIncluded,
  checkPlaces,
  checkPrefix,
  mayHaveMoved,
} from './random-checks.ts';
import { createExpectation, type Expectation } from './random-expectation.ts';
import { openPlayer, type Player } from './random-player.ts';
import { createRandomSession, type RandomTurn, skillNames } from './random-session.ts';

/** A few sessions that together detect every mistake that was tried out. SKILLFUL_SESSIONS=0-50 runs others instead. */
const [from = 0, to = 0] = (process.env['SKILLFUL_SESSIONS'] ?? '').split('-').map(Number);
const seeds = to === 0 ? [6, 15, 20, 35, 64, 1076] : Array.from({ length: to - from }, (_, index) => from + index);

/** Declares the tests with random sessions. */
export function testRandomSessions(harness: AdapterHarness): void {
  describe(`${harness.framework} random session`, () => {
    it.each(seeds)('%i breaks no rule', async (seed) => {
      const turns = createRandomSession(seed);
      const { problems, played } = await findProblems(harness, turns);
      expect(problems, `after these turns:\n${played.map((turn) => JSON.stringify(turn)).join('\n')}\n`).toEqual([]);
    });
  });
}

/** A session that is held twice, with and without skills, and the expectation for it. */
interface Session {
  readonly expected: Expectation;
  readonly own: Player;
  readonly plain: Player;
  /** Whether a turn was deleted. */
  hasDeleted: boolean;
  /** All that users have said. */
  readonly said: string[];
  /** Whether the next call has the catalog and all messages of the latest one. */
  isWhole: boolean;
  /** The latest call of each player. */
  last: { readonly own?: ObservedCall | undefined; readonly plain?: ObservedCall | undefined };
}

/** Holds a session. Returns the first rules that it breaks, with the turn and the model call, and the turns until then. */
async function findProblems(
  harness: AdapterHarness,
  turns: readonly RandomTurn[],
): Promise<{ readonly problems: readonly string[]; readonly played: readonly RandomTurn[] }> {
  const expected = createExpectation(skillNames, 'rules', 'secret');
  const [own, plain] = [await openPlayer(harness, expected, true), await openPlayer(harness, expected, false)];
  const session: Session = { expected, own, plain, hasDeleted: false, said: [], isWhole: true, last: {} };
  for (const [at, turn] of turns.entries()) {
    const problems = await playTurn(turn, session);
    if (problems.length > 0)
      return { problems: problems.map((problem) => `turn ${at}: ${problem}`), played: turns.slice(0, at + 1) };
  }
  return { problems: [], played: turns };
}

/** Plays one turn, after the steps of the application before it. */
async function playTurn(turn: RandomTurn, session: Session): Promise<readonly string[]> {
  const { expected, own, plain, said } = session;
  for (const step of turn.before) {
    if ('skill' in step && expected.denied.has(step.skill)) continue;
    expected.take(step);
    await own.take(step);
    await plain.take(step);
    session.isWhole &&= step.does !== 'deny' && step.does !== 'delete';
    session.hasDeleted ||= step.does === 'delete';
    // If words were said twice, it is unknown which of the messages is left, and so what moves.
    if (step.does === 'delete' && new Set(said).size < said.length) session.last = {};
  }
  expected.userNames(turn.mentions);
  // After a deletion, the same words may be the same message or another one.
  if (session.hasDeleted && said.includes(turn.user)) {
    for (const { skill } of turn.mentions) expected.unsure.add(skill);
    session.last = {};
  }
  said.push(turn.user);
  const { calls, failure } = await own.say(turn);
  const { calls: plainCalls = [] } = await plain.say(turn);
  const problems =
    calls === undefined ? expectNothing(turn, session) : await checkTurn(turn, session, calls, plainCalls);
  const fails = failure !== undefined && turn.end === 'answer' ? [`fails: ${failure}`] : [];
  return [...fails, ...problems, ...own.problems.splice(0)];
}

/** Updates the expectation for a turn that did not end, of which it is unknown how much happened. */
function expectNothing({ before, mentions, answers }: RandomTurn, { expected, own }: Session): readonly string[] {
  for (const answer of answers) expected.modelCalls(answer);
  for (const about of [...mentions, ...answers.flat(), ...before])
    if ('skill' in about) expected.unsure.add(about.skill);
  expected.events.length = 0;
  own.events.length = 0;
  return [];
}

/** Checks each call of a turn, then the events and the active skills. */
async function checkTurn(
  { answers }: RandomTurn,
  session: Session,
  calls: readonly ObservedCall[],
  plainCalls: readonly ObservedCall[],
): Promise<readonly string[]> {
  const { expected, own } = session;
  const problems: string[] = [];
  const moved: string[] = [];
  for (const [index, call] of calls.entries()) {
    if (index > 0) expected.modelCalls(answers[index - 1] ?? []);
    const { last } = session;
    problems.push(...checkCall(call, expected), ...checkPlaces(last.own, call, expected, own.shortens()));
    const isSteady = session.isWhole && expected.moving.size === 0 && expected.unsure.size === 0;
    const plain = plainCalls[index];
    const mayLose = plain === undefined ? Number.MAX_VALUE : lostMessages(last.plain, plain);
    if (isSteady && !own.shortens())
      problems.push(...checkPrefix(last.own, call, mayLose).map((problem) => `call ${index} ${problem}`));
    moved.push(...skillNames.filter((name) => mayHaveMoved(last.own, call, name)));
    expected.moving.clear();
    session.isWhole = true;
    session.last = { own: call, plain };
  }
  const told = own.events.splice(0);
  problems.push(...checkEvents(told, expected, moved), ...checkIncluded(told, calls));
  const active = await own.active();
  expected.settle(active);
  return [...problems, ...checkActive(active, expected)];
}
