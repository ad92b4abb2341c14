import { expect, it } from 'vitest';
import { createToolkit, loadCatalog, memorySource, type SkillEvent } from '../../../src/index.ts';

const text = '---\nname: pdf\ndescription: Fills forms.\n---\nFill in the form.\n';

/** A toolkit whose source never answers its first read. */
async function createHanging() {
  const memory = memorySource({ 'pdf/SKILL.md': text });
  let reads = 0;
  const readFile: typeof memory.readFile = (...given) => {
    reads += 1;
    return reads === 1 ? new Promise(() => {}) : memory.readFile(...given);
  };
  const toolkit = createToolkit(await loadCatalog([{ ...memory, readFile }]));
  const run = {};
  const input = { name: 'pdf' };
  await toolkit.prepare([], { run });
  const [activate] = toolkit.tools;
  if (activate === undefined) throw new Error('There is no tool.');
  void activate.execute(input, { run });
  return { toolkit, run, input, activate };
}

it('ends the wait behind a call that hangs if the signal is aborted', async () => {
  const { toolkit, run, input, activate } = await createHanging();
  const signal = AbortSignal.timeout(50);
  await expect(activate.execute(input, { run, signal })).rejects.toThrow('timeout');
  await expect(toolkit.judge({ name: activate.name, input }, { run, signal })).rejects.toThrow('timeout');
});

it('does not wait for a call of an earlier answer, nor if the call is made again', async () => {
  const { toolkit, run, input, activate } = await createHanging();
  expect(await activate.execute(input, { run, replay: true })).toMatchObject({ isError: false });
  await toolkit.prepare([], { run });
  expect(await activate.execute(input, { run })).toMatchObject({ isError: false });
});

it('answers input that cannot be written as JSON, or not even be read, in words', async () => {
  const toolkit = createToolkit(await loadCatalog([memorySource({ 'pdf/SKILL.md': text })]));
  const unreadable = {
    get name() {
      throw new Error('no');
    },
  };
  for (const input of [{ name: 1n }, unreadable])
    expect(await toolkit.tools[0]?.execute(input, { run: {} })).toMatchObject({ isError: true });
});

it('reports that a skill ended which began in the same answer, and that once', async () => {
  const events: SkillEvent[] = [];
  const catalog = await loadCatalog([memorySource({ 'pdf/SKILL.md': text })]);
  const toolkit = createToolkit(catalog, { tools: { deactivate: true }, onEvent: (event) => events.push(event) });
  const run = {};
  await toolkit.prepare([], { run });
  const call = (name: string, index: number) =>
    toolkit.tools
      .find((tool) => tool.name === name)
      ?.execute({ name: ['pdf', 'PDF', 'builtin:pdf', 'builtin:PDF'][index] }, { run, call: name });
  await Promise.all(['deactivate_skill', 'activate_skill', 'deactivate_skill', 'deactivate_skill'].map(call));
  expect(events.map(({ type }) => type)).toEqual(['offered', 'activated', 'deactivated']);
});
