import { describe, expect, it, vi } from 'vitest';
import { SkillError } from '../../src/skill/error.ts';
import type { SkillEntry, SkillListing, SkillSource } from '../../src/skill/source.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { memorySource } from '../../src/sources/memory.ts';

interface Counted {
  readonly source: SkillSource;
  readonly calls: { list: number; readFile: number };
  fail: boolean;
}

function countCalls(files: Readonly<Record<string, string>>): Counted {
  const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n', ...files });
  const counted: Counted = {
    calls: { list: 0, readFile: 0 },
    fail: false,
    source: {
      ...inner,
      list: async (options) => {
        counted.calls.list += 1;
        if (counted.fail) throw new Error('The server is away');
        return inner.list(options);
      },
      readFile: async (...input) => {
        counted.calls.readFile += 1;
        return inner.readFile(...input);
      },
    },
  };
  return counted;
}

async function first(source: SkillSource): Promise<SkillEntry> {
  const [entry] = (await source.list()).entries;
  if (entry === undefined) throw new Error('The skill was not found.');
  return entry;
}

it('asks once for callers at the same time and again only after its age', async () => {
  const counted = countCalls({});
  const cached = cacheSource(counted.source, { maxAge: 1000 });
  await Promise.all([cached.list(), cached.list(), cached.list()]);
  await cached.list();
  expect(counted.calls.list).toBe(1);
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  try {
    const timed = cacheSource(counted.source, { maxAge: 1000 });
    await timed.list();
    vi.advanceTimersByTime(999);
    await timed.list();
    expect(counted.calls.list).toBe(2);
    vi.advanceTimersByTime(1);
    await timed.list();
    expect(counted.calls.list).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

it('asks a source again that hung until every caller had left, and then takes nothing of its late answer', async () => {
  const { source, calls } = countCalls({});
  let answerLate = (_: SkillListing): void => {};
  const late = new Promise<SkillListing>((resolve) => {
    answerLate = resolve;
  });
  const slow = vi.fn(source.list).mockReturnValueOnce(late);
  const cached = cacheSource({ ...source, list: slow });
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [cached.list({ signal: one.signal }), cached.list({ signal: other.signal })];
  one.abort(new Error('first'));
  await expect(waiting[0]).rejects.toThrow('first');
  const joined = cached.list({ signal: other.signal });
  other.abort(new Error('last'));
  await expect(waiting[1]).rejects.toThrow('last');
  await expect(joined).rejects.toThrow('last');
  expect([slow.mock.calls.length, calls.list]).toEqual([1, 0]);
  const listing = await cached.list();
  answerLate({ entries: [], diagnostics: [] });
  await late;
  expect(await cached.list()).toBe(listing);
  expect([listing.entries.length, slow.mock.calls.length]).toEqual([1, 2]);
});

it('keeps the late answer of a slow source, though every caller had left and another has asked since', async () => {
  const { source } = countCalls({});
  const answers: ((listing: SkillListing) => void)[] = [];
  const list = () => new Promise<SkillListing>((resolve) => answers.push(resolve));
  const cached = cacheSource({ ...source, list });
  const leave = async () => {
    const controller = new AbortController();
    const waiting = cached.list({ signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  };
  await leave();
  await leave();
  const listing = await source.list();
  answers[0]?.(listing);
  await vi.waitFor(async () => expect(await cached.list({ signal: AbortSignal.timeout(50) })).toBe(listing));
});

it('asks again, once for all of them, if a request fails that callers only share, which may end with the request of its caller', async () => {
  const { source, calls } = countCalls({});
  const rejects: ((reason: Error) => void)[] = [];
  const fail = () => new Promise<SkillListing>((_, reject) => rejects.push(reject));
  const list = vi.fn(source.list).mockImplementationOnce(fail);
  const cached = cacheSource({ ...source, list });
  const first = cached.list();
  const shared = [cached.list(), cached.list()];
  rejects[0]?.(new Error('This request has ended.'));
  await expect(first).rejects.toThrow('This request has ended.');
  const [one, other] = await Promise.all(shared);
  expect([one?.entries.length, other === one, calls.list]).toEqual([1, true, 1]);
  list.mockImplementation(fail);
  const expired = cacheSource({ ...source, list });
  const all = Promise.allSettled([expired.list(), expired.list(), expired.list()]);
  for (const at of [1, 2]) {
    await vi.waitFor(() => expect(rejects).toHaveLength(at + 1));
    rejects[at]?.(new Error('The server is away.'));
  }
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(rejects).toHaveLength(3);
});

it('keeps the last good listing and says so, but cannot before the first one', async () => {
  const counted = countCalls({});
  const cached = cacheSource(counted.source, { maxAge: 0 });
  counted.fail = true;
  await expect(cached.list()).rejects.toThrow('away');
  counted.fail = false;
  const good = await cached.list();
  counted.fail = true;
  const kept = await cached.list();
  expect(kept.entries).toBe(good.entries);
  expect(kept.diagnostics.map(({ code, message }) => [code, message.includes('The server is away')])).toEqual([
    ['source-kept', true],
  ]);
});

it('reads a file once, hands out copies and drops what was not used for the longest time', async () => {
  const texts = {
    'pdf/a': 'a'.repeat(400),
    'pdf/b': 'b'.repeat(400),
    'pdf/c': 'c'.repeat(400),
    'pdf/d': 'd'.repeat(1_001),
  };
  const counted = countCalls(texts);
  const cached = cacheSource(counted.source, { maxBytes: 1_000 });
  const pdf = await first(cached);
  const read = async (path: string) => new TextDecoder().decode(await cached.readFile(pdf, path));
  (await cached.readFile(pdf, 'a')).fill(0);
  expect(await read('a')).toBe('a'.repeat(400));
  expect(counted.calls.readFile).toBe(1);
  await read('b');
  await read('a');
  await read('c');
  await read('a');
  expect(counted.calls.readFile).toBe(3);
  await read('b');
  expect(counted.calls.readFile).toBe(4);
  await read('d');
  await read('b');
  expect(counted.calls.readFile).toBe(5);
  await expect(cached.readFile(pdf, 'a', { maxBytes: 399 })).rejects.toMatchObject({ code: 'resource-too-large' });
});

it('reads a file again after its age, also if there was no new listing', async () => {
  const counted = countCalls({ 'pdf/a': 'a' });
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  try {
    const cached = cacheSource(counted.source, { maxAge: 1000 });
    const pdf = await first(cached);
    for (const wait of [0, 999, 1, 999]) {
      vi.advanceTimersByTime(wait);
      await cached.readFile(pdf, 'a');
    }
    expect(counted.calls).toEqual({ list: 1, readFile: 2 });
  } finally {
    vi.useRealTimers();
  }
});

it('does not keep the result of a read that began before a new listing', async () => {
  const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n' });
  const answers: ((text: string) => void)[] = [];
  const readFile = () =>
    new Promise<Uint8Array>((give) => answers.push((text) => give(new TextEncoder().encode(text))));
  const cached = cacheSource({ ...inner, readFile }, { maxAge: 1000 });
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  try {
    const pdf = await first(cached);
    const slow = cached.readFile(pdf, 'a');
    vi.advanceTimersByTime(1000);
    await cached.list();
    answers[0]?.('old');
    await slow;
    const next = cached.readFile(pdf, 'a');
    answers[1]?.('new');
    expect(new TextDecoder().decode(await next)).toBe('new');
  } finally {
    vi.useRealTimers();
  }
});

it('does not return a file that was read by a listed name to a caller who asks for it as a path', async () => {
  const cached = cacheSource(
    memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n', 'pdf/a:b': 'odd' }),
  );
  const pdf = await first(cached);
  expect(new TextDecoder().decode(await cached.readFile(pdf, 'a:b', { fromListing: true }))).toBe('odd');
  await expect(cached.readFile(pdf, 'a:b')).rejects.toMatchObject({ code: 'resource-outside-skill' });
});

it('lets one caller give up without ending the work for the others', async () => {
  const counted = countCalls({});
  const cached = cacheSource(counted.source);
  const controller = new AbortController();
  const given = cached.list({ signal: controller.signal });
  const waited = cached.list();
  controller.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  expect((await waited).entries).toHaveLength(1);
});

it('refuses an option that would be ignored', () => {
  const options = { maxage: 1000 } as object;
  const message = '`options` has the unknown key `maxage`; expected one of maxAge, maxBytes.';
  expect(() => cacheSource(memorySource({}), options)).toThrow(
    expect.objectContaining({ code: 'options-invalid', message }),
  );
});

it('shares a request that never ends for 5 seconds only, because a runtime may have forgotten it', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const inner = memorySource({ 'a/SKILL.md': '---\nname: a\ndescription: Does a.\n---\n' });
    const list = vi.fn(inner.list).mockImplementationOnce(() => new Promise(() => {}));
    const cache = cacheSource({ ...inner, list });
    void cache.list();
    const joined = cache.list();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(list).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([(await joined).entries.length, list.mock.calls.length]).toEqual([1, 2]);
    // Even if nobody of those who shared it waits any more.
    const other = cacheSource({
      ...inner,
      list: vi.fn(inner.list).mockImplementationOnce(() => new Promise(() => {})),
    });
    void other.list();
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await other.list()).entries).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

it('gives those who shared a slow request its answer, although another one is asked meanwhile', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const inner = memorySource({ 'a/SKILL.md': '---\nname: a\ndescription: Does a.\n---\n' });
    const list = vi.fn(async (...given: Parameters<typeof inner.list>) => {
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      return inner.list(...given);
    });
    const cache = cacheSource({ ...inner, list });
    const callers = Array.from({ length: 4 }, () => cache.list());
    await vi.advanceTimersByTimeAsync(13_000);
    expect((await Promise.all(callers)).map(({ entries }) => entries.length)).toEqual([1, 1, 1, 1]);
    expect(list).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it('asks a source that fails at most twice for callers that share a request', async () => {
  const list = vi.fn(() => Promise.reject(new Error('no network')));
  const cache = cacheSource({ ...memorySource({}), list });
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => cache.list()));
  expect([new Set(outcomes.map(({ status }) => status)), list.mock.calls.length]).toEqual([new Set(['rejected']), 2]);
});

it('lists the files of a skill once, until there is a new listing, and hands out copies', async () => {
  const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n', 'pdf/a': 'a', 'pdf/b': 'b' });
  const listFiles = vi.fn(inner.listFiles);
  const cached = cacheSource({ ...inner, listFiles }, { maxAge: 1000 });
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  try {
    const pdf = await first(cached);
    const paths = async (options = {}) => (await cached.listFiles(pdf, options)).files.map(({ path }) => path);
    const handed = (await cached.listFiles(pdf)).files as unknown as { path: string }[];
    for (const file of handed) file.path = 'hacked';
    handed.pop();
    expect(await paths()).toEqual(['a', 'b']);
    expect(listFiles).toHaveBeenCalledOnce();
    await paths({ checkPath: () => undefined });
    expect(listFiles).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    await cached.list();
    await paths();
    expect(listFiles).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});

describe('a file that was read before', () => {
  /** A source that returns `text`, or fails, after what it waits for. */
  async function open(maxAge: number) {
    const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n' });
    const now: { text: string; error?: unknown; wait: Promise<unknown> } = { text: 'one', wait: Promise.resolve() };
    const answer = async <Answer>(give: (text: string) => Answer): Promise<Answer> => {
      const { text, error, wait } = now;
      await wait;
      if (error !== undefined) throw error;
      return give(text);
    };
    const readFile = vi.fn(() => answer((text) => new TextEncoder().encode(text)));
    const listFiles = () => answer((text) => ({ files: [{ path: text, bytes: 1 }], truncated: false }));
    const cached = cacheSource({ ...inner, readFile, listFiles }, { maxAge });
    const pdf = await first(cached);
    const read = async (options = {}) => new TextDecoder().decode(await cached.readFile(pdf, 'a', options));
    const list = async (options = {}) => (await cached.listFiles(pdf, options)).files.map(({ path }) => path).join();
    return { now, cached, read, list, readFile };
  }
  const away = new SkillError('resource-unreadable', 'away', { cause: new Error('no network') });

  it.each([away, new SkillError('source-failed', 'away'), new Error('away')])(
    'is returned if the source fails: %s',
    async (error) => {
      const { now, cached, read, list } = await open(0);
      expect([await read(), await list()]).toEqual(['one', 'one']);
      Object.assign(now, { text: 'two', error });
      await cached.list();
      expect([await read(), await list()]).toEqual(['one', 'one']);
      await expect(read({ maxBytes: 2 })).rejects.toBe(error);
      delete now.error;
      expect([await read(), await list()]).toEqual(['two', 'two']);
    },
  );

  it('is valid for the same time again if the source fails, because each caller would wait for it', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['performance'] });
    try {
      const { now, read, readFile } = await open(1000);
      await read();
      now.error = away;
      vi.advanceTimersByTime(1000);
      for (const wait of [0, 999]) {
        vi.advanceTimersByTime(wait);
        expect(await read()).toBe('one');
      }
      expect(readFile).toHaveBeenCalledTimes(2);
      vi.advanceTimersByTime(1);
      await read();
      expect(readFile).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    new SkillError('resource-unknown', 'gone', { cause: new Error('404') }),
    new SkillError('resource-unreadable', 'It is a directory.'),
    new SkillError('resource-unreadable', 'denied', { cause: Object.assign(new Error('denied'), { code: 'EACCES' }) }),
    Object.assign(new Error('gone'), { code: 'ENOENT' }),
  ])('is forgotten if the source says that it cannot be had: %s', async (error) => {
    const { now, read, list } = await open(0);
    await Promise.all([read(), list()]);
    now.error = error;
    for (const work of [read, list]) await expect(work()).rejects.toBe(error);
    now.error = away;
    for (const work of [read, list]) await expect(work()).rejects.toBe(away);
  });

  /** Runs a test in which time passes only as it says. */
  const inTime = (test: () => Promise<void>) => async () => {
    vi.useFakeTimers({ now: 0, toFake: ['performance'] });
    await test().finally(() => vi.useRealTimers());
  };

  it(
    'is not returned to a caller who gives up, and not made valid again',
    inTime(async () => {
      const { now, cached, read, list } = await open(1000);
      await Promise.all([read(), list()]);
      vi.advanceTimersByTime(1000);
      await cached.list();
      const stop = new AbortController();
      const reason = new Error('enough');
      Object.assign(now, { text: 'two', error: reason, wait: Promise.resolve().then(() => stop.abort(reason)) });
      for (const work of [read, list]) await expect(work({ signal: stop.signal })).rejects.toBe(reason);
      delete now.error;
      expect([await read(), await list()]).toEqual(['two', 'two']);
    }),
  );

  const gone = new SkillError('resource-unknown', 'gone');
  it.each([
    ['fails', away],
    ['answers', undefined],
    ['says that there is none', gone],
  ])('does not take the place of a newer one if its request %s late', (_, error) =>
    inTime(async () => {
      const { now, cached, read } = await open(1000);
      await read();
      vi.advanceTimersByTime(1000);
      await cached.list();
      let end = (): void => {};
      const wait = new Promise<void>((resolve) => {
        end = resolve;
      });
      Object.assign(now, { wait, error });
      const slow = read();
      Object.assign(now, { text: 'two', wait: Promise.resolve(), error: undefined });
      expect(await read()).toBe('two');
      now.error = away;
      end();
      await (error === gone ? expect(slow).rejects.toBe(gone) : expect(slow).resolves.toBe('one'));
      expect(await read()).toBe('two');
    })(),
  );

  it('counts with its name, so that no number of empty ones fills the memory', async () => {
    const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n' });
    const listFiles = vi.fn(async () => ({ files: [], truncated: false }));
    const cached = cacheSource({ ...inner, listFiles }, { maxBytes: 0 });
    const pdf = await first(cached);
    for (const _ of [1, 2]) await cached.listFiles(pdf);
    expect(listFiles).toHaveBeenCalledTimes(2);
  });
});

it('keeps no answer of a source that is not what it should be', async () => {
  const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n' });
  const listFiles = vi.fn(async () => undefined as never);
  const cached = cacheSource({ ...inner, listFiles });
  const pdf = await first(cached);
  for (const _ of [1, 2]) expect(await cached.listFiles(pdf)).toBeUndefined();
  expect(listFiles).toHaveBeenCalledTimes(2);
});
