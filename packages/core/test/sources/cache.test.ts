import { expect, it, vi } from 'vitest';
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
  const texts = { 'pdf/a': 'a'.repeat(40), 'pdf/b': 'b'.repeat(40), 'pdf/c': 'c'.repeat(40), 'pdf/d': 'd'.repeat(101) };
  const counted = countCalls(texts);
  const cached = cacheSource(counted.source, { maxBytes: 100 });
  const pdf = await first(cached);
  const read = async (path: string) => new TextDecoder().decode(await cached.readFile(pdf, path));
  (await cached.readFile(pdf, 'a')).fill(0);
  expect(await read('a')).toBe('a'.repeat(40));
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
  await expect(cached.readFile(pdf, 'a', { maxBytes: 39 })).rejects.toMatchObject({ code: 'resource-too-large' });
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
    ((await cached.listFiles(pdf)).files as object[]).pop();
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

it('returns what it has read before if the source fails, but not if the source says that it is gone', async () => {
  const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n', 'pdf/a': 'a'.repeat(40) });
  let error: Error | undefined;
  const answer = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (error !== undefined) throw error;
    return ask();
  };
  const source: SkillSource = {
    ...inner,
    listFiles: (...call) => answer(() => inner.listFiles(...call)),
    readFile: (...call) => answer(() => inner.readFile(...call)),
  };
  const cached = cacheSource(source, { maxAge: 0 });
  const pdf = await first(cached);
  const listing = await cached.listFiles(pdf);
  const read = (path = 'a', options = {}) => cached.readFile(pdf, path, options);
  const before = await read();
  for (error of [new Error('away'), new SkillError('resource-unreadable', 'away')]) {
    await cached.list();
    expect(await cached.listFiles(pdf)).toEqual(listing);
    expect(await read()).toEqual(before);
    await expect(read('SKILL.md')).rejects.toBe(error);
    await expect(read('a', { maxBytes: 39 })).rejects.toBe(error);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(read('a', { signal })).rejects.toThrow('enough');
  }
  error = new SkillError('resource-unknown', 'gone');
  await expect(read()).rejects.toBe(error);
  error = undefined;
  expect(await read()).toEqual(before);
});

it('keeps no answer of a source that is not what it should be', async () => {
  const inner = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\n' });
  const listFiles = vi.fn(async () => undefined as never);
  const cached = cacheSource({ ...inner, listFiles });
  const pdf = await first(cached);
  for (const _ of [1, 2]) expect(await cached.listFiles(pdf)).toBeUndefined();
  expect(listFiles).toHaveBeenCalledTimes(2);
});
