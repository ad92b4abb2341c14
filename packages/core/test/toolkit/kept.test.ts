import { describe, expect, it, vi } from 'vitest';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  type MessageView,
  memorySource,
  type SkillSource,
  type ToolkitOptions,
} from '../../src/index.ts';

const about = 'description: Fills forms.';

/** Keeps what calls give, and restores it from that, in the same run or in another one. */
async function open(options: ToolkitOptions = {}) {
  const files: Record<string, string | Uint8Array> = {
    'pdf/SKILL.md': `---\nname: pdf\n${about}\narguments: who\n---\nBODY for $who.`,
    'pdf/form.md': '# Fields\n\nA form.',
    'pdf/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
    'pdf/scripts/count.sh': 'echo',
  };
  const runner = {
    run: async () => ({ exitCode: 0, output: '42', errors: '', truncated: false, timedOut: false }),
  };
  const source: SkillSource = {
    ...memorySource(files),
    // As from a disk, where a file may change at any time.
    readFile: (...call) => memorySource(files).readFile(...call),
  };
  const catalog = await loadCatalog([source]);
  const toolkit = createToolkit(catalog, { runner, ...options });
  const call = async (name: string, input: object, context: object = {}) => {
    const result = await toolkit.tools.find((tool) => tool.name === name)?.execute(input, context);
    if (result === undefined) throw new Error(`There is no tool ${name}.`);
    const kept = JSON.parse(JSON.stringify(toolkit.keepResult({ name, input }, result, context)));
    const restore = async (run?: object, id = 'call_1') => {
      const part = { toolCallId: id, toolName: name };
      const messages = [
        { role: 'assistant', content: [{ type: 'tool-call', ...part, input }] },
        { role: 'tool', content: [{ type: 'tool-result', ...part, output: toolkit.writeOutput(kept, 'v3') }] },
      ];
      const [said, restored] = await toolkit.restoreMessages(messages, 'v3', { run });
      expect(said).toBe(messages[0]);
      return Object(restored).content[0].output;
    };
    return { result, kept, restore };
  };
  return { toolkit, catalog, files, call };
}

const isAllowed = { policy: definePolicy({ rules: [{ effect: 'allow' }] }) };
const form = { skill: 'pdf', path: 'form.md' };
const seal = { skill: 'pdf', path: 'seal.png' };

describe('what is kept of a result', () => {
  it('is neither instructions nor files, but what the skill and its version are', async () => {
    const { call } = await open();
    const activation = await call('activate_skill', { name: 'pdf', arguments: 'me' });
    expect(activation.kept).toEqual({
      text: expect.stringMatching(
        /^<skill_content name="pdf" digest="[0-9a-f]{8}" arguments="me">\n\[This text is not stored here\.\]$/,
      ),
      isError: false,
      files: [],
      details: { ...activation.result.details, isError: false, characters: activation.result.text.length, files: [] },
    });
    expect((await call('read_skill_resource', seal)).kept).toMatchObject({
      text: '[This text is not stored here.]',
      files: [],
      details: { files: [{ mediaType: 'image/png', bytes: 6 }] },
    });
    const headings = await call('read_skill_resource', { ...form, section: 'Signature' });
    expect(headings.result.text).toContain('Fields');
    expect(headings.kept).toMatchObject({ text: '[This text is not stored here.]', isError: true });
    expect(await headings.restore()).toEqual({ type: 'error-text', value: headings.result.text });
  });

  it('is whole again in another run, as the skill is by then', async () => {
    const { toolkit, call, files } = await open();
    const calls = [
      await call('activate_skill', { name: 'pdf', arguments: 'me' }),
      await call('read_skill_resource', form),
      await call('read_skill_resource', seal),
    ];
    for (const { result, restore } of calls) {
      const { text, isError, parts } = result;
      expect(await restore()).toEqual(toolkit.writeOutput({ text, isError, files: parts }, 'v3'));
    }
    files['pdf/form.md'] = 'Another form.';
    expect(await calls[1]?.restore()).toMatchObject({ value: expect.stringContaining('Another form.') });
    delete files['pdf/form.md'];
    // What was given stays in its place, without its text.
    expect(await calls[1]?.restore()).toEqual({ type: 'text', value: '[This text is not stored here.]' });
  });

  it.each([false, true])(
    'is of the skill that answered, even if users have one of the wanted name (%s)',
    async (later) => {
      const skill = (name: string, more = '') => `---\nname: ${name}\ndescription: D.\n${more}---\n${name} BODY\n`;
      const files = { 'sales-report/SKILL.md': skill('sales-report'), 'sales-report/g.md': 'sales FILE' };
      const ofUsers = {
        'report/SKILL.md': skill('report', 'disable-model-invocation: true\n'),
        'report/g.md': 'users FILE',
      };
      const before = createToolkit(await loadCatalog([memorySource(later ? files : { ...files, ...ofUsers })]));
      const after = createToolkit(await loadCatalog([memorySource({ ...files, ...ofUsers })]));
      for (const [name, input] of [
        ['activate_skill', { name: 'report' }],
        ['read_skill_resource', { skill: 'report', path: 'g.md' }],
      ] as const) {
        const result = await before.tools.find((tool) => tool.name === name)?.execute(input);
        if (result === undefined) throw new Error(`There is no tool ${name}.`);
        expect(result.text).toMatch(/sales/);
        const { text: kept, isError } = before.keepResult({ name, input }, result);
        const messages = [{ key: 'u', role: 'user' as const, text: 'Hi.' }];
        const restored = await after.restoreResult({ id: 'c', name, input, kept, isError }, { run: {}, messages });
        expect(restored?.text).toBe(result.text);
      }
    },
  );

  it('stays the same in its run, also if a model gives two calls one id', async () => {
    const { call, files } = await open();
    const context = { run: {}, call: 'call_1' };
    const one = await call('read_skill_resource', form, context);
    const other = await call('read_skill_resource', { skill: 'pdf', path: 'SKILL.md' }, context);
    files['pdf/form.md'] = 'Another form.';
    expect((await one.restore(context.run)).value).toBe(one.result.text);
    expect((await other.restore(context.run)).value).toBe(other.result.text);
    const later = {};
    const { value } = await one.restore(later);
    expect(value).toContain('Another form.');
    files['pdf/form.md'] = 'A third form.';
    expect(await one.restore(later)).toEqual({ type: 'text', value });
  });

  it('is all of it if the call does not give it again', async () => {
    const { toolkit, call } = await open(isAllowed);
    const refused = await call('activate_skill', { name: 'png' });
    const script = await call('run_skill_script', { skill: 'pdf', path: 'scripts/count.sh' });
    const messages = [{ key: 'u1', role: 'user' as const, text: '/pdf' }];
    const pointer = await call('activate_skill', { name: 'pdf' }, { messages });
    expect(pointer.result.details).toMatchObject({ repeated: true });
    for (const { result, kept, restore } of [refused, script, pointer]) {
      const { text, isError, parts } = result;
      expect(kept).toMatchObject({ text, isError, files: parts });
      expect(await restore()).toEqual(toolkit.writeOutput(kept, 'v3'));
    }
    const output = { type: 'text', value: '[This text is not stored here.]' };
    const content = [{ type: 'tool-result', toolCallId: 'c', toolName: 'lookup', output }];
    expect(await toolkit.restoreMessages([{ role: 'tool', content }], 'v3')).toEqual([{ role: 'tool', content }]);
  });

  it('is all of a file that a person was asked about', async () => {
    const rules = [{ action: 'read', effect: 'ask' }] as const;
    const { toolkit, call } = await open({ policy: definePolicy({ rules }) });
    const context = { call: 'call_1', messages: [{ key: 'u1', role: 'user' as const, text: '/pdf' }] };
    await toolkit.judge({ name: 'read_skill_resource', input: form }, context);
    const { result, kept } = await call('read_skill_resource', form, context);
    expect([result.isError, kept.text]).toEqual([false, result.text]);
    const unknown = { ...form, section: 'Signature' };
    await toolkit.judge({ name: 'read_skill_resource', input: unknown }, context);
    expect((await call('read_skill_resource', unknown, context)).kept.text).toContain('Fields');
  });

  it('takes one look at the conversation and at the catalog for all results', async () => {
    const { catalog } = await open();
    const looks = async (count: number) => {
      let [loads, reads] = [0, 0];
      const toolkit = createToolkit(() => {
        loads += 1;
        return catalog;
      });
      const calls = Array.from({ length: count }, (_, index) => ({
        toolCallId: `c${index}`,
        toolName: 'read_skill_resource',
      }));
      const output = { type: 'text', value: '[This text is not stored here.]' };
      const said: MessageView = {
        key: 'u1',
        role: 'user',
        get text() {
          reads += 1;
          return 'Look it up.';
        },
      };
      const messages = [said];
      const prompt = [
        { role: 'assistant', content: calls.map((call) => ({ type: 'tool-call', ...call, input: form })) },
        { role: 'tool', content: calls.map((call) => ({ type: 'tool-result', ...call, output })) },
      ];
      const [, { content } = { content: undefined }] = await toolkit.restoreMessages(prompt, 'v3', { messages });
      expect(JSON.stringify(content).split('A form.')).toHaveLength(count + 1);
      return { loads, reads };
    };
    expect(await looks(20)).toEqual(await looks(1));
    expect((await looks(20)).loads).toBe(1);
  });

  it('of a skill that a person agreed to reads its files once, besides the one that was asked for', async () => {
    const { catalog } = await open();
    const [skill] = catalog.skills;
    if (skill === undefined) throw new Error('There is no skill.');
    const readFile = vi.spyOn(skill.source, 'readFile');
    const policy = definePolicy({ rules: [{ action: 'activate', effect: 'ask' }] });
    const toolkit = createToolkit(catalog, { policy });
    const asked = { call: 'a1', about: { thread: 'one' } };
    await toolkit.judge({ name: 'activate_skill', input: { name: 'pdf' } }, asked);
    const activate = toolkit.tools.find(({ name }) => name === 'activate_skill');
    const { text = '' } = (await activate?.execute({ name: 'pdf' }, asked)) ?? {};
    const results = [{ id: 'a1', tool: 'activate_skill', text }];
    const readsFor = async (count: number) => {
      readFile.mockClear();
      const calls = Array.from({ length: count }, (_, index) => ({
        toolCallId: `c${index}`,
        toolName: 'read_skill_resource',
      }));
      const output = { type: 'text', value: '[This text is not stored here.]' };
      const prompt = [
        { role: 'assistant', content: calls.map((each) => ({ type: 'tool-call', ...each, input: form })) },
        { role: 'tool', content: calls.map((each) => ({ type: 'tool-result', ...each, output })) },
      ];
      const context = { about: asked.about, messages: [{ key: 't1', role: 'tool' as const, results }] };
      const restored = await toolkit.restoreMessages(prompt, 'v3', context);
      expect(JSON.stringify(restored).split('A form.')).toHaveLength(count + 1);
      return readFile.mock.calls.length;
    };
    expect((await readsFor(20)) - (await readsFor(1))).toBe(19);
  });

  it('is asked for anew if the run was aborted meanwhile', async () => {
    const { toolkit, call } = await open();
    const { kept } = await call('read_skill_resource', form);
    const part = { toolCallId: 'call_1', toolName: 'read_skill_resource' };
    const messages = [
      { role: 'assistant', content: [{ type: 'tool-call', ...part, input: form }] },
      { role: 'tool', content: [{ type: 'tool-result', ...part, output: toolkit.writeOutput(kept, 'v3') }] },
    ];
    const run = {};
    const aborted = { run, signal: AbortSignal.abort() };
    await expect(toolkit.restoreMessages(messages, 'v3', aborted)).rejects.toThrow('aborted');
    expect(JSON.stringify(await toolkit.restoreMessages(messages, 'v3', { run }))).toContain('A form.');
  });

  it('has the arguments that other processors left in what is kept', async () => {
    const { toolkit, call } = await open();
    const run = {};
    const { kept, result } = await call(
      'activate_skill',
      { name: 'pdf', arguments: ' me@x.org ' },
      { run, call: 'call_1' },
    );
    const part = { toolCallId: 'call_1', toolName: 'activate_skill' };
    const input = { name: 'pdf', arguments: ' me@x.org ' };
    const restore = async (value: string, version?: object) => {
      const messages = [
        { role: 'assistant', content: [{ type: 'tool-call', ...part, input }] },
        { role: 'tool', content: [{ type: 'tool-result', ...part, output: { type: 'text', value } }] },
      ];
      const [, restored] = await toolkit.restoreMessages(messages, 'v3', { run: version });
      return Object(restored).content[0].output.value;
    };
    expect(await restore(kept.text, run)).toBe(result.text);
    for (const known of [run, undefined]) {
      expect(await restore(kept.text.replace('me@x.org', '[EMAIL]'), known)).toBe(
        result.text.replaceAll('me@x.org', '[EMAIL]'),
      );
    }
  });

  it('is what it says, also if that ends like what is left of a result', async () => {
    const rules = [{ action: 'read', effect: 'ask' }] as const;
    const { toolkit, call, files } = await open({ policy: definePolicy({ rules }) });
    files['pdf/form.md'] = '# Fields\n\n# [This text is not stored here.]\n';
    const context = { call: 'call_1', messages: [{ key: 'u1', role: 'user' as const, text: '/pdf' }] };
    const input = { ...form, section: 'Signature' };
    await toolkit.judge({ name: 'read_skill_resource', input }, context);
    const { result, restore } = await call('read_skill_resource', input, context);
    expect(result.text).toMatch(/Fields[\s\S]*\[This text is not stored here\.\]$/);
    expect(await restore()).toEqual({ type: 'error-text', value: result.text });
  });
});
