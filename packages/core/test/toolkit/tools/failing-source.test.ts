// What a model, and so a browser, reads if a source or a runner fails: nothing of the machine, which its error may name.

import { describe, expect, it } from 'vitest';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  SkillError,
  type SkillEvent,
  type SkillSource,
} from '../../../src/index.ts';
import { processRunner } from '../../../src/node/index.ts';

const good = memorySource({
  'x/SKILL.md': '---\nname: x\ndescription: D.\n---\nBody.\n',
  'x/a.md': 'A',
  'x/scripts/a.sh': 'echo',
});
const failed = Object.assign(new Error('EIO: i/o error, open /srv/skills/x'), { code: 'EIO' });
const fail = () => Promise.reject(failed);
const calls = [
  ['activate_skill', { name: 'x' }],
  ['read_skill_resource', { skill: 'x', path: 'a.md' }],
  ['list_skill_resources', { skill: 'x' }],
  ['run_skill_script', { skill: 'x', path: 'scripts/a.sh' }],
] as const;

/** Makes all calls, after a person was asked about those that need it. */
async function callAll(source: SkillSource, effect: 'allow' | 'ask', runner = processRunner()) {
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(await loadCatalog([source]), {
    policy: definePolicy({ rules: [{ effect: 'allow', actor: ['user', 'code'] }, { effect }] }),
    tools: { files: true },
    runner,
    onEvent: (event) => void (event.type === 'tool-failed' && events.push(event)),
  });
  const told: (readonly [tool: string, text: string | undefined])[] = [];
  for (const [name, input] of calls) {
    const messages = [
      { key: 'u1', role: 'user' as const, text: effect === 'ask' && name !== 'activate_skill' ? '/x' : '' },
    ];
    const context = { call: name, messages };
    const judged = await toolkit.judge({ name, input }, context);
    const result = await toolkit.tools.find((tool) => tool.name === name)?.execute(input, context);
    told.push([name, result?.text]);
    expect(JSON.stringify([judged, result, result && toolkit.redactResult(result)])).not.toContain('/srv');
  }
  return { told: Object.fromEntries(told), events };
}

describe('a source that fails', () => {
  it.each(['allow', 'ask'] as const)('while it reads is named by the file and the code (%s)', async (effect) => {
    const { told, events } = await callAll({ ...good, readFile: fail }, effect);
    const unread = '`SKILL.md` could not be read (EIO).';
    expect(told).toEqual({
      activate_skill: effect === 'ask' ? unread : `The instructions of \`x\` cannot be read: ${unread}`,
      read_skill_resource: effect === 'ask' ? unread : '`a.md` could not be read (EIO).',
      list_skill_resources: effect === 'ask' ? unread : expect.stringContaining('a.md'),
      run_skill_script: unread,
    });
    expect(events.map((event) => 'tool' in event && event.tool)).toEqual(
      calls.map(([name]) => name).filter((name) => effect === 'ask' || name !== 'list_skill_resources'),
    );
    for (const event of events) expect(event).toMatchObject({ reason: expect.stringContaining('open /srv/skills/x') });
  });

  it('while it lists is named by the skill', async () => {
    const { told, events } = await callAll({ ...good, listFiles: fail }, 'allow');
    const unlisted = 'The files of `x` could not be listed.';
    expect(told).toEqual({
      activate_skill: unlisted,
      read_skill_resource: expect.stringContaining('A'),
      list_skill_resources: unlisted,
      run_skill_script: unlisted,
    });
    expect(events).toHaveLength(3);
  });
});

it('a mistake of the application is told to the application, and not to the model', async () => {
  const events: SkillEvent[] = [];
  const wrong = new SkillError('options-invalid', 'The option `root` of the source is wrong.');
  const toolkit = createToolkit(() => Promise.reject(wrong), { onEvent: (event) => events.push(event) });
  const result = await toolkit.tools[0]?.execute({ name: 'x' });
  expect(result?.text).toMatch(/^activate_skill failed for a technical reason, /);
  expect(events).toEqual([{ type: 'tool-failed', tool: 'activate_skill', reason: wrong.message, tokens: 0 }]);
});

describe('a source that fails in a model call', () => {
  it('fails the call if a preloaded skill would be missing', async () => {
    const toolkit = createToolkit(await loadCatalog([{ ...good, readFile: fail }]), { preload: ['x'] });
    await expect(toolkit.prepare([])).rejects.toMatchObject({ code: 'skill-unreadable' });
  });

  it('once does not put the instructions there twice', async () => {
    let reads = 0;
    const readFile: SkillSource['readFile'] = (...call) => (++reads === 2 ? fail() : good.readFile(...call));
    const events: SkillEvent[] = [];
    const toolkit = createToolkit(await loadCatalog([{ ...good, readFile }]), {
      onEvent: (event) => events.push(event),
    });
    const text = (await toolkit.tools[0]?.execute({ name: 'x' }))?.text ?? '';
    const { edits } = await toolkit.prepare([
      { key: 'u', role: 'user', text: 'Hi.' },
      { key: 'a', role: 'assistant' },
      { key: 't', role: 'tool', results: [{ id: 'c', tool: 'activate_skill', text }] },
    ]);
    expect(JSON.stringify(edits)).not.toContain('Body.');
    expect(events.at(-1)).toEqual({ type: 'left-out', skill: 'x', reason: 'unreadable', tokens: 0 });
  });
});

describe('a runner that fails', () => {
  it('is not named', async () => {
    const { told, events } = await callAll(good, 'allow', { run: fail });
    expect(told['run_skill_script']).toMatch(/^run_skill_script failed for a technical reason, /);
    const failure = { type: 'tool-failed', tool: 'run_skill_script', reason: failed.message };
    expect(events).toEqual([{ ...failure, call: 'run_skill_script', tokens: 0 }]);
  });

  it('because of long arguments says what to do', async () => {
    const toolkit = createToolkit(await loadCatalog([good]), {
      policy: definePolicy({ rules: [{ effect: 'allow' }] }),
      runner: processRunner(),
    });
    const tool = toolkit.tools.find(({ name }) => name === 'run_skill_script');
    const result = await tool?.execute({ skill: 'x', path: 'scripts/a.sh', arguments: ['x'.repeat(4_000_000)] });
    const why = 'The script could not be started: its arguments are too long. Pass long text as its input.';
    expect(result?.text).toBe(why);
  });
});
