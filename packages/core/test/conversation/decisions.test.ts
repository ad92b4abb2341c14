import { describe, expect, it } from 'vitest';
import {
  createToolkit,
  loadCatalog,
  type MessageView,
  memorySource,
  type SkillContext,
  type SkillEvent,
  type SkillState,
} from '../../src/index.ts';

const files = {
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
  'pdf/SKILL.md': '---\nname: pdf\ndescription: Works with PDF files.\n---\nPDF-BODY\n',
  'pdf-forms/SKILL.md':
    '---\nname: pdf-forms\ndescription: Fills forms.\ndisable-model-invocation: true\n---\nFORMS-BODY\n',
};

async function open() {
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(await loadCatalog([memorySource(files)]), {
    tools: { deactivate: true },
    onEvent: (event) => events.push(event),
  });
  const namesIn = async (messages: readonly MessageView[], state: SkillState) =>
    (await toolkit.active(messages, { state })).map(({ name }) => name);
  return { toolkit, events, namesIn };
}

const said = (text: string): MessageView => ({ key: text, role: 'user', text });

describe('decide, to deactivate', () => {
  it('ends skills in a conversation, and emits that the application ended them', async () => {
    const { toolkit, events, namesIn } = await open();
    const messages = [said('/pdf'), said('$notes')];
    const state = await toolkit.decide({ deactivate: ['pdf', 'NOTES'] }, messages);
    expect(state).toEqual({
      seen: '$notes',
      skills: {
        pdf: { by: 'code', at: expect.any(Number), ended: true },
        notes: { by: 'code', at: expect.any(Number), ended: true },
      },
    });
    expect(await namesIn(messages, state)).toEqual([]);
    expect(events).toEqual([
      { type: 'deactivated', skill: 'pdf', by: 'code', tokens: 0 },
      { type: 'deactivated', skill: 'notes', by: 'code', tokens: 0 },
    ]);
  });

  it('holds until the model, the user or the application activates the skill again', async () => {
    const { toolkit, namesIn } = await open();
    const messages = [said('/pdf')];
    const state = await toolkit.decide({ deactivate: ['pdf'] }, messages);
    const text = (await toolkit.tools[0]?.execute({ name: 'pdf' }, { messages, state }))?.text ?? '';
    expect(text).toContain('PDF-BODY');
    const again: MessageView = { key: 'r', role: 'tool', results: [{ id: '1', tool: 'activate_skill', text }] };
    expect(await namesIn([...messages, again], state)).toEqual(['pdf']);
    expect(await namesIn([...messages, said('Use $pdf.')], state)).toEqual(['pdf']);
    expect(await namesIn(messages, await toolkit.decide({ activate: ['pdf'] }, messages, { state }))).toEqual(['pdf']);
  });

  it('gives way to whoever ended a skill last, so that an earlier activation elsewhere does not bring it back', async () => {
    const { toolkit, namesIn } = await open();
    const end = toolkit.tools.find(({ name }) => name === 'deactivate_skill');
    const ended = await toolkit.decide({ deactivate: ['notes'] }, [], {});
    const again = { notes: { by: 'user', at: (ended.skills['notes']?.at ?? 0) + 1 } } as const;
    const text = (await end?.execute({ name: 'notes' }))?.text ?? '';
    const result = { id: 'c', tool: 'deactivate_skill', text };
    await new Promise((resolve) => setTimeout(resolve, 5));
    const later = await toolkit.track([{ key: 'r', role: 'tool', results: [result] }], { state: ended });
    expect(await namesIn([], toolkit.merge(ended, { skills: again }))).toEqual(['notes']);
    expect(await namesIn([], toolkit.merge(later, { skills: again }))).toEqual([]);
  });

  it('throws for a name that matches no skill or several', async () => {
    const { toolkit, events } = await open();
    await expect(toolkit.decide({ deactivate: ['notes', 'csv'] }, [])).rejects.toMatchObject({ code: 'skill-unknown' });
    await expect(toolkit.decide({ deactivate: ['pd'] }, [])).rejects.toMatchObject({ code: 'skill-ambiguous' });
    expect(events).toEqual([]);
  });

  it('is suggested the names that a wrong one may mean, as is `preload`', async () => {
    const catalog = await loadCatalog([memorySource(files)]);
    expect(() => createToolkit(catalog, { preload: ['pd'] })).toThrow(/ Did you mean `builtin:pdf` or `/);
  });

  it('comes before what one decision activates', async () => {
    const { toolkit, namesIn } = await open();
    const state = await toolkit.decide({ activate: ['pdf', 'notes'], deactivate: ['pdf'] }, []);
    expect((await namesIn([], state)).toSorted()).toEqual(['notes', 'pdf']);
  });
});

describe('decide, to activate', () => {
  it('adds the instructions to the next model call, also of a skill that is not for models', async () => {
    const { toolkit, events } = await open();
    const state = await toolkit.decide({ activate: ['pdf-forms'] }, []);
    const { edits } = await toolkit.prepare([said('Go.')], { state });
    expect(edits).toEqual([{ key: 'Go.', append: expect.stringContaining('FORMS-BODY') }]);
    expect(events.flatMap((event) => (event.type === 'activated' ? [[event.skill, event.by]] : []))).toEqual([
      ['pdf-forms', 'code'],
    ]);
  });

  it('uses the catalog of its request', async () => {
    const catalogs = new Map([['north', await loadCatalog([memorySource(files)])]]);
    const empty = await loadCatalog([]);
    const toolkit = createToolkit(({ request }: SkillContext) => catalogs.get(String(request)) ?? empty);
    const { skills } = await toolkit.decide({ activate: ['pdf'] }, [], { request: 'north' });
    expect(Object.keys(skills)).toEqual(['pdf']);
    await expect(toolkit.decide({ activate: ['pdf'] }, [], { request: 'south' })).rejects.toMatchObject({
      code: 'skill-unknown',
    });
  });
});

describe('what an event says of its call', () => {
  it.each([
    [{ thread: 't', run: undefined, tenant: 7 as unknown as string }, { about: { thread: 't' } }],
    [{ thread: undefined }, {}],
  ])('contains texts only: %j', async (about, told) => {
    const { toolkit, events } = await open();
    await toolkit.tools[0]?.execute({ name: 'pdf' });
    const [event] = events.splice(0);
    await toolkit.tools[0]?.execute({ name: 'pdf' }, { about });
    expect(events).toEqual([{ ...event, ...told }]);
  });
});

describe('onState', () => {
  it('receives the state of each model call, and its failure fails none', async () => {
    const { toolkit, events } = await open();
    const states: unknown[] = [];
    const onState = (state: unknown) => {
      states.push(state);
      throw new Error('The disk is full.');
    };
    const { state } = await toolkit.prepare([said('/pdf')], { onState });
    expect(states).toEqual([state]);
    expect(Object.keys(state.skills)).toEqual(['pdf']);
    expect(events.at(-1)).toEqual({ type: 'state-failed', reason: 'The disk is full.', tokens: 0 });
  });
});

describe('onEvent of a call', () => {
  it('receives what the one of the toolkit does', async () => {
    const { toolkit, events } = await open();
    const own: SkillEvent[] = [];
    const context = { about: { thread: 't' }, onEvent: (event: SkillEvent) => own.push(event) };
    await toolkit.prepare([said('/pdf')], context);
    await toolkit.tools[0]?.execute({ name: 'notes' }, context);
    expect(own.map(({ type }) => type)).toEqual(['offered', 'activated', 'activated']);
    expect(own).toEqual(events);
    await toolkit.prepare([said('/pdf')]);
    expect([own.length, events.length]).toEqual([3, 5]);
    const news = ['pdf', 'notes'].map((skill) => ({ type: 'activated', skill }));
    expect(own.map(toolkit.newsOf)).toEqual([undefined, ...news]);
  });
});

describe('storeState', () => {
  it('waits for a write, and reports the first failure of a run only', async () => {
    const { toolkit, events } = await open();
    const run = {};
    const written: string[] = [];
    const write = (text: string) => async () => {
      await Promise.resolve();
      written.push(text);
      if (text !== 'one') throw new Error(`The store refused ${text}.`);
    };
    await toolkit.storeState(write('one'), { run });
    expect([written, events]).toEqual([['one'], []]);
    for (const text of ['two', 'three']) await toolkit.storeState(write(text), { run });
    await toolkit.storeState(() => {
      throw new Error('No store.');
    });
    expect(events).toEqual([
      { type: 'state-failed', reason: 'The store refused two.', tokens: 0 },
      { type: 'state-failed', reason: 'No store.', tokens: 0 },
    ]);
    expect(written).toEqual(['one', 'two', 'three']);
  });

  it('rejects if the signal is aborted', async () => {
    const { toolkit, events } = await open();
    const signal = AbortSignal.abort(new Error('Stop.'));
    await expect(toolkit.storeState(() => new Promise(() => {}), { signal })).rejects.toThrow('Stop.');
    expect(events).toEqual([]);
  });
});

describe('hiddenTools', () => {
  it('names the tools to hide for the catalog of a request', async () => {
    const [whole, notes] = await Promise.all(
      [files, { 'notes/SKILL.md': files['notes/SKILL.md'] }].map((some) => loadCatalog([memorySource(some)])),
    );
    if (whole === undefined || notes === undefined) throw new Error('no catalogs');
    const toolkit = createToolkit(({ request }: SkillContext) =>
      request === 'empty' ? { ...whole, skills: [] } : notes,
    );
    expect((await toolkit.prepare([])).hiddenTools).toEqual([
      'read_skill_resource',
      'list_skill_resources',
      'find_skills',
    ]);
    expect(await toolkit.prepare([], { request: 'empty' })).toEqual({
      system: '',
      hiddenTools: ['activate_skill', 'read_skill_resource', 'list_skill_resources', 'find_skills'],
      edits: [],
      state: { skills: {} },
      active: [],
    });
  });
});
