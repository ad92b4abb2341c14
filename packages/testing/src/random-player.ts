// Plays a random session with an agent of the framework, with or without skills.

import {
  type ActiveSkill,
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type SkillEvent,
  type SkillToolkit,
} from '@skillful/core';
import type { AdapterHarness, AdapterSession, ObservedCall } from './adapter-harness.ts';
import { makeDirectory, openSession } from './open-session.ts';
import type { Expectation } from './random-expectation.ts';
import { type RandomStep, type RandomTurn, saidWord, scriptOf } from './random-session.ts';

/** A session in progress. */
export interface Player {
  /** The events since this list was last cleared. */
  readonly events: SkillEvent[];
  /** The problems with the stored state since this list was last cleared. */
  readonly problems: string[];
  shortens(): boolean;
  take(step: RandomStep): Promise<void>;
  /** Plays a turn, and returns what the model read, or why the turn failed. */
  say(turn: RandomTurn): Promise<{ readonly calls?: readonly ObservedCall[]; readonly failure?: unknown }>;
  active(): Promise<readonly ActiveSkill[]>;
}

/** Creates a player. `skills` has the versions of all skills, and which of them are denied. */
export async function openPlayer(
  harness: AdapterHarness,
  { versions, denied }: Pick<Expectation, 'versions' | 'denied'>,
  hasSkills: boolean,
): Promise<Player> {
  const events: SkillEvent[] = [];
  const problems: string[] = [];
  const load = () => loadCatalog([memorySource(hasSkills ? filesOf(versions) : {})]);
  let catalog = await load();
  let abort: (() => void) | undefined;
  const toolkit = createToolkit(
    () => {
      abort?.();
      return catalog;
    },
    {
      preload: ['rules'],
      tools: { deactivate: true },
      policy: () => definePolicy({ rules: [...denied].map((skill) => ({ skill, effect: 'deny' })) }),
      onEvent: (event) => events.push(event),
    },
  );
  const watched: SkillToolkit = {
    ...toolkit,
    async prepare(messages, context) {
      const prepared = await toolkit.prepare(messages, context);
      if (JSON.stringify(prepared.state).includes(saidWord)) problems.push('the state contains what was said');
      return prepared;
    },
  };
  const directory = await makeDirectory();
  let shortens = false;
  let session: AdapterSession | undefined;
  async function open(signal?: AbortSignal): Promise<AdapterSession> {
    await session?.close();
    session = await openSession(harness, { toolkit: watched, directory, shortens, signal });
    return session;
  }
  const current = async (): Promise<AdapterSession> => session ?? open();

  return {
    events,
    problems,
    shortens: () => shortens,
    active: async () => (await current()).active(),
    async take(step) {
      const decides = step.does === 'activate' || step.does === 'deactivate';
      if (decides && hasSkills) await (await current()).decide({ [step.does]: [step.skill] });
      if (step.does === 'change') catalog = await load();
      if (step.does === 'delete') await (await current()).forget?.(step.turn);
      if (step.does !== 'reopen') return;
      shortens = step.shortens;
      await open();
    },
    async say(turn) {
      const controller = new AbortController();
      const isAborted = turn.end.startsWith('abort');
      let left = turn.end === 'abort-second' ? 2 : 1;
      const running = isAborted ? await open(controller.signal) : await current();
      if (isAborted)
        abort = () => {
          left -= 1;
          if (left === 0) controller.abort();
        };
      try {
        const { calls } = await running.say(turn.user, scriptOf(turn, hasSkills));
        return controller.signal.aborted || turn.end === 'error' ? {} : { calls };
      } catch (failure) {
        return { failure };
      } finally {
        abort = undefined;
        if (isAborted) await open();
      }
    },
  };
}

/** Returns the files of the skills: `mail` takes arguments, and only the application may activate `rules`. */
function filesOf(versions: ReadonlyMap<string, number>): Readonly<Record<string, string>> {
  const fields: Readonly<Record<string, string>> = {
    mail: 'arguments: who\n',
    rules: 'disable-model-invocation: true\nuser-invocable: false\n',
  };
  return Object.fromEntries(
    [...versions].map(([name, version]) => [
      `${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: USE-OF-${name}.\n${fields[name] ?? ''}---\nTEXT-OF-${name} ${version}${name === 'mail' ? ' for $who' : ''}.\n`,
    ]),
  );
}
