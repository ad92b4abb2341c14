import timers from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { activateSkill } from '../../src/disclosure/activate.ts';
import { createTurn, findNextTurn } from '../../src/runtime/turns.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { countTurns, stopClock } from './event-loop.ts';

describe('a turn', () => {
  it('lets a loop run for 12 ms before other work is done', async () => {
    const pass = stopClock();
    const turn = createTurn();
    const done: number[] = [];
    const loop = (async () => {
      for (let n = 0; n < 7; n += 1) {
        await turn(undefined);
        done.push(n);
        pass(5);
      }
    })();
    const seen: number[][] = [];
    for (let count = 0; count < 3; count += 1) {
      await setImmediate();
      seen.push([...done]);
    }
    await loop;
    expect(seen).toEqual([
      [0, 1, 2],
      [0, 1, 2, 3, 4, 5],
      [0, 1, 2, 3, 4, 5, 6],
    ]);
  });

  it('ends if the clock is set back', async () => {
    const pass = stopClock();
    const turn = createTurn();
    pass(-3_600_000);
    const waiting = turn(undefined);
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect(turn(undefined)).toBeUndefined();
  });

  it('is shared by calls that wait for it at the same time, in their order', async () => {
    const pass = stopClock();
    const turn = createTurn();
    pass(12);
    const done: number[] = [];
    const works = Array.from({ length: 7 }, async (_, n) => {
      await turn(undefined);
      done.push(n);
      pass(5);
    });
    const seen: number[][] = [];
    for (let count = 0; count < 3; count += 1) {
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

  it('rejects for a call that is aborted while it waits, and does not hold up the others', async () => {
    const pass = stopClock();
    const turn = createTurn();
    pass(12);
    const controller = new AbortController();
    const works = [turn(controller.signal), turn(undefined), turn(undefined)];
    controller.abort(new Error('enough'));
    const outcomes = await Promise.allSettled(works);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(outcomes[0]).toMatchObject({ reason: new Error('enough') });
  });

  it('comes even if a test stopped all timers before the module was first imported', async () => {
    vi.resetModules();
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const late = await import('../../src/runtime/turns.ts');
    expect(late.createTurn).not.toBe(createTurn);
    const turn = late.createTurn();
    vi.advanceTimersByTime(12);
    const waiting = turn(undefined);
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
  });
});

it('the next turn comes by the fastest way that a runtime has', async () => {
  expect(findNextTurn(globalThis)).toBe(timers.setImmediate);
  const refuse = (): never => {
    throw new Error('A Node.js API is used (process.getBuiltinModule) which is not supported in the Edge Runtime.');
  };
  const refusing = Object.defineProperty({}, 'getBuiltinModule', { get: refuse });
  for (const process of [undefined, {}, { getBuiltinModule: () => undefined }, refusing]) {
    const runtime = { setImmediate: refuse, ...(process && { process }) };
    const passed: string[] = [];
    findNextTurn(runtime)(() => passed.push('later'));
    passed.push('now');
    await vi.waitFor(() => expect(passed).toEqual(['now', 'later']));
  }
});

it('work goes on without a turn where timers are forbidden, as in the global scope of Cloudflare Workers', async () => {
  const forbidden = vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => {
    throw new Error('Disallowed operation called within global scope.');
  });
  try {
    await new Promise<void>((resolve) => findNextTurn({})(resolve));
    expect(forbidden).toHaveBeenCalledTimes(1);
  } finally {
    forbidden.mockRestore();
  }
});

it('activations from memory, one after the other or all at once, let the event loop turn', async () => {
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
  const oneAfterTheOther = async (): Promise<void> => {
    for (const skill of skills) await activateSkill(skill);
  };
  expect(await countTurns(oneAfterTheOther)).toBeGreaterThanOrEqual(9);
  expect(await countTurns(() => Promise.all(skills.map((skill) => activateSkill(skill))))).toBeGreaterThanOrEqual(9);
});
