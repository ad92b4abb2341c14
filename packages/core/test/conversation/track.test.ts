import { describe, expect, it } from 'vitest';
import { createToolkit, loadCatalog, type MessageView, memorySource, type SkillState } from '../../src/index.ts';

const catalog = await loadCatalog([memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\nFill it.' })]);
const toolkit = createToolkit(catalog);
const { text = '' } = (await toolkit.tools[0]?.execute({ name: 'pdf' })) ?? {};

const user = (key: string, text: string): MessageView => ({ key, role: 'user', text });
const answer = (key: string): MessageView => ({ key, role: 'assistant' });
const result: MessageView = { key: 't1', role: 'tool', results: [{ id: 'c1', tool: 'activate_skill', text }] };
const ended: SkillState = { seen: 'a2', skills: { pdf: { by: 'code', at: 1, ended: true } } };

/** The names of the active skills. */
async function activeIn(shown: readonly MessageView[], state: SkillState, messages = shown) {
  return (await toolkit.prepare(shown, { state, messages })).active.map(({ name }) => name);
}

describe('a result that was taken into account', () => {
  it('is not new because another message was shortened and the one seen last was left out', async () => {
    const [first, ...more] = [user('u1', 'Fill it, please.'), answer('a1'), result, answer('a2'), user('u2', 'Go on.')];
    const shown = [user('u1-cut', 'Fill it'), ...more.filter(({ key }) => key !== 'a2')];
    expect(await activeIn(shown, ended, [first, ...more])).toEqual([]);
  });
});

it('words that named no skill when they were said activate none that the catalog gets later', async () => {
  let now = await loadCatalog([]);
  const late = createToolkit(() => now);
  const messages = [user('u1', '/pdf')];
  const { state } = await late.prepare(messages);
  now = catalog;
  const later = [...messages, answer('a1'), user('u2', 'Hi.')];
  expect((await late.prepare(later, { state })).active).toEqual([]);
});

describe('the list of active skills', () => {
  it('says which version of a skill the model has', async () => {
    const { active } = await toolkit.prepare([user('u1', 'Fill it.'), answer('a1'), result], {});
    const [, digest] = / digest="([0-9a-f]{8})"/.exec(text) ?? [];
    expect(active).toEqual([{ name: 'pdf', by: 'model', at: expect.any(Number), digest }]);
  });
});

describe('a result of a run that was stopped', () => {
  const messages = [user('u1', 'Fill it.'), answer('a1'), result, user('u2', 'Go on.')];

  it('activates its skill, also if the message seen last is gone', async () => {
    expect(await activeIn(messages, { seen: 'gone', skills: {} })).toEqual(['pdf']);
  });

  it('activates no skill that is known to have ended, if the message seen last is gone', async () => {
    expect(await activeIn(messages, { ...ended, seen: 'gone' })).toEqual([]);
  });
});

describe('a result that ends a skill', () => {
  it('changes nothing if it names none, or one that was never active', async () => {
    const texts = [
      'No skill `x`.',
      '<skill_inactive name="pdf" />\nNo longer active: its instructions have left the context.',
    ];
    const results = texts.map((text, id) => ({ id: `${id}`, tool: 'deactivate_skill', text }));
    expect(await activeIn([{ key: 't1', role: 'tool', results }], { skills: {} })).toEqual([]);
  });
});

describe('a result with more than the words that end a skill', () => {
  const ending = '<skill_inactive name="pdf" />\nNo longer active: its instructions have left the context.';
  const endedBy = (text: string): MessageView => {
    return { key: 't2', role: 'tool', results: [{ id: 'c2', tool: 'deactivate_skill', text }] };
  };
  const messages = [user('u1', 'Fill it.'), answer('a1'), result];

  it.each([
    [ending, []],
    [`${ending} Or is it?`, ['pdf']],
    [`I quote: ${ending}`, ['pdf']],
  ])('ends none: %j leaves %j', async (text, active) => {
    expect(await activeIn([...messages, endedBy(text)], { skills: {} })).toEqual(active);
  });
});

describe('the message seen last', () => {
  it('activates the skills that it names since it was edited', async () => {
    expect(await activeIn([user('u1', '/pdf')], { seen: 'u1', skills: {} })).toEqual(['pdf']);
  });

  it('activates no skill that has ended since', async () => {
    expect(await activeIn([user('u1', '/pdf')], { ...ended, seen: 'u1' })).toEqual([]);
  });
});

describe('a name that the model writes', () => {
  const says = (key: string, text: string): MessageView => ({ key, role: 'assistant', text });

  it('activates no skill, because the model is no user', async () => {
    const messages = [user('u1', 'Fill it.'), says('a1', 'I will use $pdf.'), says('a2', '/pdf'), user('u2', 'Go on.')];
    expect(await activeIn(messages, { skills: {} })).toEqual([]);
  });
});
