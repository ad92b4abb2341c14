// The sessions: what the user says in each turn, and what the mock model does.

import type { Act, Contender, Conversation, ModelCall } from './contender.ts';
import type { BenchSkill } from './skills.ts';
import { copiesOf } from './tokens.ts';

export interface Turn {
  readonly user: string;
  readonly acts: readonly Act[];
}

const skill = 'csv-report';
const secondSkill = 'release-notes';
const reference = { skill, path: 'references/reading-the-numbers.md' };

/** Three turns, in which one skill is activated and one of its files read. */
export const shortSession: readonly Turn[] = [
  { user: 'Hello. What can you do for me?', acts: [{ say: 'Reports, reviews and notes.' }] },
  {
    user: 'Report on orders.csv.',
    acts: [{ find: 'csv report' }, { activate: skill }, { read: reference }, { say: 'Here it is.' }],
  },
  { user: 'Make it shorter.', acts: [{ say: 'Here is a shorter one.' }] },
];

/** Four reports, before each of which the model activates the same skill. */
export const repeatingSession: readonly Turn[] = ['orders', 'returns', 'visits', 'prices'].map((table, index) => ({
  user: `Report on ${table}.csv.`,
  acts: [
    ...(index === 0 ? [{ find: 'csv report' }] : []),
    { activate: skill },
    { say: `Here is the report on ${table}.` },
  ],
}));

const firstActivation = 2;
const secondActivation = 6;
/** The turn before which everything but the framework's store is made anew. */
export const restartAt = 20;
/** The number of turns of the long session. */
export const longTurns = 36;

/** A turn of the long session: each looks something up, and two activate a skill before. */
function longTurn(turn: number): Turn {
  const looking: readonly Act[] = [{ lookup: `entry ${turn}` }, { say: `Entry ${turn} is of no importance.` }];
  if (turn === firstActivation)
    return { user: 'Report on orders.csv.', acts: [{ find: 'csv report' }, { activate: skill }, ...looking] };
  if (turn === secondActivation)
    return {
      user: 'Write the release notes.',
      acts: [{ find: 'release notes' }, { activate: secondSkill }, ...looking],
    };
  return { user: `Look entry ${turn} up.`, acts: looking };
}

/** Holds a session without compaction, and returns the model calls of each turn. */
export async function holdSession(
  contender: Contender,
  directory: string,
  turns: readonly Turn[],
): Promise<readonly (readonly ModelCall[])[]> {
  const conversation = await contender.open({ directory, compaction: false });
  const calls: (readonly ModelCall[])[] = [];
  for (const { user, acts } of turns) calls.push(await say(contender, conversation, user, acts));
  return calls;
}

/** Holds a turn, and makes sure that a search in it found the skill: a search in vain would look cheap. */
async function say(
  { library, disclosure }: Contender,
  conversation: Conversation,
  user: string,
  acts: readonly Act[],
): Promise<readonly ModelCall[]> {
  const calls = await conversation.say(user, acts);
  const search = acts.findIndex((act) => 'find' in act);
  if (search === -1 || disclosure !== 'searched') return calls;
  const name = acts.slice(search).flatMap((act) => ('activate' in act ? [act.activate] : []))[0] ?? '';
  const found = calls[search + 1]?.some(({ kind, text }) => kind === 'result' && text.includes(name)) === true;
  if (!found) throw new Error(`The search of ${library} did not find ${name}.`);
  return calls;
}

/** A model call of the long session, with the bodies of the skills that were activated in an earlier turn. */
export interface LongCall {
  readonly turn: number;
  readonly call: ModelCall;
  readonly due: readonly string[];
}

/**
 * Holds the long session under the framework's compaction, with a restart in the middle.
 *
 * With `reloads` the model notices at the beginning of a turn what the last call lacked, and activates that again: it is
 * as attentive as no model is.
 */
export async function holdLongSession(
  contender: Contender,
  directory: string,
  skills: readonly BenchSkill[],
  reloads: boolean,
): Promise<readonly LongCall[]> {
  const bodyOf = (name: string): string => skills.find((entry) => entry.name === name)?.body ?? '';
  let conversation: Conversation = await contender.open({ directory, compaction: true });
  const held: LongCall[] = [];
  for (let turn = 0; turn < longTurns; turn++) {
    if (turn === restartAt) conversation = await conversation.restart();
    const { user, acts } = longTurn(turn);
    const before = activeBefore(turn);
    const last = held.at(-1)?.call ?? [];
    const lost = reloads ? before.filter((name) => copiesOf(bodyOf(name), last) === 0) : [];
    const again = lost.map((name) => ({ activate: name }));
    const calls = await say(contender, conversation, user, [...again, ...acts]);
    held.push(...calls.map((call) => ({ turn, call, due: before.map(bodyOf) })));
  }
  return held;
}

function activeBefore(turn: number): readonly string[] {
  return [...(turn > firstActivation ? [skill] : []), ...(turn > secondActivation ? [secondSkill] : [])];
}
