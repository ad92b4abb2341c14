import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ConsentRecord,
  createToolkit,
  definePolicy,
  loadCatalog,
  type MessageView,
  memorySource,
  type PromptMessage,
  type SkillContext,
  SkillError,
  type SkillSource,
  type SkillToolkit,
  type ToolkitOptions,
} from '../../src/index.ts';

const about = 'description: Fills forms.';

/** Returns messages as the model reads them, with restored results. */
async function restoreIn<Message extends PromptMessage>(
  toolkit: SkillToolkit,
  messages: readonly Message[],
  context?: SkillContext,
): Promise<readonly Message[]> {
  const form = { ...toolkit.createPromptForm<Message>({ version: 'v3' }), addSystem: undefined };
  return (await toolkit.prepareMessages(messages, form, context)).messages;
}

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
    const restore = async (run?: object, id = 'call_1', about = {}, forged = input) => {
      const part = { toolCallId: id, toolName: name };
      const messages = [
        { role: 'assistant', content: [{ type: 'tool-call', ...part, input: forged }] },
        { role: 'tool', content: [{ type: 'tool-result', ...part, output: toolkit.writeOutput(kept, 'v3') }] },
      ];
      const restored = await restoreIn(toolkit, messages, { run, about });
      expect(restored).toContain(messages[0]);
      return Object(restored.find(({ role }) => role === 'tool')).content[0].output;
    };
    return { result, kept, restore };
  };
  return { toolkit, catalog, files, call };
}

const isAllowed = { policy: definePolicy({ rules: [{ effect: 'allow' }] }) };
const form = { skill: 'pdf', path: 'form.md' };
const seal = { skill: 'pdf', path: 'seal.png' };
const left = '[This text is not stored here. If you need it, call the tool again, once.]';

describe('what is kept of a result', () => {
  it('is neither instructions nor files, but what the skill and its version are', async () => {
    const { call } = await open();
    const activation = await call('activate_skill', { name: 'pdf', arguments: 'me' });
    expect(activation.kept).toEqual({
      text: expect.stringMatching(
        /^<skill_content name="pdf" digest="[0-9a-f]{8}" arguments="me">\n\[This text is not stored here\. If you need it, call the tool again, once\.\]$/,
      ),
      isError: false,
      files: [],
      details: { ...activation.result.details, isError: false, characters: activation.result.text.length, files: [] },
    });
    expect((await call('read_skill_resource', seal)).kept).toMatchObject({
      text: '[This text is not stored here. If you need it, call the tool again, once.]',
      files: [],
      details: { files: [{ mediaType: 'image/png', bytes: 6 }] },
    });
    const headings = await call('read_skill_resource', { ...form, section: 'Signature' });
    expect(headings.result.text).toContain('Fields');
    expect(headings.kept).toMatchObject({
      text: '[This text is not stored here. If you need it, call the tool again, once.]',
      isError: true,
    });
    expect(await headings.restore()).toEqual({ type: 'error-text', value: headings.result.text });
  });

  it('is not read for the history of a client, unless it is instructions or a refusal', async () => {
    const { toolkit } = await open({ tools: { files: true, find: true } });
    const replay = async (name: string, input: object, refusedWith?: string) =>
      (await toolkit.replay({ name, input }, { call: '1', refusedWith })).text;
    expect(await replay('read_skill_resource', form)).toBe(left);
    expect(await replay('list_skill_resources', { skill: 'pdf' })).toBe(left);
    expect(await replay('find_skills', { query: 'forms' })).toBe(left);
    expect(await replay('activate_skill', { name: 'pdf' })).toContain('BODY');
    expect(await replay('read_skill_resource', { skill: 'no', path: 'a' }, 'skill-unknown')).toContain('No skill `no`');
    await expect(replay('other', {})).rejects.toThrow('`other` is not a skill tool.');
  });

  it('of files is whole again only as far as a provider may accept it, the latest first', async () => {
    const read = vi.fn();
    const png = new Uint8Array(4_900_000).fill(65);
    png.set([0x89, 0x50, 0x4e, 0x47]);
    const memory = memorySource({ 'pdf/SKILL.md': `---\nname: pdf\n${about}\n---\nBODY`, 'pdf/seal.png': png });
    const readFile: SkillSource['readFile'] = (...call) => {
      read();
      return memory.readFile(...call);
    };
    const toolkit = createToolkit(await loadCatalog([{ ...memory, readFile }]));
    const prompt = Array.from({ length: 30 }, (_, index) => {
      const part = { toolCallId: `call_${index}`, toolName: 'read_skill_resource' };
      const output = { type: 'text', value: left };
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...part, input: seal }] },
        { role: 'tool', content: [{ type: 'tool-result', ...part, output }] },
      ];
    }).flat();
    const restored = await restoreIn(toolkit, prompt);
    const types = restored.flatMap(({ role, content }) => (role === 'tool' ? Object(content)[0].output.type : []));
    expect(types).toEqual([...Array(22).fill('text'), ...Array(8).fill('content')]);
    expect(read).toHaveBeenCalledTimes(8);
  });

  it('is whole again for 5,000 calls at most, because a client may make up more', async () => {
    const read = vi.fn();
    const memory = memorySource({ 'pdf/SKILL.md': `---\nname: pdf\n${about}\n---\nBODY`, 'pdf/seal.png': 'x' });
    const readFile: SkillSource['readFile'] = (_, path) => {
      read();
      return Promise.reject(new SkillError('resource-unknown', `no ${path}`));
    };
    const toolkit = createToolkit(await loadCatalog([{ ...memory, readFile }]));
    const prompt = Array.from({ length: 5_100 }, (_, index) => {
      const part = { toolCallId: `call_${index}`, toolName: 'read_skill_resource' };
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...part, input: seal }] },
        { role: 'tool', content: [{ type: 'tool-result', ...part, output: { type: 'text', value: left } }] },
      ];
    }).flat();
    await restoreIn(toolkit, prompt);
    expect(read).toHaveBeenCalledTimes(5_000);
  });

  it('is whole again in another run, as the skill is by then', async () => {
    const { toolkit, call, files } = await open();
    const calls = [
      await call('activate_skill', { name: 'pdf', arguments: 'me' }),
      await call('read_skill_resource', form),
      await call('read_skill_resource', seal),
    ];
    for (const { result, restore } of calls) {
      const { text, isError, files } = result;
      expect(await restore()).toEqual(toolkit.writeOutput({ text, isError, files }, 'v3'));
    }
    files['pdf/form.md'] = 'Another form.';
    expect(await calls[1]?.restore()).toMatchObject({ value: expect.stringContaining('Another form.') });
    delete files['pdf/form.md'];
    // What was given stays in its place, without its text.
    expect(await calls[1]?.restore()).toEqual({
      type: 'text',
      value: '[This text is not stored here. If you need it, call the tool again, once.]',
    });
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
        const part = { toolCallId: 'c', toolName: name };
        const output = after.writeOutput({ text: kept, isError, files: [] }, 'v3');
        const prompt = [
          { role: 'assistant', content: [{ type: 'tool-call', ...part, input }] },
          { role: 'tool', content: [{ type: 'tool-result', ...part, output }] },
        ];
        const [, restored] = await restoreIn(after, prompt, { run: {}, messages });
        expect(Object(restored).content[0].output.value).toBe(result.text);
      }
    },
  );

  it('is of the skill that answered, even if the model is now offered one of the wanted name', async () => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: D.\n---\n${name} BODY\n`;
    const files = { 'sales-report/SKILL.md': skill('sales-report') };
    const [before, after] = await Promise.all(
      [files, { ...files, 'report/SKILL.md': skill('report') }].map((all) => loadCatalog([memorySource(all)])),
    );
    let now = before ?? (await loadCatalog([]));
    const toolkit = createToolkit(() => now);
    const [name, input] = ['activate_skill', { name: 'report' }];
    const result = await toolkit.tools.find((tool) => tool.name === name)?.execute(input);
    if (result === undefined || after === undefined) throw new Error(`There is no tool ${name}.`);
    const output = toolkit.writeOutput(toolkit.keepResult({ name, input }, result), 'v3');
    now = after;
    const part = { toolCallId: 'c', toolName: name };
    const prompt = [
      { role: 'assistant', content: [{ type: 'tool-call', ...part, input }] },
      { role: 'tool', content: [{ type: 'tool-result', ...part, output }] },
    ];
    expect(JSON.stringify(await restoreIn(toolkit, prompt))).toContain('sales-report BODY');
  });

  it('is of the skill that a user named, even if the model is offered one whose directory has that name', async () => {
    const files = {
      'report/SKILL.md': '---\nname: sales-report\ndescription: D.\n---\nGo.',
      'report/g.md': 'sales FILE',
      'own/SKILL.md': '---\nname: report\ndescription: D.\ndisable-model-invocation: true\n---\nGo.',
      'own/g.md': 'users FILE',
    };
    const toolkit = createToolkit(await loadCatalog([memorySource(files)]));
    const messages = [{ key: 'u', role: 'user' as const, text: '/report' }];
    const [name, input] = ['read_skill_resource', { skill: 'report', path: 'g.md' }];
    const result = await toolkit.tools.find((tool) => tool.name === name)?.execute(input, { messages });
    if (result === undefined) throw new Error(`There is no tool ${name}.`);
    expect(result.text).toContain('users FILE');
    const part = { toolCallId: 'c', toolName: name };
    const output = toolkit.writeOutput(toolkit.keepResult({ name, input }, result), 'v3');
    const prompt = [
      { role: 'assistant', content: [{ type: 'tool-call', ...part, input }] },
      { role: 'tool', content: [{ type: 'tool-result', ...part, output }] },
    ];
    const [, restored] = await restoreIn(toolkit, prompt, { messages });
    expect(Object(restored).content[0].output.value).toBe(result.text);
  });

  it.each([
    ['', 'pdf'],
    [', also in another case', 'PDF'],
  ])('stays away if its skill left the catalog, although another skill has a longer name%s', async (_, called) => {
    const forms = {
      'pdf-forms/SKILL.md': '---\nname: pdf-forms\ndescription: D.\n---\nFORMS',
      'pdf-forms/a.md': 'OTHER',
    };
    const both = { ...forms, 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\nPDF', 'pdf/a.md': 'OWN' };
    const [before, after] = [await loadCatalog([memorySource(both)]), await loadCatalog([memorySource(forms)])];
    let now = before;
    const toolkit = createToolkit(() => now);
    const calls = [
      { name: 'activate_skill', input: { name: called } },
      { name: 'read_skill_resource', input: { skill: called, path: 'a.md' } },
    ];
    const messages: PromptMessage[] = [];
    for (const { name: toolName, input } of calls) {
      const result = await toolkit.tools.find((tool) => tool.name === toolName)?.execute(input);
      if (result === undefined) throw new Error(`There is no tool ${toolName}.`);
      const output = toolkit.writeOutput(toolkit.keepResult({ name: toolName, input }, result), 'v3');
      const part = { toolCallId: toolName, toolName };
      messages.push({ role: 'assistant', content: [{ type: 'tool-call', ...part, input }] });
      messages.push({ role: 'tool', content: [{ type: 'tool-result', ...part, output }] });
    }
    const { state } = await toolkit.prepareMessages(messages, toolkit.createPromptForm({ version: 'v3' }));
    expect(Object.keys(state.skills)).toEqual(['pdf']);
    now = after;
    const restored = JSON.stringify(await restoreIn(toolkit, messages, { state }));
    expect(restored).not.toMatch(/FORMS|OTHER/);
    expect(await toolkit.tools[0]?.execute({ name: called }, { state })).toMatchObject({
      text: `No skill \`${called}\`. Did you mean \`pdf-forms\`?`,
    });
  });

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

  it('is each of its own call if a server gives all calls of an answer one id', async () => {
    const { toolkit } = await open();
    const part = { toolCallId: 'call_0', toolName: 'read_skill_resource' };
    const output = { type: 'text', value: left };
    const inputs = [form, { skill: 'pdf', path: 'SKILL.md' }];
    const prompt = [
      { role: 'assistant', content: inputs.map((input) => ({ type: 'tool-call', ...part, input })) },
      ...inputs.map(() => ({ role: 'tool', content: [{ type: 'tool-result', ...part, output }] })),
    ];
    const [, one, other] = (await restoreIn(toolkit, prompt)).map((message) => JSON.stringify(message));
    expect(one).toContain('A form.');
    expect(other).toContain('BODY for $who.');
  });

  it('stays as it is if it is not of a skill tool, or its call is missing', async () => {
    const { toolkit } = await open();
    const of = (toolName: string, type: string) => ({
      type: 'tool-result',
      toolCallId: 'c',
      toolName,
      output: { type, value: left },
    });
    const called = { type: 'tool-call', toolCallId: 'c', toolName: 'lookup', input: {} };
    const prompt = [
      { role: 'tool', content: [of('read_skill_resource', 'error-text')] },
      { role: 'assistant', content: [called] },
      { role: 'tool', content: [of('lookup', 'text')] },
    ];
    expect(await restoreIn(toolkit, prompt)).toEqual(prompt);
  });

  it('is all of it if the call does not give it again', async () => {
    const { toolkit, call } = await open(isAllowed);
    const refused = await call('activate_skill', { name: 'png' });
    const script = await call('run_skill_script', { skill: 'pdf', path: 'scripts/count.sh' });
    const messages = [{ key: 'u1', role: 'user' as const, text: '/pdf' }];
    const pointer = await call('activate_skill', { name: 'pdf' }, { messages });
    expect(pointer.result.details).toMatchObject({ repeated: true });
    for (const { result, kept, restore } of [refused, script, pointer]) {
      const { text, isError, files } = result;
      expect(kept).toMatchObject({ text, isError, files });
      expect(await restore()).toEqual(toolkit.writeOutput(kept, 'v3'));
    }
  });

  describe('of a file that a person was asked about', () => {
    const policy = definePolicy({ rules: [{ action: 'read', effect: 'ask' }] });
    const messages = [{ key: 'u1', role: 'user' as const, text: '/pdf' }];
    const about = { thread: 'one' };
    const headings = { ...form, section: 'Signature' };

    it.each([
      [form, 'A form.'],
      [seal, '"mediaType":"image/png"'],
      [headings, 'Fields'],
    ])('is nothing, and the same conversation puts it back: %j', async (input, text) => {
      const { toolkit, call, files } = await open({ policy });
      const context = { call: 'call_1', about, messages };
      await toolkit.judge({ name: 'read_skill_resource', input }, context);
      const { kept, restore } = await call('read_skill_resource', input, context);
      expect([kept.text, kept.files, kept.details.asked]).toEqual([left, [], true]);
      const restored = async (...where: Parameters<typeof restore>) => JSON.stringify(await restore(...where));
      // An answer counts for one call of one conversation, however often a model reads it there.
      for (const run of [{}, {}]) expect(await restored(run, 'call_1', about)).toContain(text);
      expect(await restored({}, 'call_2', about)).not.toContain(text);
      expect(await restored({}, 'call_1', { thread: 'two' })).not.toContain(text);
      expect(await restored({}, 'call_1')).not.toContain(text);
      const script = { skill: 'pdf', path: 'scripts/count.sh' };
      expect(await restored({}, 'call_1', about, script)).not.toContain('echo');
      files['pdf/form.md'] = '# Fields\n\nAnother form.';
      expect(await restored({}, 'call_1', about)).not.toContain(text);
    });

    it('is nothing for as long as they agree for good', async () => {
      const store = new Map<string, ConsentRecord>();
      const { toolkit, call } = await open({ policy, consent: { store, remember: true } });
      const context = { call: 'call_1', about, messages };
      await toolkit.judge({ name: 'read_skill_resource', input: form }, context);
      const { restore } = await call('read_skill_resource', form, context);
      expect(await restore({}, 'call_1', about)).toMatchObject({ value: expect.stringContaining('A form.') });
      expect([...store.values()].map(({ state }) => state)).toEqual(['agreed']);
      store.clear();
      expect(await restore({}, 'call_1', about)).toEqual({ type: 'text', value: left });
    });

    it('reads the files of the skill once for all such calls', async () => {
      const { toolkit, call, catalog } = await open({ policy });
      const [skill] = catalog.skills;
      if (skill === undefined) throw new Error('There is no skill.');
      const name = 'read_skill_resource';
      const prompt: PromptMessage[] = [];
      for (let index = 0; index < 5; index += 1) {
        const toolCallId = `call_${index}`;
        const context = { call: toolCallId, about, messages };
        await toolkit.judge({ name, input: form }, context);
        const { kept } = await call(name, form, context);
        const part = { toolCallId, toolName: name };
        const output = toolkit.writeOutput(kept, 'v3');
        prompt.push({ role: 'assistant', content: [{ type: 'tool-call', ...part, input: form }] });
        prompt.push({ role: 'tool', content: [{ type: 'tool-result', ...part, output }] });
      }
      const readFile = vi.spyOn(skill.source, 'readFile');
      const restored = await restoreIn(toolkit, prompt, { about });
      expect(JSON.stringify(restored).split('A form.')).toHaveLength(6);
      expect(readFile.mock.calls.filter(([, path]) => path === 'SKILL.md')).toHaveLength(1);
    });
  });

  it('is all of a file that a person was asked about in a conversation without a name', async () => {
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
      const output = {
        type: 'text',
        value: '[This text is not stored here. If you need it, call the tool again, once.]',
      };
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
      const [, { content } = { content: undefined }] = await restoreIn(toolkit, prompt, { messages });
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
      const output = {
        type: 'text',
        value: '[This text is not stored here. If you need it, call the tool again, once.]',
      };
      const prompt = [
        { role: 'assistant', content: calls.map((each) => ({ type: 'tool-call', ...each, input: form })) },
        { role: 'tool', content: calls.map((each) => ({ type: 'tool-result', ...each, output })) },
      ];
      const context = { about: asked.about, messages: [{ key: 't1', role: 'tool' as const, results }] };
      const restored = await restoreIn(toolkit, prompt, context);
      expect(JSON.stringify(restored).split('A form.')).toHaveLength(count + 1);
      return readFile.mock.calls.length;
    };
    expect((await readsFor(20)) - (await readsFor(1))).toBe(19);
  });

  it('of skills that people agreed to waits once in a model call for a store that does not answer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { catalog } = await open();
    const records = new Map<string, ConsentRecord>();
    let waiting = 0;
    let isSilent = false;
    const store = {
      set: (key: string, record: ConsentRecord) => records.set(key, record),
      delete: (key: string) => records.delete(key),
      get(key: string) {
        if (!isSilent) return records.get(key);
        waiting += 1;
        return new Promise(() => {});
      },
    };
    const policy = definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] });
    const toolkit = createToolkit(catalog, { policy, consent: { store } });
    const name = 'activate_skill';
    const about = { thread: 'one' };
    const prompt: PromptMessage[] = [];
    for (const id of ['a1', 'a2', 'a3']) {
      const input = { name: 'pdf', arguments: id };
      const call = { call: id, about };
      await toolkit.judge({ name, input }, call);
      const result = await toolkit.tools.find((tool) => tool.name === name)?.execute(input, call);
      if (result === undefined) throw new Error(`There is no tool ${name}.`);
      const output = toolkit.writeOutput(toolkit.keepResult({ name, input }, result), 'v3');
      const part = { toolCallId: id, toolName: name };
      prompt.push({ role: 'assistant', content: [{ type: 'tool-call', ...part, input }] });
      prompt.push({ role: 'tool', content: [{ type: 'tool-result', ...part, output }] });
    }
    const callModel = async (run: object) => {
      const context = { run, about };
      await toolkit.begin(context);
      return JSON.stringify(await restoreIn(toolkit, prompt, context)).match(/BODY for a\d/g) ?? [];
    };
    expect(await callModel({})).toEqual(['BODY for a3']);
    const run = {};
    isSilent = true;
    for (const calls of [1, 2]) {
      const called = callModel(run);
      await vi.advanceTimersByTimeAsync(5_000);
      expect([await called, waiting]).toEqual([[], calls]);
    }
    isSilent = false;
    expect(await callModel(run)).toContain('BODY for a3');
  });

  it('is asked for anew if the run was aborted meanwhile', async () => {
    const { toolkit, catalog, call } = await open();
    const { kept } = await call('read_skill_resource', form);
    const part = { toolCallId: 'call_1', toolName: 'read_skill_resource' };
    const messages = [
      { role: 'assistant', content: [{ type: 'tool-call', ...part, input: form }] },
      { role: 'tool', content: [{ type: 'tool-result', ...part, output: toolkit.writeOutput(kept, 'v3') }] },
    ];
    const run = {};
    const aborted = { run, signal: AbortSignal.abort() };
    await expect(restoreIn(toolkit, messages, aborted)).rejects.toThrow('aborted');
    const aborting = new AbortController();
    const [skill] = catalog.skills;
    if (skill === undefined) throw new Error('There is no skill.');
    vi.spyOn(skill.source, 'readFile').mockImplementationOnce(async () => {
      aborting.abort(new Error('Aborted while the file is read.'));
      return new Promise(() => {});
    });
    const { signal } = aborting;
    await expect(restoreIn(toolkit, messages, { run, signal })).rejects.toThrow('Aborted while the file is read.');
    expect(JSON.stringify(await restoreIn(toolkit, messages, { run }))).toContain('A form.');
  });

  it('comes back in the next model call of its run if its skill does', async () => {
    const { catalog, call } = await open();
    const { kept } = await call('read_skill_resource', form);
    const none = await loadCatalog([]);
    let now = catalog;
    const toolkit = createToolkit(() => now);
    const part = { toolCallId: 'call_1', toolName: 'read_skill_resource' };
    const messages = [
      { role: 'assistant', content: [{ type: 'tool-call', ...part, input: form }] },
      { role: 'tool', content: [{ type: 'tool-result', ...part, output: toolkit.writeOutput(kept, 'v3') }] },
    ];
    const run = {};
    const restored: boolean[] = [];
    for (const current of [none, none, catalog]) {
      now = current;
      restored.push(JSON.stringify(await restoreIn(toolkit, messages, { run })).includes('A form.'));
    }
    expect(restored).toEqual([false, false, true]);
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
      const [, restored] = await restoreIn(toolkit, messages, { run: version });
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
    files['pdf/form.md'] = '# Fields\n\n# [This text is not stored here. If you need it, call the tool again, once.]\n';
    const context = { call: 'call_1', messages: [{ key: 'u1', role: 'user' as const, text: '/pdf' }] };
    const input = { ...form, section: 'Signature' };
    await toolkit.judge({ name: 'read_skill_resource', input }, context);
    const { result, restore } = await call('read_skill_resource', input, context);
    expect(result.text).toMatch(
      /Fields[\s\S]*\[This text is not stored here\. If you need it, call the tool again, once\.\]$/,
    );
    expect(await restore()).toEqual({ type: 'error-text', value: result.text });
  });
});
