// No text within its limits costs more than its length: each construct grows to its limit, and four times the text takes
// about four times the work. This is the one suite that looks at time: at that of the processor, the best of some runs.

import { describe, expect, it, vi } from 'vitest';
import { parseSkill } from '../src/authoring.ts';
import { createToolkit, loadCatalog, type MessageView, memorySource, resolveSkill } from '../src/index.ts';

/**
 * Milliseconds of the processor for one turn of the event loop. The promise is 50; a slow machine that shares its cores with
 * another test takes 2 to 4 times as long.
 */
const longestTurn = 200;

/** Four times the text may take this many times the work, and this many milliseconds more; a square would take 16 times. */
const factor = 9;
const slack = 25;

const runs = 3;

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

interface Cost {
  readonly work: number;
  /** The longest turn of the event loop. */
  readonly turn: number;
}

/** Measures some work, and the longest turn that it takes of the event loop. */
async function measure(work: () => unknown): Promise<Cost> {
  let turn = 0;
  let isOver = false;
  let last = cpuTime();
  const tick = (): void => {
    turn = Math.max(turn, cpuTime() - last);
    if (!isOver) setImmediate(tick);
    last = cpuTime();
  };
  const start = cpuTime();
  last = start;
  setImmediate(tick);
  await work();
  const total = cpuTime() - start;
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return { work: total, turn };
}

async function best(work: () => unknown): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < runs; run += 1) costs.push(await measure(work));
  return { work: Math.min(...costs.map((cost) => cost.work)), turn: Math.min(...costs.map((cost) => cost.turn)) };
}

/** Measures what is prepared for a quarter of the limit and for all of it. */
async function grow(limit: number, prepare: (size: number) => (() => unknown) | Promise<() => unknown>): Promise<void> {
  const part = await best(await prepare(limit / 4));
  const whole = await best(await prepare(limit));
  const isLinear = whole.work <= factor * part.work + slack;
  expect({ isLinear, isPolite: whole.turn <= longestTurn, ...(isLinear ? {} : { part, whole }) }).toEqual({
    isLinear: true,
    isPolite: true,
  });
}

function fill(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.floor(size / new TextEncoder().encode(unit).length)));
}

const body = (text: string, fields = ''): string => `---\nname: x\ndescription: d\n${fields}---\n${text}\n`;

async function toolOf(files: Readonly<Record<string, string>>, tool: string) {
  const toolkit = createToolkit(await loadCatalog([memorySource(files)]), { tools: { find: true } });
  return toolkit.tools.find(({ name }) => name === tool);
}

vi.setConfig({ testTimeout: 60_000 });

describe('frontmatter of 16 KiB', () => {
  const units = [
    '\\@',
    '\\"',
    '\\x41',
    '"',
    "'",
    "''",
    '[',
    '[],',
    '{a: ',
    '- ',
    '-\n',
    '  - a\n',
    'a: b\n',
    'a: "b\n',
  ];
  const more = [
    '? ',
    ': ',
    '&a ',
    '*a ',
    '# a\n',
    ' #',
    '|\n',
    '>\n a\n\n',
    '---\n',
    '\u0301\u0323',
    '\u200d',
    'user:',
    'é',
  ];
  const openings = ['', 'a: "', 'a: ["', 'a:\n  b: "', 'a: |\n ', 'description: d\nname: ', 'name: x\ndescription: '];
  it.each([...units, ...more])('of %j', async (unit) => {
    for (const opening of openings) {
      await grow(16_000, (size) => {
        const text = `---\n${opening}${fill(unit, size)}\n---\nbody\n`;
        return () => parseSkill(text, { directoryName: 'x' });
      });
    }
  });
});

describe('a body of 512 KiB', () => {
  const units = [
    'a',
    '\n',
    '# a\n',
    '#\n',
    '```\n',
    '~~~\n',
    '`',
    '<',
    '< ',
    '<skill_content',
    '<|',
    '<|a|>',
    '[INST]',
    ']',
  ];
  const more = [
    '\u200b',
    'a\u200d',
    '❤\ufe0f',
    '\u{1f3f4}\u{e0067}',
    '\u001b',
    '\u2028',
    '\r',
    '漢',
    '\u0301\u0323',
    ' \n',
    ' ',
  ];
  it.each([...units, ...more])('of %j', async (unit) => {
    await grow(512_000, async (size) => {
      const tool = await toolOf({ 'x/SKILL.md': body(`a${fill(unit, size)}`) }, 'activate_skill');
      return () => tool?.execute({ name: 'x' });
    });
  });

  it.each([' a', 'a  ', 'a a '])('of %j, and as many spaces', async (unit) => {
    await grow(512_000, async (size) => {
      const tool = await toolOf({ 'x/SKILL.md': body(fill(unit, size / 2) + ' '.repeat(size / 2)) }, 'activate_skill');
      return () => tool?.execute({ name: 'x' });
    });
  });

  const names = Array.from({ length: 3_900 }, (_, index) => index.toString(36).padStart(3, 'n')).join(' ');
  const parts = Array.from({ length: 90 }, (_, index) => `${'a-'.repeat(index)}a`).join(' ');
  const placeholders = [
    '$0 ',
    '$ARGUMENTS ',
    '\\$0',
    '$',
    '$a',
    '$a-',
    '$nnz ',
    `$${'a-'.repeat(8_000)} `,
    `$${'a-'.repeat(80)}b `,
  ];
  it.each(placeholders)('of the placeholder %.12j', async (unit) => {
    for (const declared of [names, parts]) {
      await grow(490_000, async (size) => {
        const text = body(fill(unit, size), `arguments: ${declared}\n`);
        const tool = await toolOf({ 'x/SKILL.md': text }, 'activate_skill');
        return () => tool?.execute({ name: 'x', arguments: 'one "two three"' });
      });
    }
  });
});

describe('a file of 5 MiB', () => {
  const units = ['\n', '\r', '#\n', '# a\n', '```\n', '#', '漢', '\u200b'];
  it.each(units)(
    'of %j',
    async (unit) => {
      for (const input of [{ section: 'no such' }, { line: 1_000_000 }]) {
        await grow(5_000_000, async (size) => {
          const tool = await toolOf({ 'x/SKILL.md': body('b'), 'x/a.md': fill(unit, size) }, 'read_skill_resource');
          return () => tool?.execute({ skill: 'x', path: 'a.md', ...input });
        });
      }
    },
    60_000,
  );
});

describe('a message of 200,000 characters', () => {
  const units = [
    '$',
    '$x',
    '$x-',
    '`',
    '"',
    '\u201c',
    '\u201d',
    '<a>',
    '</a>',
    '<a',
    '<a ',
    '<a></a>',
    '```\n',
    '> a\n',
    "'",
  ];
  it.each(units)('of %j', async (unit) => {
    for (const lead of ['', '/x ']) {
      await grow(200_000, async (size) => {
        const catalog = await loadCatalog([memorySource({ 'x/SKILL.md': body('$who $0', 'arguments: who\n') })]);
        const message: MessageView = { key: '1', role: 'user', text: lead + fill(unit, size) };
        return () => createToolkit(catalog).prepare([message]);
      });
    }
  });
});

describe('a conversation of 20,000 marks', () => {
  const marks = [
    '<skill_content name="x" digest="00000000">\nF\n</skill_content>',
    '<skill_active name="x" digest="00000000" />',
  ];
  it.each([...marks, '<skill_content name="y" digest="00000000">\n'])('of %j', async (text) => {
    await grow(20_000, async (size) => {
      const catalog = await loadCatalog([memorySource({ 'x/SKILL.md': body('b') })]);
      const messages = Array.from({ length: size }, (_, index): MessageView => {
        return { key: `${index}`, role: 'tool', results: [{ id: '1', tool: 'activate_skill', text }] };
      });
      return () => createToolkit(catalog).prepare(messages);
    });
  });
});

it('a conversation in which users name 2,000 skills', async () => {
  await grow(2_000, async (size) => {
    const skills = Array.from({ length: size }, (_, index) => [
      `s${index}/SKILL.md`,
      body('$0').replace('x', `s${index}`),
    ]);
    const catalog = await loadCatalog([memorySource(Object.fromEntries(skills))]);
    const messages = Array.from({ length: size }, (_, index): MessageView => {
      return { key: `${index}`, role: 'user', text: `/s${index} word` };
    });
    return () => createToolkit(catalog).prepare(messages);
  });
});

describe('a call with 200,000 characters', () => {
  it.each(['a', ' ', '"', "'", '\u0301\u0323', '\u200d', '<', ':', 'a-'])('of %j', async (unit) => {
    const inputs = [
      ['activate_skill', (text: string) => ({ name: text })],
      ['activate_skill', (text: string) => ({ name: 'x', arguments: text })],
      ['read_skill_resource', (text: string) => ({ skill: 'x', path: text })],
      ['read_skill_resource', (text: string) => ({ skill: 'x', path: 'a.md', section: text })],
      ['find_skills', (text: string) => ({ query: text })],
    ] as const;
    for (const [name, input] of inputs) {
      await grow(200_000, async (size) => {
        const files = { 'x/SKILL.md': body('$who $0', 'arguments: who\n'), 'x/a.md': '# a\nb' };
        const tool = await toolOf(files, name);
        return () => tool?.execute(input(fill(unit, size)));
      });
    }
  });

  it('that asks for a name among others that look like anything', async () => {
    const names = Array.from({ length: 200 }, (_, index) => [
      `s${index}/SKILL.md`,
      body('b').replace('x', `\u0430\u0301\u0323${index}`),
    ]);
    const catalog = await loadCatalog([memorySource(Object.fromEntries(names))]);
    await grow(200_000, (size) => () => resolveSkill(catalog, fill('\u0301\u0323', size)));
  });
});
