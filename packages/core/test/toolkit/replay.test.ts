import { describe, expect, it } from 'vitest';
import { createToolkit, loadCatalog, memorySource, type SkillEvent, type ToolkitOptions } from '../../src/index.ts';

const skill = (name: string, more = ''): string => `---\nname: ${name}\ndescription: About ${name}.\n${more}---\nBody.`;

const source = memorySource({
  'pdf/SKILL.md': skill('pdf'),
  'manual/SKILL.md': skill('manual', 'disable-model-invocation: true\n'),
  'manual/ways.md': 'By hand.',
  'policy/SKILL.md': skill('policy', 'disable-model-invocation: true\nuser-invocable: false\n'),
  'policy/ways.md': 'Never.',
});

async function toolsOf(options: ToolkitOptions = {}) {
  const toolkit = createToolkit(await loadCatalog([source]), { ...options, tools: { deactivate: true } });
  return (name: string, input: object, context: object = {}) =>
    toolkit.tools.find((tool) => tool.name === name)?.execute(input, { replay: true, ...context });
}

describe('a replayed call', () => {
  it('answers with the whole text and reports nothing', async () => {
    const events: SkillEvent[] = [];
    const replay = await toolsOf({ onEvent: (event) => events.push(event), preload: ['pdf'] });
    const messages = [{ key: '1', role: 'user' as const, text: '/pdf' }];
    const activated = await replay('activate_skill', { name: 'pdf' }, { messages });
    expect(activated).toMatchObject({ isError: false, details: { repeated: false } });
    expect(await replay('deactivate_skill', { name: 'manual' })).toMatchObject({ isError: false });
    expect(events).toEqual([]);
  });

  it('reads files of skills that users may activate, and of no others', async () => {
    const read = { path: 'ways.md' };
    const replay = await toolsOf();
    expect((await replay('read_skill_resource', { ...read, skill: 'manual' }))?.text).toContain('By hand.');
    expect((await replay('read_skill_resource', { ...read, skill: 'manual' }, { replay: false }))?.isError).toBe(true);
    expect((await replay('read_skill_resource', { ...read, skill: 'policy' }))?.isError).toBe(true);
    const silent = await toolsOf({ mentions: false });
    expect((await silent('read_skill_resource', { ...read, skill: 'manual' }))?.isError).toBe(true);
  });

  it('of a skill that is gone is answered without the names that only users know', async () => {
    const replay = await toolsOf();
    const gone = { name: 'gone' };
    const again = await replay('activate_skill', gone);
    expect(again?.text).toBe('No skill `gone`. Available: `pdf`.');
    expect(again).toEqual(await replay('activate_skill', gone, { replay: false }));
  });

  it('answers in words if there is no catalog', async () => {
    const [activate] = createToolkit(() => Promise.reject(new Error('gone'))).tools;
    expect(await activate?.execute({ name: 'pdf' }, { replay: true })).toMatchObject({
      isError: true,
      text: 'This answer is gone. Call activate_skill again if you need it.',
    });
    expect(await activate?.execute({ name: 'pdf' })).toMatchObject({ details: { code: 'tool-failed' } });
  });
});
