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
      'No files.',
    ]);
    expect(pages.join()).not.toContain('fake');
    expect((await tool?.execute({ skill: 'plain' }))?.text).toBe('No files.');
  });

  it('exists only if the application wants it, and answers nothing about what is denied', async () => {
    expect(open({ tools: {} })).toBeUndefined();
    const closed = open({ policy: definePolicy({ rules: [{ skill: 'docs', action: 'read', effect: 'deny' }] }) });
    expect((await closed?.execute({ skill: 'docs' }))?.details).toEqual({ kind: 'refusal', code: 'read-denied' });
    expect(open({ policy: definePolicy({ rules: [{ skill: 'docs', effect: 'deny' }] }) })).toBeUndefined();
  });

  it('names no file of a skill that a person must agree to first', async () => {
    const tool = open({ policy: definePolicy({ rules: [{ skill: 'docs', action: 'activate', effect: 'ask' }] }) });
    expect((await tool?.execute({ skill: 'docs' }))?.details).toEqual({ kind: 'refusal', code: 'approval-needed' });
  });
});
