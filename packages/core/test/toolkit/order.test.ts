import { describe, expect, it, vi } from 'vitest';
import { createToolkit, loadCatalog, memorySource } from '../../src/index.ts';

const source = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: About pdf.\n---\nRead the pages.' });
const catalog = await loadCatalog([source]);

describe('states that are merged', () => {
  it('agree on what happened last, in one millisecond and on a clock that goes back', async () => {
    const toolkit = createToolkit(catalog);
    vi.spyOn(Date, 'now').mockReturnValueOnce(5).mockReturnValueOnce(5).mockReturnValueOnce(3);
    try {
      const begun = await toolkit.track([{ key: '1', role: 'user', text: '/pdf' }]);
      const ended = await toolkit.decide({ deactivate: ['pdf'] }, [], { state: begun });
      const again = await toolkit.decide({ activate: ['pdf'] }, [], { state: ended });
      expect(toolkit.merge(begun, ended).skills).toMatchObject({ pdf: { by: 'code', ended: true } });
      expect(toolkit.merge(ended, again).skills).toEqual({ pdf: { by: 'code', at: 7 } });
      expect(toolkit.merge(again, ended).skills).toEqual({ pdf: { by: 'code', at: 7 } });
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a decision', () => {
  it('keeps which conversation a copy comes from', async () => {
    let stored: object = { origin: 'first', skills: {} };
    const save = async (_: string, state: object) => {
      stored = state;
    };
    const opened = { load: async () => stored, save };
    await createToolkit(catalog).decide({ activate: ['pdf'] }, [], {
      store: { conversation: 'copy', open: async () => opened },
    });
    expect(stored).toMatchObject({ origin: 'first', skills: { pdf: { by: 'code' } } });
  });
});

describe('a stored state', () => {
  it('counts without a run, too', async () => {
    const load = async () => ({ skills: { pdf: { by: 'code', at: 1 } } });
    const store = { conversation: 'chat', open: async () => ({ load, save: async () => {} }) };
    const toolkit = createToolkit(catalog);
    expect((await toolkit.track([], { store })).skills).toMatchObject({ pdf: { by: 'code' } });
    expect(await toolkit.active([], { store })).toMatchObject([{ name: 'pdf' }]);
  });
});

describe('a run', () => {
  it('is given what a listener kept from it before', async () => {
    let isBroken = true;
    const toolkit = createToolkit(catalog, {
      onEvent: ({ type }) => {
        if (isBroken && type === 'activated') throw new Error('The log is gone.');
      },
    });
    const run = {};
    const activate = () => toolkit.tools[0]?.execute({ name: 'pdf' }, { run });
    expect((await activate())?.text).toMatch(/^activate_skill failed for a technical reason, /);
    isBroken = false;
    expect((await activate())?.text).toContain('Read the pages.');
  });

  it('asks for the catalog once, even if a tool is its first', async () => {
    let asked = 0;
    const toolkit = createToolkit(() => {
      asked += 1;
      return catalog;
    });
    const run = {};
    await toolkit.tools[0]?.execute({ name: 'pdf' }, { run });
    await toolkit.track([], { run });
    expect(asked).toBe(1);
  });
});
