import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { activateSkill } from '../../src/disclosure/activate.ts';
import { createPause, createSharedPause, findNextTurn } from '../../src/runtime/turns.ts';
import { memorySource } from '../../src/sources/memory.ts';

/** Stops the clock; gives a function that puts it forward. */
function stopClock(): (milliseconds: number) => void {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (milliseconds) => {
    now += milliseconds;
  };
}

describe('a shared pause', () => {
  it('lets work that is begun at once run for 12 ms in each turn of the event loop, in its order', async () => {
    const pass = stopClock();
    const pause = createSharedPause();
    const done: number[] = [];
    const works = Array.from({ length: 7 }, async (_, n) => {
      await pause(undefined);
      done.push(n);
      pass(5);
    });
    const seen: number[][] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await setImmediate();
      seen.push([...done]);
    }
    await Promise.all(works);
    expect(seen).toEqual([
      [0, 1, 2],
      [0, 1, 2, 3, 4, 5],
      [0, 1, 2, 3, 4, 5, 6],
    ]);
  });

  it('is over for one that is aborted meanwhile, and holds up nobody else', async () => {
    stopClock();
    const pause = createSharedPause();
    const controller = new AbortController();
    const works = [pause(controller.signal), pause(undefined), pause(undefined)];
    controller.abort(new Error('enough'));
    const outcomes = await Promise.allSettled(works);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(outcomes[0]).toMatchObject({ reason: new Error('enough') });
  });
});

it('a pause ends also where a test had stopped all timers before it was first imported', async () => {
  vi.resetModules();
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const late = await import('../../src/runtime/turns.ts');
  expect(late.createPause).not.toBe(createPause);
  await late.createSharedPause()(undefined);
});

it('the next turn comes by what is shortest in a runtime', () => {
  const own = (resolve: () => void): void => resolve();
  expect(findNextTurn({ process: {}, setImmediate: own })).toBe(own);
  expect(findNextTurn({ process: { getBuiltinModule: () => undefined }, setImmediate: own })).toBe(own);
  expect(findNextTurn({})).toBe(setTimeout);
});

it('activations from memory, one after the other or at once, let the event loop turn', async () => {
  const text = (n: number): string => `---\nname: s${n}\ndescription: d\n---\nBody.\n`;
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`s${n}/SKILL.md`, text(n)]));
  const pass = stopClock();
  const inner = memorySource(files);
  const source = {
    ...inner,
    // Each activation takes 6 ms, so two are done in a turn.
    listFiles: (...input: Parameters<typeof inner.listFiles>) => {
      pass(6);
      return inner.listFiles(...input);
    },
  };
  const { skills } = await loadCatalog([source]);
  let turned = 0;
  const count = async (until: Promise<unknown>): Promise<number> => {
    turned = 0;
    let isDone = false;
    const counting = (async () => {
      for (; !isDone; turned += 1) await setImmediate();
    })();
    await until;
    isDone = true;
    await counting;
    return turned;
  };
  const oneAfterTheOther = async (): Promise<void> => {
    for (const skill of skills) await activateSkill(skill);
  };
  expect(await count(oneAfterTheOther())).toBeGreaterThanOrEqual(9);
  expect(await count(Promise.all(skills.map((skill) => activateSkill(skill))))).toBeGreaterThanOrEqual(9);
});
