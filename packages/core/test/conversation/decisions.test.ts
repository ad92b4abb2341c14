import { describe, expect, it, vi } from 'vitest';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  type MessageView,
  memorySource,
  type PolicyRule,
  type SkillContext,
  type SkillDecision,
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

it('states hold only what JSON has, because some databases refuse `undefined`', async () => {
  const { toolkit } = await open();
  const { state } = await toolkit.prepare([said('/pdf')]);
  const decided = await toolkit.decide({ activate: ['notes'] }, [said('/pdf')], { state });
  const states = [state, decided, (await toolkit.prepare([], { state: decided })).state];
  expect(states).toStrictEqual(JSON.parse(JSON.stringify(states)));
});

describe('a decision that is not valid', () => {
  it.each([
    [{ deactive: ['pdf'] }, '`decision` has the unknown key `deactive`; expected one of activate, deactivate.'],
    ['pdf', '`decision` must be an object, not a value of type string.'],
    [null, '`decision` must be an object, not null.'],
    [{ activate: 'pdf' }, '`activate` must be a list of texts, not a value of type string.'],
    [{ deactivate: [undefined] }, '`deactivate` must be a list of texts, not a list of other values.'],
    [{ activate: null }, '`activate` must be a list of texts, not null.'],
  ])('is refused instead of ignored: %j', async (decision: unknown, message) => {
    const { toolkit } = await open();
    const decided = toolkit.decide(decision as SkillDecision, [said('/pdf')]);
    await expect(decided).rejects.toMatchObject({ code: 'options-invalid', message });
  });

  it('may have options without a value', async () => {
    const { toolkit } = await open();
    expect((await toolkit.decide({ activate: undefined, deactivate: undefined }, [])).skills).toEqual({});
  });
});

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

  it('counts for all that was said before, also once the last message of then is gone', async () => {
    const { toolkit, namesIn } = await open();
    const asked = said('/pdf');
    const answer: MessageView = { key: 'answer', role: 'assistant' };
    const state = await toolkit.decide({ deactivate: ['pdf'] }, [asked, answer, said('Thanks.')]);
    expect(await namesIn([asked, answer, said('Go on.')], state)).toEqual([]);
    expect(await namesIn([asked, answer, said('$pdf')], state)).toEqual(['pdf']);
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

  it('comes first, so a preloaded skill that is ended and activated at once stays active', async () => {
    const events: SkillEvent[] = [];
    const toolkit = createToolkit(await loadCatalog([memorySource(files)]), {
      preload: ['pdf'],
      onEvent: (event) => events.push(event),
    });
    const state = await toolkit.decide({ deactivate: ['pdf', 'pdf'], activate: ['pdf'] }, []);
    expect(state).toEqual({ skills: { pdf: { by: 'code', at: expect.any(Number) } } });
    expect(events).toEqual([{ type: 'deactivated', skill: 'pdf', by: 'code', tokens: 0 }]);
  });

  it('gives way to a later ending, so that an earlier activation elsewhere does not bring the skill back', async () => {
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
    const unknown = { code: 'skill-unknown', message: 'The catalog has no skill `csv`.' };
    await expect(toolkit.decide({ deactivate: ['notes', 'csv'] }, [])).rejects.toMatchObject(unknown);
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

  it('moves a skill that has arguments to the latest message, because the application gives none', async () => {
    const { toolkit } = await open();
    const messages = [said('/pdf in red'), { key: 'a1', role: 'assistant' } as const, said('Go on.')];
    const { state, edits } = await toolkit.prepare(messages);
    expect(edits).toEqual([{ key: '/pdf in red', append: expect.stringContaining('in red') }]);
    const decided = await toolkit.decide({ activate: ['pdf'] }, messages, { state });
    expect((await toolkit.prepare(messages, { state: decided })).edits).toEqual([
      { key: 'Go on.', append: expect.not.stringContaining('in red') },
    ]);
  });

  it('changes nothing about a skill that the application has activated before', async () => {
    const { toolkit, events } = await open();
    const begun = await toolkit.decide({ activate: ['pdf'] }, []);
    const { state } = await toolkit.prepare([said('Go.')], { state: begun });
    const before = events.length;
    expect(await toolkit.decide({ activate: ['pdf'] }, [said('Go.')], { state })).toEqual(state);
    expect(events.length).toBe(before);
  });

  it('comes last in the state, because that is in the order of activation', async () => {
    const { toolkit } = await open();
    const messages = [said('/pdf'), said('$notes')];
    const { skills } = await toolkit.decide({ activate: ['pdf'] }, messages);
    expect(Object.keys(skills)).toEqual(['notes', 'pdf']);
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
    [{ thread: 't', run: undefined, tenant: 7, user: null, role: {} }, { about: { thread: 't', tenant: '7' } }],
    [{ thread: undefined }, {}],
  ])('contains texts only: %j', async (about, told) => {
    const { toolkit, events } = await open();
    await toolkit.tools[0]?.execute({ name: 'pdf' });
    const [event] = events.splice(0);
    await toolkit.tools[0]?.execute({ name: 'pdf' }, { about: about as SkillContext['about'] });
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
    // A client need not know which preloaded skills there are.
    expect(own).toEqual(events.filter(({ type }) => type !== 'included'));
    await toolkit.prepare([said('/pdf')]);
    expect([own.length, events.length]).toEqual([3, 7]);
    const news = ['pdf', 'notes'].map((skill) => ({ type: 'activated', skill }));
    expect(own.map(toolkit.newsOf)).toEqual([undefined, ...news]);
  });
});

describe('two runs of a conversation at once', () => {
  const call = (key: string, tool: string, text: string): MessageView[] => [
    { key: `a ${key}`, role: 'assistant' },
    { key, role: 'tool', results: [{ id: key, tool, text }] },
  ];

  it('lose no activation whose run ended with it, although the state of the other is newer', async () => {
    const { toolkit } = await open();
    const textOf = async (tool: string) =>
      (await toolkit.tools.find(({ name }) => name === tool)?.execute({ name: 'pdf' }))?.text ?? '';
    const [one, other] = [said('Go.'), said('/notes Go.')];
    const begun = await toolkit.prepare([one]);
    const { state } = await toolkit.prepare([one, other], { state: begun.state });
    const activated = call('c1', 'activate_skill', await textOf('activate_skill'));
    const messages = [one, ...activated, other, { key: 'a2', role: 'assistant' as const }];
    const next = await toolkit.prepare([...messages, said('Go on.')], { state });
    expect(next.active).toMatchObject([{ name: 'notes' }, { name: 'pdf', by: 'model' }]);
    // Nor does it come back once it has ended.
    const ended = call('c2', 'deactivate_skill', await textOf('deactivate_skill'));
    const after = await toolkit.prepare([one, ...activated, ...ended, ...messages.slice(3), said('Go on.')], { state });
    expect(after.active).toMatchObject([{ name: 'notes' }]);
    const decided = await toolkit.decide({ deactivate: ['pdf'] }, messages, { state });
    expect((await toolkit.prepare([...messages, said('Go on.')], { state: decided })).active).toHaveLength(1);
  });
});

describe('a place for the state', () => {
  it('that is read only before a run does not undo what the run took into account', async () => {
    const { toolkit } = await open();
    const messages = [said('Hello.'), said('/pdf of May')];
    const { state } = await toolkit.prepare(messages.slice(0, 1));
    const context = { run: {}, state };
    const first = await toolkit.prepare(messages, context);
    expect(first.active).toMatchObject([{ name: 'pdf' }]);
    expect((await toolkit.prepare(messages, context)).state).toEqual(first.state);
  });

  it('is waited for, and its first failure of a run is reported', async () => {
    const { toolkit, events } = await open();
    const run = {};
    const written: string[] = [];
    const onState = (text: string) => async () => {
      await Promise.resolve();
      written.push(text);
      if (text !== 'one') throw new Error(`The store refused ${text}.`);
    };
    const failed = () => events.filter(({ type }) => type === 'state-failed');
    await toolkit.prepare([], { run, onState: onState('one') });
    expect([written, failed()]).toEqual([['one'], []]);
    for (const text of ['two', 'three']) await toolkit.prepare([], { run, onState: onState(text) });
    await toolkit.prepare([], {
      onState() {
        throw new Error('No store.');
      },
    });
    expect(failed()).toEqual([
      { type: 'state-failed', reason: 'The store refused two.', tokens: 0 },
      { type: 'state-failed', reason: 'No store.', tokens: 0 },
    ]);
    expect(written).toEqual(['one', 'two', 'three']);
  });

  it('is not waited for after the signal is aborted', async () => {
    const { toolkit, events } = await open();
    const aborter = new AbortController();
    const onState = () => {
      aborter.abort(new Error('Stop.'));
      return new Promise(() => {});
    };
    await expect(toolkit.prepare([], { signal: aborter.signal, onState })).rejects.toThrow('Stop.');
    expect(events.map(({ type }) => type)).toEqual(['offered']);
  });

  it('that could not be read once keeps what the application decided', async () => {
    const { toolkit, events } = await open();
    const messages: MessageView[] = [said('/pdf'), { key: 'a1', role: 'assistant' }, said('Go on.')];
    let kept: SkillState = await toolkit.decide({ deactivate: ['pdf'], activate: ['notes'] }, messages.slice(0, 2));
    const before = kept;
    let loads = 0;
    const load = async () => {
      if (++loads === 1) throw new Error('The database is away.');
      return kept;
    };
    const save = async (_: string, state: SkillState) => {
      kept = state;
    };
    const context = { run: {}, store: { conversation: 'away', open: async () => ({ load, save }) } };
    await toolkit.prepare(messages, context);
    expect(events).toContainEqual({ type: 'state-failed', reason: 'The database is away.', tokens: 0 });
    // The run does not wait for the store again, but takes its state into account as soon as it has it.
    await toolkit.prepare(messages, context);
    expect(kept).toEqual(before);
    const { active } = await toolkit.prepare(messages, context);
    expect(active.map(({ name }) => name)).toEqual(['notes']);
    expect(kept.skills['pdf']).toEqual(before.skills['pdf']);
  });

  it.each(['load', 'save'])('of the framework loses nothing in its run if the store cannot %s', async (broken) => {
    const { toolkit } = await open();
    const fail = () => Promise.reject(new Error('The database is away.'));
    const opened = { load: async () => undefined, save: async () => {}, [broken]: fail };
    const context = { run: {}, store: { conversation: 'one', open: async () => opened } };
    await toolkit.prepare([said('Go.')], context);
    await toolkit.tools[0]?.execute({ name: 'pdf' }, context);
    // The framework removed the result of the activation.
    for (let call = 0; call < 3; call += 1)
      expect((await toolkit.prepare([said('Go.')], context)).active).toMatchObject([{ name: 'pdf' }]);
  });

  it('of the framework is read before each model call, and written if a skill changed', async () => {
    const { toolkit } = await open();
    const log: string[] = [];
    let kept: SkillState = { skills: { notes: { by: 'code', at: 1 } } };
    const store = {
      conversation: 'one',
      open: async () => ({
        async load() {
          log.push('load');
          return kept;
        },
        async save(_: string, state: SkillState) {
          log.push('save');
          kept = state;
        },
      }),
    };
    const context = { run: {}, store };
    const first = await toolkit.prepare([said('Hello.')], context);
    expect([first.active.map(({ name }) => name), log]).toEqual([['notes'], ['load', 'load', 'save']]);
    await toolkit.prepare([said('Hello.'), said('Go on.')], context);
    // Not by the tools of a call.
    expect((await toolkit.tools[0]?.execute({ name: 'none' }, context))?.isError).toBe(true);
    expect(log.slice(3)).toEqual(['load']);
    // Decided between two calls.
    kept = await toolkit.decide({ activate: ['pdf'] }, [], { state: kept });
    expect((await toolkit.prepare([said('Hello.')], context)).active.map(({ name }) => name)).toEqual(['notes', 'pdf']);
    expect(Object.keys(kept.skills)).toEqual(['notes', 'pdf']);
  });

  describe('that answers late', () => {
    /** A store whose first answer comes when it is let go. */
    function openSlow() {
      let kept: SkillState = { skills: { notes: { by: 'code', at: 1 } } };
      let letGo = (): void => {};
      const slow = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let loads = 0;
      const load = vi.fn(async () => {
        const now = kept;
        if (++loads === 1) await slow;
        return now;
      });
      const save = vi.fn(async (_: string, state: SkillState) => {
        kept = state;
      });
      return {
        store: { conversation: 'one', open: async () => ({ load, save }) },
        load,
        save,
        letGo,
        kept: () => kept,
      };
    }

    it('undoes no later decision', async () => {
      const { toolkit } = await open();
      const { store, kept, letGo } = openSlow();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const late = toolkit.decide({ deactivate: ['notes'] }, [], { store });
        const refused = expect(late).rejects.toThrow('The store did not answer within 5 seconds.');
        await vi.advanceTimersByTimeAsync(5_000);
        await refused;
        await toolkit.decide({ activate: ['pdf'] }, [], { store });
        letGo();
        await vi.advanceTimersByTimeAsync(5_000);
        expect(Object.keys(kept().skills)).toEqual(['notes', 'pdf']);
      } finally {
        vi.useRealTimers();
      }
    });

    it('is not waited for, and gets nothing, once the signal is aborted', async () => {
      const { toolkit } = await open();
      const { store, load, save, letGo } = openSlow();
      const stop = new AbortController();
      const { signal } = stop;
      const waiting = [
        toolkit.decide({ activate: ['pdf'] }, [], { store, signal }),
        toolkit.active([], { store, signal }),
      ];
      const reason = new Error('enough');
      await vi.waitFor(() => expect(load).toHaveBeenCalled());
      stop.abort(reason);
      for (const each of waiting) await expect(each).rejects.toBe(reason);
      await expect(toolkit.decide({ activate: ['pdf'] }, [], { store, signal })).rejects.toBe(reason);
      letGo();
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(save).not.toHaveBeenCalled();
    });
  });

  it('reports what a decision ended only once it is stored', async () => {
    const { toolkit, events } = await open();
    const load = async () => ({ skills: { pdf: { by: 'user', at: 1 } } });
    const save = vi.fn().mockRejectedValueOnce(new Error('The disk is full.')).mockResolvedValue(undefined);
    const store = { conversation: 'one', open: async () => ({ load, save }) };
    const ended = () => events.filter(({ type }) => type === 'deactivated').length;
    await expect(toolkit.decide({ deactivate: ['pdf'] }, [], { store })).rejects.toThrow('The disk is full.');
    expect(ended()).toBe(0);
    await toolkit.decide({ deactivate: ['pdf'] }, [], { store });
    expect(ended()).toBe(1);
  });

  it('of the framework is what decisions change, and what is active is read from', async () => {
    const { toolkit } = await open();
    const states = new Map<string, SkillState>();
    const store = {
      conversation: 'one',
      open: async () => ({
        load: async (id: string) => states.get(id),
        save: async (id: string, state: SkillState) => void states.set(id, state),
      }),
    };
    const kept = await toolkit.decide({ activate: ['pdf'] }, [], { store });
    expect(states).toEqual(new Map([['one', kept]]));
    expect(await toolkit.active([], { store })).toMatchObject([{ name: 'pdf', by: 'code' }]);
    const none = { conversation: 'two', open: async () => undefined };
    await expect(toolkit.decide({ activate: ['pdf'] }, [], { store: none })).rejects.toMatchObject({
      code: 'options-invalid',
      message: "The store has no conversation `two`. Create it first, and pass the agent's own memory or store.",
    });
    const broken = { conversation: 'three', open: () => Promise.reject(new Error('The disk is full.')) };
    await expect(toolkit.active([], { store: broken })).rejects.toThrow('The disk is full.');
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

describe('what random sessions found', () => {
  it('reports the end of a skill only if it was active, and once although one answer ends it twice', async () => {
    const { toolkit, events } = await open();
    const end = toolkit.tools.find(({ name }) => name === 'deactivate_skill');
    await toolkit.decide({ deactivate: ['pdf'] }, [said('Hello.')]);
    await end?.execute({ name: 'pdf' }, { messages: [said('Hello.')], run: {} });
    expect(events).toEqual([]);
    const context = { messages: [said('/pdf')], run: {} };
    await end?.execute({ name: 'pdf' }, context);
    await end?.execute({ name: 'pdf' }, context);
    expect(events.map(({ type }) => type)).toEqual(['deactivated']);
  });

  it('answers with a pointer if the model gives arguments to what the application activated', async () => {
    const events: SkillEvent[] = [];
    const text = '---\nname: pdf\ndescription: Works with PDF files.\narguments: file\n---\nRead $file.\n';
    const catalog = await loadCatalog([memorySource({ 'pdf/SKILL.md': text })]);
    const toolkit = createToolkit(catalog, { onEvent: (event) => events.push(event) });
    const messages = [said('Hello.')];
    const { state } = await toolkit.prepare(messages, { state: await toolkit.decide({ activate: ['pdf'] }, messages) });
    events.length = 0;
    const answer = await toolkit.tools[0]?.execute({ name: 'pdf', arguments: 'a.pdf' }, { messages, state });
    expect(answer?.text).toContain('Already active: follow it.');
    expect(events.map(({ type }) => type)).toEqual(['deduplicated']);
  });

  it('takes the old text out of a result if the skill changes and its own place is gone', async () => {
    let catalog = await loadCatalog([memorySource(files)]);
    const toolkit = createToolkit(() => catalog);
    const text = (await toolkit.tools[0]?.execute({ name: 'pdf' }))?.text ?? '';
    const results = [{ id: '1', tool: 'activate_skill', text }];
    const messages: MessageView[] = [said('Hello.'), { key: 'result', role: 'tool', results }];
    const decided = await toolkit.decide({ activate: ['pdf'] }, []);
    const { state } = await toolkit.prepare([...messages, said('Go on.')], { state: decided });
    const later = { 'pdf/SKILL.md': files['pdf/SKILL.md'].replace('PDF-BODY', 'NEW-BODY') };
    catalog = await loadCatalog([memorySource(later)]);
    const { edits } = await toolkit.prepare([...messages, said('And?')], { state });
    expect(edits).toEqual([
      { key: 'result', result: '1', text: expect.stringContaining('Already active: follow it.') },
      { key: 'Hello.', append: expect.stringContaining('NEW-BODY') },
    ]);
  });

  it('takes the text out of a result after the skill was denied', async () => {
    const rules: PolicyRule[] = [];
    const catalog = await loadCatalog([memorySource(files)]);
    const toolkit = createToolkit(catalog, { policy: () => definePolicy({ rules }) });
    const text = (await toolkit.tools[0]?.execute({ name: 'pdf' }))?.text ?? '';
    const results = [{ id: '1', tool: 'activate_skill', text }];
    const messages: MessageView[] = [said('Hello.'), { key: 'result', role: 'tool', results }, said('Go on.')];
    const { state } = await toolkit.prepare(messages);
    rules.push({ skill: 'pdf', effect: 'deny' });
    const { edits } = await toolkit.prepare(messages, { state });
    expect(edits).toContainEqual({ key: 'result', result: '1', text: expect.stringContaining('No longer active') });
    const changed = [{ id: '1', tool: 'activate_skill', text: text.replace(/digest="\w+"/, 'digest="00000000"') }];
    const { edits: all } = await toolkit.prepare([{ key: 'old', role: 'tool', results: changed }, ...messages]);
    expect(all).toMatchObject([{ key: 'old' }, { key: 'result' }]);
  });
});
