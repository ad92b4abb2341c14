import { describe, expect, it } from 'vitest';
import { createToolkit, definePolicy, loadCatalog, memorySource, type ToolkitOptions } from '../../../src/index.ts';

const many = Object.fromEntries(
  Array.from({ length: 350 }, (_, index) => [`docs/references/${String(index).padStart(3, '0')}.md`, 'xx']),
);
const catalog = await loadCatalog([
  memorySource({
    'docs/SKILL.md': '---\nname: docs\ndescription: d\n---\nBody.',
    ...many,
    'docs/references/evil\n1 fake.md': 'x',
    'plain/SKILL.md': '---\nname: plain\ndescription: d\n---\nBody.',
  }),
]);

function open(options: ToolkitOptions = {}) {
  const { tools } = createToolkit(catalog, { tools: { files: true }, ...options });
  return tools.find(({ name }) => name === 'list_skill_resources');
}

describe('list_skill_resources', () => {
  it('lists every file of a skill in pages, and names the next one', async () => {
    const tool = open();
    const pages: string[] = [];
    for (const start of [undefined, 200, 400]) pages.push((await tool?.execute({ skill: 'docs', start }))?.text ?? '');
    const [first = '', second = '', third] = pages;
    expect([first.split('\n').length, first.split('\n')[0], first.split('\n').at(-1)]).toEqual([
      201,
      '2 references/000.md',
      'Continue with "start": 200; there are 350.',
    ]);
    expect([second.split('\n').length, second.split('\n').at(-1), third]).toEqual([
      150,
      '2 references/349.md',
      'There are 350 files; number 400 is past the end, because the first is 0.',
    ]);
    expect(pages.join()).not.toContain('fake');
    expect((await tool?.execute({ skill: 'plain' }))?.text).toBe('No files.');
  });

  it('is not there if the application does not want it, and answers nothing about what is denied', async () => {
    expect(open({ tools: { files: false } })).toBeUndefined();
    const closed = open({ policy: definePolicy({ rules: [{ skill: 'docs', action: 'read', effect: 'deny' }] }) });
    expect((await closed?.execute({ skill: 'docs' }))?.details).toEqual({ kind: 'refusal', code: 'read-denied' });
    expect(open({ policy: definePolicy({ rules: [{ skill: 'docs', effect: 'deny' }] }) })).toBeUndefined();
  });

  it('says so if the source lists only some of the files', async () => {
    const source = memorySource({ 'a/SKILL.md': '---\nname: a\ndescription: d\n---\nBody.', 'a/x.md': 'x' });
    const answer = async (count: number, start: number) => {
      const files = Array.from({ length: count }, (_, index) => ({ path: `${1_000 + index}.md`, bytes: 1 }));
      const cut = await loadCatalog([{ ...source, listFiles: async () => ({ files, truncated: true }) }]);
      const tool = createToolkit(cut).tools.find(({ name }) => name === 'list_skill_resources');
      return (await tool?.execute({ skill: 'a', start }))?.text.split('\n');
    };
    const notice = 'There are more files, which are not listed.';
    expect(await answer(0, 0)).toEqual([notice]);
    expect((await answer(201, 0))?.slice(-2)).toEqual(['1 1199.md', 'Continue with "start": 200; there are 201.']);
    expect(await answer(201, 200)).toEqual(['1 1200.md', notice]);
  });

  it('names no file of a skill that a person must agree to first', async () => {
    const tool = open({ policy: definePolicy({ rules: [{ skill: 'docs', action: 'activate', effect: 'ask' }] }) });
    expect((await tool?.execute({ skill: 'docs' }))?.details).toEqual({ kind: 'refusal', code: 'approval-needed' });
  });

  it('asks a person if the policy says so, once for each call', async () => {
    const policy = definePolicy({ rules: [{ skill: 'docs', action: 'read', effect: 'ask' }] });
    const toolkit = createToolkit(catalog, { policy });
    const tool = toolkit.tools.find(({ name }) => name === 'list_skill_resources');
    const call = { name: 'list_skill_resources', input: { skill: 'docs' } };
    const refusal = { kind: 'refusal', code: 'approval-needed' };
    expect((await tool?.execute(call.input, { call: 'c1' }))?.details).toEqual(refusal);
    expect(await toolkit.judge(call, { call: 'c1' })).toMatchObject({
      effect: 'ask',
      question: { text: expect.stringContaining('Let the model list the files of the skill `builtin:docs`') },
    });
    expect((await tool?.execute({ skill: 'docs' }, { call: 'c1' }))?.details).toMatchObject({ listed: 200 });
    expect((await tool?.execute({ skill: 'docs' }, { call: 'c1' }))?.details).toEqual(refusal);
    expect(await toolkit.judge({ ...call, input: { skill: 'plain' } })).toEqual({ effect: 'none' });
  });
});
