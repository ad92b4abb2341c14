import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type ScriptRunner,
  type SkillContext,
  SkillError,
  type SkillEvent,
  type SkillSource,
  type ToolkitOptions,
} from '../../src/index.ts';

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test');
beforeEach(() => exporter.reset());

const source = memorySource({
  'pdf/SKILL.md': '---\nname: pdf\ndescription: Works with PDF files.\n---\nSECRET-INSTRUCTIONS for $ARGUMENTS\n',
  'pdf/forms.md': 'SECRET-FORMS\n',
});
const about = { thread: 'one', agent: 'writer', tenant: 'north' };
const ofCall = { 'gen_ai.conversation.id': 'one', 'gen_ai.agent.id': 'writer', 'skillful.tenant': 'north' };

async function open(options: ToolkitOptions = {}, sources: readonly SkillSource[] = [source]) {
  const toolkit = createToolkit(await loadCatalog(sources), { tracer, ...options });
  const call = (tool: string, input: unknown, more: SkillContext = {}) =>
    toolkit.tools.find(({ name }) => name === tool)?.execute(input, { about, ...more });
  return { toolkit, call };
}

/** What each span says, the earliest to end first. */
function spans() {
  return exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({
    name,
    attributes,
    ...(events.length > 0 && { events: events.map((event) => [event.name, event.attributes]) }),
    ...(status.code !== 0 && { status }),
  }));
}

const executing = (tool: string) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool,
  'gen_ai.tool.type': 'function',
  ...ofCall,
});

describe('a tracer', () => {
  it('opens a span for each call of a tool, with the skill, its source, its digest and who asked', async () => {
    const { call } = await open({ tools: { find: true } });
    await call('activate_skill', { name: 'pdf', arguments: 'SECRET-ARGUMENTS' });
    await call('read_skill_resource', { skill: 'pdf', path: 'forms.md' });
    await call('find_skills', { query: 'SECRET-WORDS pdf' });
    expect(spans()).toEqual([
      {
        name: 'execute_tool activate_skill pdf',
        attributes: {
          ...executing('activate_skill'),
          'gen_ai.skill.name': 'pdf',
          'skillful.event': 'activated',
          'skillful.skill.actor': 'model',
          'skillful.skill.digest': expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          'skillful.skill.source': 'memory',
          'skillful.tokens': expect.any(Number),
        },
      },
      {
        name: 'execute_tool read_skill_resource pdf forms.md',
        attributes: {
          ...executing('read_skill_resource'),
          'gen_ai.skill.name': 'pdf',
          'gen_ai.skill.resource.name': 'forms.md',
          'skillful.event': 'resource-read',
          'skillful.tokens': expect.any(Number),
        },
      },
      {
        name: 'execute_tool find_skills',
        attributes: {
          ...executing('find_skills'),
          'skillful.event': 'searched',
          'skillful.skills.searched': ['pdf'],
          'skillful.tokens': expect.any(Number),
        },
      },
    ]);
    expect(JSON.stringify(spans())).not.toContain('SECRET');
  });

  it('says how a script ended, but not what it wrote', async () => {
    const ends = [{ exitCode: 3 }, { exitCode: undefined, timedOut: true }, undefined];
    const runner: ScriptRunner = {
      sandbox: 'bubblewrap',
      async run() {
        const end = ends.shift();
        if (end === undefined) throw new Error('SECRET');
        return { output: 'SECRET', errors: 'SECRET', truncated: false, timedOut: false, ...end };
      },
    };
    const policy = definePolicy({ rules: [], default: 'allow' });
    const scripts = memorySource({
      'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\nRun it.',
      'pdf/scripts/a.sh': 'a',
    });
    const { call } = await open({ runner, policy }, [scripts]);
    const count = ends.length;
    for (let index = 0; index < count; index += 1)
      await call('run_skill_script', { skill: 'pdf', path: 'scripts/a.sh', arguments: ['SECRET'] });
    const endOf = ({ attributes }: ReturnType<typeof spans>[number]) =>
      Object.entries(attributes).filter(([name]) => /process|script\.|error/.test(name));
    const sandbox = ['skillful.script.sandbox', 'bubblewrap'];
    expect(spans().map(endOf)).toEqual([
      [sandbox, ['process.exit.code', 3], ['skillful.script.timed_out', false]],
      [sandbox, ['skillful.script.timed_out', true]],
      [
        sandbox,
        ['skillful.script.timed_out', false],
        ['skillful.script.unfinished', true],
        ['error.type', 'tool-failed'],
      ],
    ]);
    expect(JSON.stringify(spans())).not.toContain('SECRET');
  });

  it('opens a span for each model call, with what was activated, attached and left out in it', async () => {
    const { toolkit } = await open();
    const messages = [{ key: '1', role: 'user' as const, text: '/pdf SECRET-ARGUMENTS' }];
    await toolkit.prepare(messages, { about });
    expect(spans()).toEqual([
      {
        name: 'prepare_skills',
        attributes: { 'gen_ai.operation.name': 'prepare_skills', ...ofCall, 'skillful.skills.active': ['pdf'] },
        events: [
          ['skillful.offered', { 'skillful.skills.offered': 1, 'skillful.tokens': expect.any(Number) }],
          [
            'skillful.activated',
            {
              'gen_ai.skill.name': 'pdf',
              'skillful.skill.actor': 'user',
              'skillful.skill.digest': expect.stringMatching(/^sha256:/),
              'skillful.skill.source': 'memory',
              'skillful.tokens': expect.any(Number),
            },
          ],
          ['skillful.included', { 'skillful.skills.included': ['pdf'], 'skillful.tokens': 0 }],
        ],
      },
    ]);
    expect(JSON.stringify(spans())).not.toContain('SECRET');
  });

  it('names the call, so that its span can be told from, and found next to, that of the framework', async () => {
    const { toolkit, call } = await open();
    await call('activate_skill', { name: 'pdf' }, { call: 'call_1' });
    await toolkit.prepare([], { about });
    expect(spans().map(({ attributes }) => attributes['gen_ai.tool.call.id'])).toEqual(['call_1', undefined]);
  });

  it('marks a refused call by its code, without the words that were refused', async () => {
    const { call } = await open();
    await call('activate_skill', { name: 'SECRET-NAME' });
    expect(spans()).toEqual([
      {
        name: 'execute_tool activate_skill',
        attributes: {
          ...executing('activate_skill'),
          'error.type': 'skill-unknown',
          'skillful.event': 'refused',
          'skillful.tokens': 0,
        },
        status: { code: 2 },
      },
    ]);
  });

  it('records what is thrown, and throws it', async () => {
    const broken = () => Promise.reject(new RangeError('no catalog'));
    const toolkit = createToolkit(broken, { tracer });
    await expect(toolkit.prepare([], { about })).rejects.toThrow('no catalog');
    expect(spans()).toEqual([
      {
        name: 'prepare_skills',
        attributes: { 'gen_ai.operation.name': 'prepare_skills', ...ofCall, 'error.type': 'RangeError' },
        events: [
          [
            'exception',
            {
              'exception.message': 'no catalog',
              'exception.stacktrace': expect.any(String),
              'exception.type': 'RangeError',
            },
          ],
        ],
        status: { code: 2 },
      },
    ]);
  });

  it('records the code of an error that has one', async () => {
    const toolkit = createToolkit(() => Promise.reject(new SkillError('source-failed', 'no catalog')), { tracer });
    await expect(toolkit.prepare([])).rejects.toThrow('no catalog');
    expect(spans()).toMatchObject([{ attributes: { 'error.type': 'source-failed' } }]);
  });

  it('puts its spans below the active one, and makes them active for sources', async () => {
    const reading: SkillSource = {
      ...source,
      readFile: (...given) =>
        tracer.startActiveSpan('read', async (span) => source.readFile(...given).finally(() => span.end())),
    };
    const { call } = await open({}, [reading]);
    exporter.reset();
    await tracer.startActiveSpan('request', async (span) => {
      await call('activate_skill', { name: 'pdf' });
      span.end();
    });
    const all = exporter.getFinishedSpans();
    const path = all.map(({ name, parentSpanContext }) => {
      const parent = all.find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
      return [name, parent?.name];
    });
    expect(path).toEqual([
      ['read', 'execute_tool activate_skill pdf'],
      ['execute_tool activate_skill pdf', 'request'],
      ['request', undefined],
    ]);
  });

  it('opens none for a call that is worked out again, and changes nothing that a model reads', async () => {
    const { call, toolkit } = await open();
    const { call: plain, toolkit: untraced } = await open({ tracer: undefined });
    expect(await call('activate_skill', { name: 'pdf' }, { replay: true })).toEqual(
      await plain('activate_skill', { name: 'pdf' }, { replay: true }),
    );
    expect(spans()).toEqual([]);
    expect(await toolkit.prepare([])).toEqual(await untraced.prepare([]));
  });

  it('names a tool that the application lacks', async () => {
    const skill = '---\nname: git\ndescription: d\nallowed-tools: Read\n---\nGo.';
    const { toolkit } = await open({ allowedTools: { mode: 'restrict' } }, [memorySource({ 'git/SKILL.md': skill })]);
    toolkit.assertNamesFree(['shell']);
    await toolkit.prepare([]);
    const lacking = { 'gen_ai.skill.name': 'git', 'gen_ai.tool.name': 'Read', 'skillful.tokens': 0 };
    expect(spans()[0]?.events).toContainEqual(['skillful.tool-unknown', lacking]);
  });

  it('says that a tool failed, but not what the error said', async () => {
    const failing = { ...source, readFile: () => Promise.reject(new Error('SECRET of bob in /srv')) };
    const { call } = await open({}, [failing]);
    await call('read_skill_resource', { skill: 'pdf', path: 'forms.md' });
    expect(spans()).toMatchObject([{ attributes: { 'error.type': 'resource-unreadable' } }]);
    expect(JSON.stringify(spans())).not.toMatch(/SECRET|srv/);
  });
});

describe('a tracer that fails', () => {
  const failing = new Error('No exporter at /srv/telemetry.');
  const fail = () => {
    throw failing;
  };
  const broken = {
    updateName: fail,
    setAttributes: fail,
    addEvent: fail,
    setStatus: fail,
    recordException: fail,
    end: fail,
  };
  it.each([
    { startActiveSpan: fail },
    { startActiveSpan: <Result>(_: string, __: object, run: (span: typeof broken) => Result) => run(broken) },
  ])('tells the model only that the tool failed, and the application why', async (failed) => {
    const events: SkillEvent[] = [];
    const { call } = await open({ tracer: failed, onEvent: (event) => events.push(event) });
    const result = await call('activate_skill', { name: 'pdf' });
    expect(result).toMatchObject({ details: { code: 'tool-failed' }, text: expect.not.stringContaining('/srv') });
    expect(events.at(-1)).toMatchObject({ type: 'tool-failed', reason: expect.stringContaining(failing.message) });
  });
});
