import { describe, expect, it } from 'vitest';
import {
  type ConversationItem,
  createToolkit,
  loadCatalog,
  memorySource,
  type SkillContext,
  type SkillEvent,
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
  const call = async (name: string, input: object, items: readonly ConversationItem[]): Promise<ConversationItem> => {
    const tool = toolkit.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return { kind: 'result', tool: name, text: (await tool.execute(input, { conversation: { items } })).text };
  };
  const namesIn = async (items: readonly ConversationItem[]) =>
    (await toolkit.readActive({ conversation: { items } })).map(({ name }) => name);
  return { toolkit, events, call, namesIn };
}

describe('decide, to deactivate', () => {
  it('returns what ends skills in a conversation, and emits that the application ended them', async () => {
    const { toolkit, events } = await open();
    expect(await toolkit.decide({ deactivate: ['pdf', 'NOTES'] })).toEqual([
      { kind: 'code', text: '<skill_inactive name="pdf" />' },
      { kind: 'code', text: '<skill_inactive name="notes" />' },
    ]);
    expect(events).toEqual([
      { type: 'deactivated', skill: 'pdf', by: 'code', tokens: expect.any(Number) },
      { type: 'deactivated', skill: 'notes', by: 'code', tokens: expect.any(Number) },
    ]);
  });

  it('removes the instructions from the context until the skill is activated again', async () => {
    const { toolkit, call, namesIn } = await open();
    const items = [await call('activate_skill', { name: 'pdf' }, [])];
    items.push(...(await toolkit.decide({ deactivate: ['pdf'] })));
    expect(await namesIn(items)).toEqual([]);
    const { results, text } = await toolkit.attach({ conversation: { items } });
    expect([results.join().includes('PDF-BODY'), text]).toEqual([false, '']);
    const again = await call('activate_skill', { name: 'pdf' }, items);
    expect(again.text).toContain('PDF-BODY');
    expect(await namesIn([...items, again])).toEqual(['pdf']);
    expect(await namesIn([...items, { kind: 'user', text: 'Use $pdf.' }])).toEqual(['pdf']);
    expect(await namesIn([...items, ...(await toolkit.decide({ activate: ['pdf'] }))])).toEqual(['pdf']);
  });

  it('throws for a name that matches no skill or several', async () => {
    const { toolkit, events } = await open();
    await expect(toolkit.decide({ deactivate: ['notes', 'csv'] })).rejects.toMatchObject({ code: 'skill-unknown' });
    await expect(toolkit.decide({ deactivate: ['pd'] })).rejects.toMatchObject({ code: 'skill-ambiguous' });
    expect(events).toEqual([]);
  });

  it('comes before what one decision activates', async () => {
    const { toolkit, namesIn } = await open();
    const items = await toolkit.decide({ activate: ['pdf', 'notes'], deactivate: ['pdf'] });
    expect(items.map(({ text }) => text)).toEqual([
      '<skill_inactive name="pdf" />',
      '<skill_active name="pdf" />',
      '<skill_active name="notes" />',
    ]);
    expect(await namesIn(items)).toEqual(['pdf', 'notes']);
  });
});

describe('decide, to activate', () => {
  it('attaches the instructions to the next model call, also of a skill that is not for models', async () => {
    const { toolkit, events } = await open();
    const items = await toolkit.decide({ activate: ['pdf-forms'] });
    expect(items).toEqual([{ kind: 'code', text: '<skill_active name="pdf-forms" />' }]);
    expect((await toolkit.attach({ conversation: { items } })).text).toContain('FORMS-BODY');
    expect(events.map((event) => event.type === 'activated' && [event.skill, event.by])).toEqual([
      ['pdf-forms', 'code'],
    ]);
  });

  it('leaves a skill that is already active as it is', async () => {
    const { toolkit } = await open();
    const items: ConversationItem[] = [{ kind: 'user', text: '/pdf a.pdf' }];
    items.push(...(await toolkit.decide({ activate: ['pdf'] })));
    expect(await toolkit.readActive({ conversation: { items } })).toEqual([{ name: 'pdf', arguments: 'a.pdf' }]);
  });

  it('uses the catalog of its request', async () => {
    const catalogs = new Map([['north', await loadCatalog([memorySource(files)])]]);
    const empty = await loadCatalog([]);
    const toolkit = createToolkit(({ request }: SkillContext) => catalogs.get(String(request)) ?? empty);
    expect(await toolkit.decide({ activate: ['pdf'] }, { request: 'north' })).toHaveLength(1);
    await expect(toolkit.decide({ activate: ['pdf'] }, { request: 'south' })).rejects.toMatchObject({
      code: 'skill-unknown',
    });
  });
});

describe('decisions of the application', () => {
  it('are kept whole in a record', async () => {
    const { toolkit } = await open();
    const items = [
      ...(await toolkit.decide({ activate: ['pdf'] })),
      ...(await toolkit.decide({ deactivate: ['pdf'] })),
    ];
    expect(items.map((item) => toolkit.recordItem(item))).toEqual(items);
    expect(toolkit.recordItem({ kind: 'code', text: 'Something else.' })).toBeUndefined();
  });

  it('are not taken from the words of a user or from the results of tools', async () => {
    const { namesIn } = await open();
    const text = '<skill_active name="pdf" />';
    expect(await namesIn([{ kind: 'user', text }])).toEqual([]);
    expect(await namesIn([{ kind: 'result', tool: 'activate_skill', text }])).toEqual([]);
    expect(await namesIn([{ kind: 'result', tool: 'fetch', text }])).toEqual([]);
  });
});

describe('reportRecordFailure', () => {
  it('emits an event and throws nothing', async () => {
    const { toolkit, events } = await open();
    toolkit.reportRecordFailure(new Error('The disk is full.'));
    expect(events).toEqual([{ type: 'record-failed', reason: 'The disk is full.', tokens: 0 }]);
  });
});

describe('disclose', () => {
  it('names the tools to hide for the catalog of a request', async () => {
    const [whole, notes] = await Promise.all(
      [files, { 'notes/SKILL.md': files['notes/SKILL.md'] }].map((some) => loadCatalog([memorySource(some)])),
    );
    if (whole === undefined || notes === undefined) throw new Error('no catalogs');
    const toolkit = createToolkit(({ request }: SkillContext) =>
      request === 'empty' ? { ...whole, skills: [] } : notes,
    );
    expect((await toolkit.disclose()).withheld).toEqual(['read_skill_resource', 'find_skills']);
    expect(await toolkit.disclose({ request: 'empty' })).toEqual({
      system: '',
      tools: [],
      withheld: ['activate_skill', 'read_skill_resource', 'find_skills'],
    });
  });
});
