// Mastra's own skills next to ours: one catalog, and nothing is left out without a word.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { LocalFilesystem, LocalSandbox, Workspace, type WorkspaceConfig } from '@mastra/core/workspace';
import { createToolkit, loadCatalog, memorySource, readerSource, type SkillEvent } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import type { ScriptedTurn } from '@skillful/testing/harness';
import { expect, it, onTestFinished } from 'vitest';
import { skillsProcessor, withSkills, workspaceSkills } from '../src/index.ts';

const brand = '---\nname: brand\ndescription: Knows the brand.\nallowed-tools: lookup\n---\nBRAND-BODY\n';
const seal = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);
const ours = memorySource({ 'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n' });
const done = { text: 'Done.' };

async function createWorkspace(): Promise<Workspace> {
  const basePath = await mkdtemp(join(tmpdir(), 'skillful-'));
  onTestFinished(() => rm(basePath, { recursive: true, force: true }));
  await mkdir(join(basePath, 'skills/brand/references'), { recursive: true });
  await mkdir(join(basePath, 'skills/brand/assets'));
  await writeFile(join(basePath, 'skills/brand/SKILL.md'), brand);
  await writeFile(join(basePath, 'skills/brand/references/colors.md'), 'RED\n');
  await writeFile(join(basePath, 'skills/brand/assets/seal.png'), seal);
  return new Workspace({ filesystem: new LocalFilesystem({ basePath }), skills: ['skills'] });
}

const sourceOf = (workspace: Workspace) => readerSource(workspaceSkills(workspace), { id: 'workspace' });

/** Says what a model was sent, without the tools and the instructions of the workspace's file system. */
async function converse(
  script: readonly ScriptedTurn[],
  configure: (config: AgentConfig) => AgentConfig,
  more: Partial<AgentConfig> = {},
  shared?: Workspace,
) {
  const model = scriptedModel(script);
  const base = { id: 'agent', name: 'agent', instructions: 'You are.', model: model as unknown as MastraModelConfig };
  const agent = new Agent(configure({ ...base, ...more }));
  if (shared !== undefined) new Mastra({ agents: { agent }, workspace: shared, logger: false });
  await agent.generate('Hello.', { maxSteps: 5 });
  return observedCalls(model).map(({ system, tools, results }) => ({
    catalog: system.split('\n\n').filter((part) => !/^You are|^Local filesystem/.test(part)),
    tools: tools.map(({ name }) => name).filter((name) => !name.startsWith('mastra_workspace')),
    results,
  }));
}

it('skills of the workspace are in our catalog, once, with our tools', async () => {
  const workspace = await createWorkspace();
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(await loadCatalog([ours, sourceOf(workspace)]), {
    onEvent: ({ about, ...event }) => events.push(event),
  });
  const script = [
    { calls: [{ tool: 'activate_skill', input: { name: 'brand' } }] },
    { calls: [{ tool: 'read_skill_resource', input: { skill: 'brand', path: 'references/colors.md' } }] },
    { calls: [{ tool: 'skill_read', input: { skillName: 'brand', path: 'references/colors.md' } }] },
    done,
  ];
  const calls = await converse(script, (config) => withSkills(config, toolkit), { workspace });
  expect(calls.map(({ catalog, tools }) => [catalog, tools])).toEqual(
    calls.map(() => [
      [
        '## Skills',
        'Before a task that a skill covers, call activate_skill and follow it. Read its files with read_skill_resource.',
        '- brand: Knows the brand.\n- notes: Writes notes.',
      ],
      ['activate_skill', 'read_skill_resource'],
    ]),
  );
  expect(calls.at(-1)?.results).toEqual([
    expect.stringContaining('BRAND-BODY'),
    expect.stringContaining('RED'),
    expect.stringContaining('Tool "skill_read" not found'),
  ]);
  expect(events.filter(({ type }) => type === 'skill-missing')).toEqual([]);
});

it('a skill of the workspace is loaded as it is written, with all its files', async () => {
  const { skills, diagnostics } = await loadCatalog([sourceOf(await createWorkspace())]);
  expect(diagnostics).toEqual([]);
  for (const skill of skills) {
    const { properties, location, source } = skill;
    expect([properties.allowedTools, location]).toEqual([['lookup'], 'skills/brand/SKILL.md']);
    expect((await source.listFiles(skill)).files).toEqual([
      { path: 'assets/seal.png', bytes: 6 },
      { path: 'references/colors.md', bytes: 4 },
    ]);
    expect([...(await source.readFile(skill, 'assets/seal.png'))]).toEqual([...seal]);
    await expect(source.readFile(skill, '../brand/SKILL.md')).rejects.toMatchObject({ code: 'resource-outside-skill' });
  }
  expect(skills).toHaveLength(1);
});

it('a skill that is written into the workspace later is found when its source is loaded again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'skillful-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const write = async (name: string): Promise<void> => {
    await mkdir(join(directory, 'skills', name), { recursive: true });
    await writeFile(join(directory, 'skills', name, 'SKILL.md'), brand.replace('brand', name));
  };
  await write('brand');
  const filesystem = new LocalFilesystem({ basePath: directory });
  const workspace = new Workspace({ filesystem, skills: ['skills'] });
  const source = sourceOf(workspace);
  const load = async () => (await loadCatalog([source])).skills.map(({ name }) => name);
  expect(await load()).toEqual(['brand']);
  await write('later');
  expect(await load()).toEqual(['brand', 'later']);
});

it('a workspace without skills is an error of its source', async () => {
  const workspace = new Workspace({ filesystem: new LocalFilesystem({ basePath: tmpdir() }) });
  const loading = loadCatalog([sourceOf(workspace)]);
  expect((await loading).diagnostics).toMatchObject([
    { message: expect.stringContaining('The workspace has no `skills`.') },
  ]);
});

it('skills of a workspace that depend on the request are those of its request', async () => {
  const { filesystem } = await createWorkspace();
  const skills: WorkspaceConfig['skills'] = ({ requestContext }) => [String(requestContext?.get('tenant'))];
  const workspace = new Workspace({ filesystem, skills });
  const load = (tenant: string) => {
    const reader = workspaceSkills(workspace, new RequestContext([['tenant', tenant]]));
    return loadCatalog([readerSource(reader, { id: tenant })]);
  };
  const found = await Promise.all([load('skills'), load('others')]);
  expect(found.map((catalog) => catalog.skills.map(({ name }) => name))).toEqual([['brand'], []]);
});

it('a skill of the workspace that the catalog lacks is reported, once for each run', async () => {
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(await loadCatalog([ours]), { onEvent: (event) => events.push(event) });
  const script = [{ calls: [{ tool: 'activate_skill', input: { name: 'notes' } }] }, done];
  const workspace = await createWorkspace();
  const calls = await converse(script, (config) => withSkills(config, toolkit), { workspace: () => workspace });
  expect(calls.map(({ tools }) => tools)).toEqual([['activate_skill'], ['activate_skill']]);
  expect(events.filter(({ type }) => type === 'skill-missing')).toEqual([
    { type: 'skill-missing', skill: 'brand', tokens: 0, about: expect.objectContaining({ agent: 'agent' }) },
  ]);
});

it('a workspace that an agent has from its Mastra is replaced, and what the catalog lacks of it is reported', async () => {
  const shared = await createWorkspace();
  const own = new Workspace({ sandbox: new LocalSandbox() });
  const found: unknown[] = [];
  const named: AgentConfig['workspace'] = ({ mastra }) => mastra?.getWorkspace();
  for (const more of [{}, { workspace: own }, { inputProcessors: () => [] }, { workspace: named }]) {
    const missing: string[] = [];
    const toolkit = createToolkit(await loadCatalog([ours]), {
      onEvent: (event) => event.type === 'skill-missing' && missing.push(event.skill),
    });
    const [call] = await converse([done], (config) => withSkills(config, toolkit), more, shared);
    found.push([call?.tools, call?.catalog.join().includes('<name>brand</name>'), missing]);
  }
  expect(found).toEqual([
    [['activate_skill'], false, ['brand']],
    [['activate_skill'], false, []],
    [['activate_skill'], false, ['brand']],
    [['activate_skill'], false, ['brand']],
  ]);
});

it('every agent of a Mastra with a workspace shows one catalog', async () => {
  const toolkit = createToolkit(await loadCatalog([ours]));
  const model = scriptedModel([done, done, done]);
  const create = (id: string, more: Partial<AgentConfig>) => {
    const base = { id, name: id, instructions: 'You are.', model: model as unknown as MastraModelConfig };
    return new Agent(withSkills({ ...base, ...more }, toolkit));
  };
  const first = create('first', {});
  const second = create('second', { defaultOptions: { system: 'Second.' } });
  const mastra = new Mastra({ agents: { first, second }, workspace: await createWorkspace(), logger: false });
  const third = create('third', { mastra, defaultOptions: () => ({ system: 'Third.' }) });
  for (const agent of [first, second, third]) await agent.generate('Hello.');
  const seen = observedCalls(model).map(({ system, tools }) => [
    ['Second.', 'Third.', '<name>brand</name>', '- notes: '].filter((words) => system.includes(words)),
    tools.map(({ name }) => name).filter((name) => !name.startsWith('mastra_workspace')),
  ]);
  expect(seen).toEqual([
    [['- notes: '], ['activate_skill']],
    [['Second.', '- notes: '], ['activate_skill']],
    [['Third.', '- notes: '], ['activate_skill']],
  ]);
});

it('an agent without a workspace can still be given one, as by an `AgentController`', async () => {
  const toolkit = createToolkit(await loadCatalog([ours]));
  const config = { id: 'agent', name: 'agent', instructions: 'You are.', model: 'openai/gpt-5' };
  for (const inputProcessors of [[], () => []]) {
    const given = withSkills({ ...config, inputProcessors }, toolkit);
    expect(new Agent(given).hasOwnWorkspace()).toBe(false);
    // An agent in files takes its `workspace.ts` only if its `config.ts` has no such key.
    expect(Object.keys(given)).not.toContain('workspace');
  }
});

it('a processor that does not know the workspace leaves the list of Mastra where it is', async () => {
  const toolkit = createToolkit(await loadCatalog([ours]));
  const configure = (config: AgentConfig) => ({ ...config, inputProcessors: [skillsProcessor(toolkit)] });
  const [call] = await converse([done], configure, { workspace: await createWorkspace() });
  expect(call?.catalog.join()).toContain('<name>brand</name>');
  expect(call?.tools).toEqual(['skill', 'skill_search', 'skill_read']);
});

it('a tool of the application keeps its name if the workspace has no skills', async () => {
  const toolkit = createToolkit(await loadCatalog([ours]));
  const skill_read = createTool({ id: 'skill_read', description: 'Reads.', execute: async () => 'mine' });
  const workspace = new Workspace({ filesystem: new LocalFilesystem({ basePath: tmpdir() }) });
  const [call] = await converse([done], (config) => withSkills(config, toolkit), { workspace, tools: { skill_read } });
  expect(call?.tools).toEqual(['skill_read', 'activate_skill']);
});

it("an agent's own `skills` are refused when the agent is configured", async () => {
  const toolkit = createToolkit(await loadCatalog([ours]));
  const config = { id: 'agent', name: 'agent', instructions: 'You are.', model: 'openai/gpt-5', skills: ['skills'] };
  expect(() => withSkills(config, toolkit)).toThrow(
    'The agent has `skills` of its own, which would be a second catalog. Load them with `fileSource` or `memorySource` instead.',
  );
});
