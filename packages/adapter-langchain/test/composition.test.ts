// Next to LangChain's own middleware, and after a run that came to no end.

import { Command, MemorySaver } from '@langchain/langgraph';
import type { SkillEvent } from '@skillful/core';
import { createDeepAgent } from 'deepagents';
import {
  type AgentMiddleware,
  AIMessage,
  anthropicPromptCachingMiddleware,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  humanInTheLoopMiddleware,
  llmToolSelectorMiddleware,
  modelCallLimitMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  piiMiddleware,
  providerStrategy,
  summarizationMiddleware,
  toolCallLimitMiddleware,
  toolStrategy,
} from 'langchain';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/v4';
import { activeSkills, decide, prepareModelCall, skillsMiddleware, skillTools, unlessApproved } from '../src/index.ts';
import {
  activate,
  bodiesIn,
  calling,
  given,
  lookUp,
  lookup,
  type Model,
  modelThatCalls,
  systemOf,
  thread,
  toolkitOf,
  use,
  user,
} from './support.ts';

const config = thread('one');
const toolkit = toolkitOf();

function open(model: Model, more: readonly AgentMiddleware[] = [], options = {}) {
  const middleware: AgentMiddleware[] = [...more, skillsMiddleware(toolkit)];
  return createAgent({ model, tools: [lookup], checkpointer: new MemorySaver(), middleware, ...options });
}

describe('LangChain’s middleware', () => {
  it('redacts what a user said before skills are told: no address in the prompt, in the state or in the arguments', async () => {
    const model = modelThatCalls();
    const agent = open(model, [use(piiMiddleware, 'email', { strategy: 'redact', applyToInput: true })]);
    await agent.invoke(user('/mail bob@example.com'), config);
    await agent.invoke(user('Thanks.'), config);
    expect(JSON.stringify(given(model))).not.toContain('example.com');
    expect(bodiesIn(model)).toEqual(['human MAIL [REDACTED_EMAIL]']);
    const { values } = await agent.graph.getState(config);
    expect(JSON.stringify(values)).not.toContain('example.com');
  });

  it.each([
    ['an address', /bob@example.com/g, ['human MAIL SOMEBODY']],
    ['the name of a skill', /\/mail bob/g, []],
  ])('redacts %s in what the model reads: skills read nothing else', async (_, said, bodies) => {
    const redact = createMiddleware({
      name: 'redact',
      wrapModelCall: (request, handler) => {
        const hide = ({ id, text }: HumanMessage) =>
          new HumanMessage({ ...(id && { id }), content: text.replaceAll(said, 'SOMEBODY') });
        const messages = request.messages.map((message) =>
          HumanMessage.isInstance(message) ? hide(message) : message,
        );
        return handler({ ...request, messages });
      },
    });
    const model = modelThatCalls();
    const agent = open(model, [redact]);
    for (const text of ['/mail bob@example.com', 'Thanks.']) await agent.invoke(user(text), config);
    expect(JSON.stringify(model.calls.map(({ messages }) => messages))).not.toMatch(said);
    expect(bodiesIn(model)).toEqual(bodies);
    expect(await activeSkills(toolkit, { agent, config })).toHaveLength(bodies.length);
  });

  it('leaves out a message in which a user named a skill: nothing is active', async () => {
    const filter = createMiddleware({
      name: 'filter',
      wrapModelCall: (request, handler) =>
        handler({ ...request, messages: request.messages.filter(({ text }) => !text.includes('/mail')) }),
    });
    const model = modelThatCalls();
    const agent = open(model, [filter]);
    await agent.invoke({ messages: [new HumanMessage('/mail bob'), new HumanMessage('Hello.')] }, config);
    await agent.invoke(user('Thanks.'), config);
    expect(bodiesIn(model)).toEqual([]);
    expect(await activeSkills(toolkit, { agent, config })).toEqual([]);
  });

  it('summarises: the skills move to the summary, which names none', async () => {
    const summarizer = fakeModel();
    for (let call = 0; call < 5; call++) summarizer.respond(new AIMessage('They used $notes and /deploy.'));
    const model = modelThatCalls([activate('report')]);
    const options = { model: summarizer, trigger: { messages: 6 }, keep: { messages: 2 } };
    const agent = open(model, [use(summarizationMiddleware, options)]);
    await agent.invoke(user('/mail bob'), config);
    for (const text of ['One.', 'Two.', 'Three.']) await agent.invoke(user(text), config);
    expect(given(model)[1]?.text).toContain('They used $notes');
    expect(bodiesIn(model).toSorted()).toEqual(['human MAIL (given earlier in the conversation)', 'human REPORT']);
  });

  it('summarises all but the latest words: a skill that only a user named moves, the summary’s names count for nothing', async () => {
    const summarizer = fakeModel();
    for (let call = 0; call < 5; call++) summarizer.respond(new AIMessage('They used $notes.'));
    const model = modelThatCalls();
    const options = { model: summarizer, trigger: { messages: 3 }, keep: { messages: 1 } };
    const agent = open(model, [use(summarizationMiddleware, options)]);
    await agent.invoke(user('/mail bob'), config);
    await agent.invoke(user('One.'), config);
    expect(given(model).map(({ type }) => type)).toEqual(['system', 'human', 'human']);
    expect(bodiesIn(model)).toEqual(['human MAIL (given earlier in the conversation)']);
  });

  it('asks a person: a rejected activation activates nothing, an approved one does, an edited one the other skill', async () => {
    for (const [decision, bodies] of [
      [{ type: 'reject', message: 'No.' }, []],
      [{ type: 'approve' }, ['tool REPORT']],
      [{ type: 'edit', editedAction: { name: 'activate_skill', args: { name: 'notes' } } }, ['tool NOTES']],
    ] as const) {
      const model = modelThatCalls([activate('report')]);
      const ask = use(humanInTheLoopMiddleware, { interruptOn: { activate_skill: true } });
      const agent = open(model, [ask]);
      await agent.invoke(user('Make a report.'), config);
      await agent.invoke(new Command({ resume: { decisions: [decision] } }), config);
      expect(bodiesIn(model)).toEqual(bodies);
    }
  });

  it('clears results of tools: each skill stays once, in the same place from then on', async () => {
    const model = modelThatCalls([activate('report')], [lookUp], [lookUp]);
    const edits = [new ClearToolUsesEdit({ trigger: { messages: 6 }, keep: { messages: 1 } })];
    const agent = open(model, [contextEditingMiddleware({ edits })]);
    await agent.invoke(user('/mail bob'), config);
    for (const text of ['One.', 'Two.']) {
      await agent.invoke(user(text), config);
      expect(given(model).map((message) => message.text)).toContain('[cleared]');
      expect(bodiesIn(model)).toEqual(['human MAIL bob', 'human REPORT']);
    }
  });

  it('selects tools: what is filtered out is mentioned nowhere, and the next call has it again', async () => {
    const selector = fakeModel().structuredResponse({ tools: ['lookup'] });
    const selects = use(llmToolSelectorMiddleware, { model: selector, maxTools: 1 });
    const checkpointer = new MemorySaver();
    const model = modelThatCalls([activate('report')]);
    const agent = open(model, [], { checkpointer });
    await agent.invoke(user('Make a report.'), config);
    await open(model, [selects], { checkpointer }).invoke(user('/mail bob'), config);
    expect(systemOf(model)).toBe('');
    expect(given(model).at(-1)?.text).not.toMatch(/activate_skill|read_skill_resource/);
    expect(bodiesIn(model)).toEqual(['tool REPORT', 'human MAIL bob']);
    await agent.invoke(user('Go on.'), config);
    expect(systemOf(model)).toContain('activate_skill');
  });

  it('copies a skill tool to mark it for the provider: the copy is no tool of the application', async () => {
    const mark = createMiddleware({
      name: 'mark',
      wrapModelCall: (request, handler) => {
        const [last, ...others] = request.tools.toReversed();
        const { name, description, schema } = Object(last);
        return handler({
          ...request,
          tools: [...others, { name, description, schema, extras: { defer_loading: true } }],
        });
      },
    });
    const model = modelThatCalls([activate('report')]);
    await open(model, [mark]).invoke(user('/mail bob'), config);
    expect(bodiesIn(model)).toEqual(['human MAIL bob', 'tool REPORT']);
  });

  it('calls the model again, or another one: each event is reported once', async () => {
    const attempts = [use(modelRetryMiddleware, { initialDelayMs: 1 }), use(modelFallbackMiddleware, modelThatCalls())];
    for (const attempt of attempts) {
      const events: string[] = [];
      const streamed: unknown[] = [];
      const heard = toolkitOf({ onEvent: ({ type }) => events.push(type) });
      const model = fakeModel().respond(new Error('503')).respond(new AIMessage('Done.'));
      const middleware = [attempt, skillsMiddleware(heard, { streamEvents: true })];
      const agent = createAgent({ model, tools: [lookup], middleware });
      for await (const chunk of await agent.stream(user('/mail bob'), { streamMode: 'custom' })) streamed.push(chunk);
      expect(events).toEqual(['offered', 'included', 'offered', 'included', 'activated']);
      const begun = streamed.filter((chunk) => Object(chunk).skillful.type === 'activated');
      expect(begun).toHaveLength(1);
    }
  });

  it('tries again after errors of a class if it comes after skills, whose events are still reported once', async () => {
    class RateLimitError extends Error {}
    const model = fakeModel().respond(new RateLimitError()).respond(new AIMessage('Done.'));
    const events: SkillEvent[] = [];
    const retry = use(modelRetryMiddleware, { retryOn: [RateLimitError], initialDelayMs: 1 });
    const middleware = [skillsMiddleware(toolkitOf({ onEvent: (event) => events.push(event) })), retry];
    const { messages } = await createAgent({ model, middleware }).invoke(user('/mail bob'));
    expect(messages.at(-1)?.text).toBe('Done.');
    expect(bodiesIn(model)).toEqual(['human MAIL bob']);
    expect(events.map(({ type }) => type)).toEqual(['offered', 'included', 'activated']);
  });

  it('limits calls of tools and of the model', async () => {
    const model = modelThatCalls([activate('report'), activate('notes')], [lookUp]);
    const limits: AgentMiddleware[] = [
      use(toolCallLimitMiddleware, { toolName: 'activate_skill', runLimit: 1 }),
      use(modelCallLimitMiddleware, { runLimit: 2 }),
    ];
    const agent = open(model, limits);
    await agent.invoke(user('Do it.'), config);
    expect(model.calls).toHaveLength(2);
    expect(bodiesIn(model)).toEqual(['tool REPORT']);
    await agent.invoke(user('Go on.'), config);
    expect(bodiesIn(model)).toEqual(['tool REPORT']);
  });

  it('marks a prompt for Anthropic’s cache: the text of skills changes none of it', async () => {
    const model = modelThatCalls();
    const cache = use(anthropicPromptCachingMiddleware, { unsupportedModelBehavior: 'ignore' });
    await open(model, [cache]).invoke(user('/mail bob'), config);
    expect(bodiesIn(model)).toEqual(['human MAIL bob']);
  });

  it.each([
    [
      'a tool',
      toolStrategy(z.object({ city: z.string() })),
      [
        new AIMessage({
          content: '',
          tool_calls: [{ name: 'extract-1', args: { city: 'Rome' }, id: 'x', type: 'tool_call' }],
        }),
      ],
    ],
    ['the provider', providerStrategy({ schema: z.object({ city: z.string() }) }), [new AIMessage('{"city":"Rome"}')]],
  ])('returns a structured response by %s, and keeps the state', async (_, responseFormat, answers) => {
    const model = fakeModel();
    for (const answer of answers) model.respond(answer);
    // As middleware that redacts an answer.
    const copying = createMiddleware({
      name: 'Copying',
      afterModel: ({ messages }) => ({
        messages: messages.slice(-1).map((last) => Object.assign(Object.create(last), last)),
      }),
    });
    const agent = open(model, [copying], { responseFormat });
    const { structuredResponse, messages } = (await agent.invoke(user('/mail bob'), config)) as never as {
      structuredResponse: unknown;
      messages: unknown[];
    };
    expect(structuredResponse).toEqual({ city: 'Rome' });
    const ids = messages.map((message) => Object(message).id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await activeSkills(toolkit, { agent, config })).toMatchObject([{ name: 'mail', by: 'user' }]);
    const { values } = await agent.graph.getState(config);
    expect(values._skillful.skills).toHaveProperty('mail');
  });

  const schema = z.object({ city: z.string() });
  const structured = (strategy: string) => {
    const responseFormat = strategy === 'a tool' ? toolStrategy(schema) : providerStrategy({ schema });
    const model = fakeModel();
    for (const city of ['Rome', 'Oslo']) {
      const name = Array.isArray(responseFormat) ? responseFormat[0]?.name : undefined;
      model.respond(name === undefined ? new AIMessage(`{"city":"${city}"}`) : calling({ name, args: { city } }));
    }
    return { model, responseFormat };
  };

  const turns = [
    ['a tool', 'Where?'],
    ['a tool', '/mail bob'],
    ['the provider', 'Where?'],
    ['the provider', '/mail bob'],
  ] as const;

  it.each(turns)('streams a structured response by %s after “%s” as without skills', async (strategy, words) => {
    const updates = async (middleware: readonly AgentMiddleware[]) => {
      const agent = createAgent({ ...structured(strategy), middleware });
      const all: object[] = [];
      for await (const chunk of await agent.stream(user(words), { streamMode: 'updates' })) all.push(chunk);
      const { messages, ...update } = all.map((chunk) => Object(chunk).model_request).find(Boolean);
      return { ...update, said: messages.map(({ type, text }: HumanMessage) => [type, text]) };
    };
    const plain = await updates([]);
    expect(plain).toMatchObject({ structuredResponse: { city: 'Rome' } });
    expect(await updates([skillsMiddleware(toolkit)])).toEqual(plain);
  });

  it.each(turns)('lets other middleware refuse a structured response by %s after “%s”', async (strategy, words) => {
    const responses: unknown[] = [];
    const refuse = createMiddleware({
      name: 'Refuse',
      async wrapModelCall(request, handler) {
        responses.push(Object(await handler(request)).structuredResponse);
        return new AIMessage('Refused.');
      },
    });
    const agent = createAgent({ ...structured(strategy), middleware: [refuse, skillsMiddleware(toolkit)] });
    const { structuredResponse, messages } = Object(await agent.invoke(user(words)));
    expect(responses).toEqual([{ city: 'Rome' }]);
    expect(structuredResponse).toBeUndefined();
    expect(messages.map(({ text }: HumanMessage) => text)).toEqual([words, 'Refused.']);
  });

  it.each(turns)(
    'lets other middleware call again for a better structured response by %s after “%s”',
    async (strategy, words) => {
      const again = createMiddleware({
        name: 'Again',
        async wrapModelCall(request, handler) {
          await handler(request);
          return handler(request);
        },
      });
      const middleware = [again, skillsMiddleware(toolkit)];
      const agent = createAgent({ ...structured(strategy), checkpointer: new MemorySaver(), middleware });
      const { structuredResponse, messages } = Object(await agent.invoke(user(words), config));
      expect(structuredResponse).toEqual({ city: 'Oslo' });
      expect(messages).toHaveLength(strategy === 'a tool' ? 4 : 2);
      const active = await activeSkills(toolkit, { agent, config });
      expect(active.map(({ name }) => name)).toEqual(words === 'Where?' ? [] : ['mail']);
    },
  );
});

describe('a decision after a run that came to no end', () => {
  it('counts after an error of the provider, and the run can go on', async () => {
    const model = fakeModel();
    model.respond(new Error('503 Service Unavailable')).respond(new AIMessage('Done.')).respond(new AIMessage('Done.'));
    const agent = open(model);
    await expect(agent.invoke(user('/mail bob'), config)).rejects.toThrow('503');
    await decide(toolkit, { activate: ['report'] }, { agent, config });
    await agent.graph.invoke(null, config);
    expect(bodiesIn(model)).toEqual(['human MAIL bob', 'human REPORT'].toSorted());
    await decide(toolkit, { deactivate: ['mail'] }, { agent, config });
    await agent.invoke(user('Go on.'), config);
    expect(bodiesIn(model)).toEqual(['human REPORT']);
  });

  it.each([
    ['no other middleware', []],
    ['other middleware', [createMiddleware({ name: 'Other', afterModel: () => undefined })]],
  ])('counts after an error behind tools, and the run goes on with the model: %s', async (_, more) => {
    const model = fakeModel()
      .respond(calling(activate('report'), lookUp))
      .respond(new Error('503'));
    model.respond(new AIMessage('Done.'));
    const agent = open(model, more);
    await expect(agent.invoke(user('Do it.'), config)).rejects.toThrow('503');
    await decide(toolkit, { activate: ['notes'] }, { agent, config });
    const { messages } = await agent.graph.invoke(null, config);
    expect(messages.at(-1)?.text).toBe('Done.');
    expect(bodiesIn(model)).toEqual(['human NOTES', 'tool REPORT']);
  });

  it('counts after an abort in a tool', async () => {
    const model = modelThatCalls([activate('report')], [lookUp]);
    const controller = new AbortController();
    const abort = createMiddleware({
      name: 'Abort',
      beforeModel: ({ messages }) => {
        if (messages.some(({ type }) => type === 'tool')) controller.abort();
        return undefined;
      },
    });
    const agent = open(model, [abort]);
    await expect(agent.invoke(user('Make a report.'), { ...config, signal: controller.signal })).rejects.toThrow();
    await decide(toolkit, { deactivate: ['report'] }, { agent, config });
    await agent.invoke(user('Go on.'), config);
    expect(bodiesIn(model)).toEqual([]);
  });

  it('counts after the limit of steps', async () => {
    const model = modelThatCalls([activate('report')], [lookUp], [lookUp]);
    const agent = open(model);
    await expect(agent.invoke(user('Do it.'), { ...config, recursionLimit: 4 })).rejects.toThrow(/limit/i);
    await decide(toolkit, { deactivate: ['report'], activate: ['notes'] }, { agent, config });
    await agent.invoke(user('Go on.'), config);
    expect(bodiesIn(model)).toEqual(['human NOTES']);
  });

  it('counts after an error before the agent began', async () => {
    let isBroken = true;
    const broken = createMiddleware({
      name: 'Broken',
      beforeAgent: () => {
        if (isBroken) throw new Error('not signed in');
        return undefined;
      },
    });
    const model = modelThatCalls();
    const agent = open(model, [broken]);
    await expect(agent.invoke(user('Hello.'), config)).rejects.toThrow('not signed in');
    await decide(toolkit, { activate: ['report'] }, { agent, config });
    isBroken = false;
    await agent.invoke(user('Go on.'), config);
    expect(bodiesIn(model)).toEqual(['human REPORT']);
  });
});

describe('deepagents as the host', () => {
  it('has the skills; its sub-agents inherit neither catalog nor skills, and its tasks are no words of a user', async () => {
    const skills = toolkitOf({ preload: ['policy'] });
    const task = { name: 'task', args: { description: '/deploy $notes now', subagent_type: 'general-purpose' } };
    const model = modelThatCalls([activate('report'), activate('notes')], [task]);
    const host: AgentMiddleware[] = [skillsMiddleware(skills)];
    const agent = use(createDeepAgent, { model, checkpointer: new MemorySaver(), middleware: host });
    const run = agent as unknown as ReturnType<typeof createAgent>;
    await run.invoke(user('/mail bob'), config);
    expect(bodiesIn(model)).toEqual(['system POLICY', 'human MAIL bob', 'tool REPORT', 'tool NOTES']);
    const [delegated = []] = model.calls
      .map(({ messages }) => messages)
      .filter((all) => all[1]?.text === task.args.description);
    expect(delegated.map(({ text }) => text).join()).not.toMatch(/BODY|Writes report/);
    await decide(skills, { deactivate: ['report'] }, { agent: run, config });
    await run.invoke(user('Go on.'), config);
    expect(bodiesIn(model)).toEqual(['system POLICY', 'human MAIL bob', 'tool NOTES']);
  });

  it('takes no task for words of a user in a fork either, which inherits the middleware', async () => {
    const task = { name: 'task', args: { description: '/deploy $notes $deploy now', subagent_type: 'fork' } };
    const model = modelThatCalls([activate('report')], [task]);
    const middleware: AgentMiddleware[] = [skillsMiddleware(toolkit)];
    const subagents = [{ name: 'fork', description: 'Continues.', mode: 'fork' }];
    const agent = use(createDeepAgent, { model, middleware, subagents }) as unknown as ReturnType<typeof createAgent>;
    await agent.invoke(user('Make a report.'));
    expect(given(model, 2).at(-1)?.text).toMatch(/now$/);
    expect(bodiesIn(model, 2)).toEqual(['tool REPORT']);
  });
});

describe('a misspelt option', () => {
  const options: object = { mentoins: false };
  const refused = expect.objectContaining({ code: 'options-invalid', message: expect.stringContaining('`mentoins`') });

  it.each([
    ['skillsMiddleware', () => skillsMiddleware(toolkitOf(), options)],
    ['skillTools', () => skillTools(toolkitOf(), options)],
    ['unlessApproved', () => unlessApproved(toolkitOf(), options)],
  ])('is refused by %s', (_, create) => {
    expect(create).toThrow(refused);
  });

  it('is refused by prepareModelCall', async () => {
    await expect(prepareModelCall(toolkitOf(), { ...options, messages: [], tools: [] })).rejects.toThrow(refused);
  });

  it('is refused by decide, which would store nothing, and by activeSkills', async () => {
    const config = { configurable: { thread_id: 'one' } };
    const conversation: object = { agents: createAgent({ model: modelThatCalls() }), config };
    const misspelt = expect.objectContaining({ code: 'options-invalid', message: expect.stringContaining('`agents`') });
    await expect(decide(toolkit, { activate: ['mail'] }, conversation)).rejects.toThrow(misspelt);
    await expect(activeSkills(toolkit, conversation as never)).rejects.toThrow(misspelt);
  });

  it('is no key of the request that middleware of an application passes on', async () => {
    const model = modelThatCalls();
    const own = createMiddleware({
      name: 'Own',
      async wrapModelCall(request, handler) {
        const known = { config: request.runtime, state: undefined };
        const { messages, systemMessage, accept } = await prepareModelCall(toolkit, { ...request, ...known });
        return accept(await handler({ ...request, messages, systemMessage }));
      },
    });
    await createAgent({ model, middleware: [own] }).invoke(user('/mail bob'));
    expect(bodiesIn(model)).toEqual(['human MAIL bob']);
  });
});
