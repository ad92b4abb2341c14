import { describe, expect, it } from 'vitest';
import { createToolkit, definePolicy, loadCatalog, memorySource, type SkillSource } from '../../src/index.ts';

const files = {
  'pdf/SKILL.md': '---\nname: pdf\ndescription: Works with PDF files.\n---\n# PDF\n\nRead `references/forms.md`.\n',
  'pdf/references/forms.md': '\ufeff# Forms\n',
  'pdf/assets/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
  'secret/SKILL.md': '---\nname: secret\ndescription: Only for users.\ndisable-model-invocation: true\n---\nSecret.\n',
};

async function open(source: SkillSource = memorySource(files)) {
  const toolkit = createToolkit(await loadCatalog([source]));
  const [activate, read] = toolkit.tools;
  if (activate === undefined || read === undefined) throw new Error('The toolkit has no tools.');
  return { toolkit, activate, read };
}

describe('createToolkit', () => {
  it('explains to the model how to use skills, and lists them', async () => {
    const { toolkit } = await open();
    expect((await toolkit.prepare([])).system).toMatchInlineSnapshot(`
      "## Skills

      Before a task that a skill covers, call activate_skill and follow it. Read its files with read_skill_resource.

      - pdf: Works with PDF files."
    `);
  });

  it('reports once for each run which skills of the framework the catalog lacks, and none left out on purpose', async () => {
    const reported: string[] = [];
    const toolkit = createToolkit(await loadCatalog([memorySource(files)]), {
      policy: definePolicy({ rules: [{ skill: 'pdf', effect: 'deny' }] }),
      onEvent: (event) => event.type === 'skill-missing' && reported.push(event.skill),
    });
    const run = {};
    for (let call = 1; call <= 2; call += 1) {
      await toolkit.begin({ run, replaced: ['pdf', 'secret', 'brand'] });
      expect(reported).toEqual(['brand']);
      await toolkit.prepare([], { run });
    }
  });

  it('explains to the model which skills a name may mean', async () => {
    const names = ['pdf-forms', 'pdf-tables'];
    const source = memorySource(
      Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, `---\nname: ${name}\ndescription: d\n---\nBody.`])),
    );
    const { tools } = createToolkit(await loadCatalog([source]), { tools: { deactivate: true } });
    for (const tool of tools) {
      expect(await tool.execute({ name: 'pdf' })).toEqual({
        text: '`pdf` could be `pdf-forms`, `pdf-tables`. Call again with one of these names.',
        files: [],
        isError: true,
        details: { kind: 'refusal', code: 'skill-ambiguous' },
      });
    }
  });

  it('has no tools and no text without skills', async () => {
    const toolkit = createToolkit(await loadCatalog([]));
    expect(toolkit.tools).toEqual([]);
    expect(await toolkit.prepare([])).toEqual({
      system: '',
      hiddenTools: [],
      edits: [],
      state: { skills: {} },
      active: [],
    });
  });

  it('has no tools and no text if the model may use none of the skills', async () => {
    const toolkit = createToolkit(await loadCatalog([memorySource({ 'secret/SKILL.md': files['secret/SKILL.md'] })]));
    expect(toolkit.tools).toEqual([]);
    expect(await toolkit.prepare([])).toEqual({
      system: '',
      hiddenTools: [],
      edits: [],
      state: { skills: {} },
      active: [],
    });
  });

  it('spells out the names while there are few, and leaves them open for a catalog that is found later', async () => {
    const { activate } = await open();
    expect(activate.inputSchema.properties['name']?.enum).toEqual(['pdf']);
    const later = createToolkit(() => loadCatalog([memorySource(files)]));
    expect(later.tools[0]?.inputSchema.properties['name']?.enum).toBeUndefined();
  });

  it('activates a skill with its wrapper and its resources', async () => {
    const { activate } = await open();
    expect(await activate.execute({ name: 'pdf' })).toMatchInlineSnapshot(`
      {
        "details": {
          "digest": "sha256:9abb577d3b298818b6fd95c0535ba1ce4bff079e85c16496fd63f43d92fed48d",
          "kind": "activation",
          "repeated": false,
          "skill": "pdf",
        },
        "files": [],
        "isError": false,
        "text": "<skill_content name="pdf" digest="9abb577d">
      # PDF

      Read \`references/forms.md\`.

      Bytes and files in pdf:
      5 assets/seal.png
      11 references/forms.md
      </skill_content>",
      }
    `);
  });

  it('reads a text file without its byte order mark', async () => {
    const { read } = await open();
    expect(await read.execute({ skill: 'pdf', path: 'references/forms.md' })).toEqual({
      text: '<skill_resource skill="pdf" path="references/forms.md">\n# Forms\n</skill_resource>',
      files: [],
      isError: false,
      details: { kind: 'resource', skill: 'pdf', path: 'references/forms.md', mediaType: 'text/markdown' },
    });
  });

  it('says what a file is that is not text', async () => {
    const { read } = await open();
    expect(await read.execute({ skill: 'pdf', path: 'assets/seal.png' })).toEqual({
      text: '`assets/seal.png` of skill `pdf` is not text: image/png, 5 bytes.',
      files: [
        {
          mediaType: 'image/png',
          data: Buffer.from(files['pdf/assets/seal.png']).toString('base64'),
          filename: 'seal.png',
        },
      ],
      isError: false,
      details: { kind: 'resource', skill: 'pdf', path: 'assets/seal.png', mediaType: 'image/png' },
    });
  });

  it('treats a skill that is kept from the model as one that does not exist', async () => {
    const { toolkit, activate, read } = await open();
    expect((await toolkit.prepare([])).system).not.toContain('secret');
    const unknown = {
      text: 'No skill `secret`. Available: `pdf`.',
      files: [],
      isError: true,
      details: { kind: 'refusal', code: 'skill-unknown' },
    };
    expect(await activate.execute({ name: 'secret' })).toEqual(unknown);
    expect(await read.execute({ skill: 'secret', path: 'SKILL.md' })).toEqual(unknown);
  });

  it.each([
    [null, 'The input of activate_skill is null; expected an object. Call activate_skill with { "name": string }.'],
    [
      ['pdf'],
      'The input of activate_skill is a list; expected an object. Call activate_skill with { "name": string }.',
    ],
    [{}, '`name` is missing in the input of activate_skill. Call activate_skill with { "name": string }.'],
    [
      { name: ['pdf'] },
      '`name` is a list in the input of activate_skill; expected a string. Call activate_skill with { "name": string }.',
    ],
  ])('answers the input %j in words', async (input, text) => {
    const { activate } = await open();
    expect(await activate.execute(input)).toEqual({
      text,
      files: [],
      isError: true,
      details: { kind: 'refusal', code: 'input-invalid' },
    });
  });

  it('says in words why a skill can no longer be read', async () => {
    const source: SkillSource = { ...memorySource(files), readFile: () => Promise.reject(new Error('gone')) };
    const { activate } = await open(source);
    expect(await activate.execute({ name: 'pdf' })).toEqual({
      text: 'The instructions of `pdf` cannot be read: `SKILL.md` could not be read.',
      files: [],
      isError: true,
      details: { kind: 'refusal', code: 'skill-unreadable' },
    });
  });

  it('accepts other names for its tools, and uses them in the system text', async () => {
    const catalog = await loadCatalog([memorySource(files)]);
    const toolkit = createToolkit(catalog, { toolNames: { activate: 'use_skill', read: 'open_file' } });
    expect(toolkit.tools.map(({ name }) => name)).toEqual(['use_skill', 'open_file', 'list_skill_resources']);
    const { system } = await toolkit.prepare([]);
    expect(system).toContain('use_skill');
    expect(system).toContain('open_file');
    expect((await toolkit.tools[0]?.execute({ name: 'pdf' }))?.text).toContain('references/forms.md');
  });

  it('rejects when the call is aborted', async () => {
    const { activate } = await open();
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(activate.execute({ name: 'pdf' }, { signal })).rejects.toThrow('stopped');
  });

  it('reports a failure of an adapter as an event, but not that of an aborted call', async () => {
    const events: unknown[] = [];
    const toolkit = createToolkit(await loadCatalog([]), { onEvent: (event) => events.push(event) });
    const { text, isError } = toolkit.reportFailure('activate_skill', new Error('no catalog'));
    expect([isError, text]).toEqual([true, expect.not.stringContaining('no catalog')]);
    expect(events).toEqual([{ type: 'tool-failed', tool: 'activate_skill', reason: 'no catalog', tokens: 0 }]);
    const signal = AbortSignal.abort(new Error('stopped'));
    expect(() => toolkit.reportFailure('activate_skill', new Error('no catalog'), { signal })).toThrow('stopped');
    expect(events).toHaveLength(1);
  });
});
