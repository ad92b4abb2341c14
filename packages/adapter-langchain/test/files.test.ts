// Files of skills, followed to the request that each provider's own integration sends.

import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatGoogle } from '@langchain/google';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import {
  answerRequests,
  anthropic,
  base64,
  expectFiles,
  google,
  openaiChat,
  openaiResponses,
  toolkitWithFiles,
} from '@skillful/testing/providers';
import { ClearToolUsesEdit, contextEditingMiddleware, createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { skillsMiddleware } from '../src/index.ts';
import { bodiesIn, given, type Model, modelThatCalls, thread, toolkitOf, user } from './support.ts';

const toolkit = await toolkitWithFiles();
const apiKey = 'k';
const heard = { type: 'input_audio', input_audio: { format: 'mp3', data: base64('MP3') } };
const chat = (model: string) => new ChatOpenAI({ model, apiKey, useResponsesApi: false });

/** LangChain names MPEG audio differently. */
const recording = { inlineData: { mimeType: 'audio/mp3', data: base64('MP3') } };

it.each([
  ['OpenAI chat', () => chat('gpt-5'), openaiChat, openaiChat.parts],
  ['OpenAI chat with audio', () => chat('gpt-realtime-2.1'), openaiChat, { ...openaiChat.parts, MP3: heard }],
  [
    'OpenAI responses',
    () => new ChatOpenAI({ model: 'gpt-5', apiKey, useResponsesApi: true }),
    openaiResponses,
    openaiResponses.parts,
  ],
  ['Anthropic', () => new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey }), anthropic, anthropic.parts],
  ['Google', () => new ChatGoogle({ model: 'gemini-2.5-flash', apiKey }), google, { ...google.parts, MP3: recording }],
])('%s gets files as its own parts, once each, and a sentence about the others', async (_, model, script, parts) => {
  const sent = answerRequests(script.calls, script.words, script.words);
  const checkpointer = new MemorySaver();
  const agent = createAgent({ model: model(), checkpointer, middleware: [skillsMiddleware(toolkit)] });
  await agent.invoke(user('Read the kit.'), thread('one'));
  await agent.invoke(user('Thanks.'), thread('one'));
  expect(sent).toHaveLength(3);
  for (const request of sent.slice(1)) expectFiles(request, parts);
});

/** The types of the parts of a content, or the sentence at the end of a text. */
function partsIn(content: BaseMessage['content']): readonly string[] {
  if (typeof content !== 'string') return content.map(({ type }) => type);
  return [/This model .*$/.exec(content)?.[0] ?? 'text'];
}

/** What the model reads after its first call, each with its type. */
function resultsIn(model: Model): readonly string[] {
  const shown = given(model).slice(3);
  return shown.map(({ type, content }) => [type, ...partsIn(content)].join(' '));
}

describe('a file', () => {
  const read = { name: 'read_skill_resource', args: { skill: 'report', path: 'assets/seal.png' } };

  it('is an image in the form that all integrations know: some throw for the standard form, in every later call, too', async () => {
    const read = ['seal.png', 'guide.pdf', 'sound.mp3'].map((path) => ({
      name: 'read_skill_resource',
      args: { skill: 'kit', path },
    }));
    const model = modelThatCalls(read);
    Object.defineProperty(model, 'profile', { value: { pdfInputs: true, audioInputs: true } });
    await createAgent({ model, middleware: [skillsMiddleware(toolkit)] }).invoke(user('Read the kit.'));
    const [sent = []] = given(model)
      .flatMap(({ type, content }) => (type === 'human' ? [content] : []))
      .slice(1);
    expect([...sent].filter((part) => Object(part).type !== 'text')).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64('PNG')}` } },
      { type: 'file', mimeType: 'application/pdf', data: base64('PDF'), metadata: { filename: 'guide.pdf' } },
      { type: 'audio', mimeType: 'audio/mp3', data: base64('MP3') },
    ]);
  });

  it.each([
    ['ChatBedrockConverse', {}, 'Bedrock', ['tool text image_url']],
    ['ConfigurableModel', { modelProvider: 'aws' }, 'Bedrock', ['tool text image_url']],
    ['ChatMistralAI', {}, 'Mistral', ['tool This model cannot read it.']],
    ['ConfigurableModel', { modelProvider: 'cohere' }, 'Cohere', ['tool This model cannot read it.']],
    ['ConfigurableModel', { model: 'mistralai/pixtral' }, 'a gateway', ['tool This model cannot read it.']],
    ['ChatOpenAI', { model: 'devstral-small-2' }, 'a local server', ['tool This model cannot read it.']],
    ['AzureChatOpenAI', { model: 'gpt-5-australiaeast' }, 'Azure', ['tool text', 'human text image_url']],
    ['ChatOllama', {}, 'Ollama', ['tool text', 'human text image_url']],
    ['ChatOllama', { model: 'ministral-3' }, 'Ollama', ['tool text', 'human text image_url']],
  ])(
    'is an image where %s with %j can read it, because %s accepts it nowhere else',
    async (name, config, _, places) => {
      const model = Object.assign(modelThatCalls([read]), { getName: () => name, _defaultConfig: config });
      await createAgent({ model, middleware: [skillsMiddleware(toolkitOf())] }).invoke(user('Read it.'));
      expect(resultsIn(model)).toEqual(places);
    },
  );

  it.each([
    ['ChatGoogleGenerativeAI', 'gemini-3-pro'],
    ['ChatVertexAI', 'custom'],
    ['ChatOpenRouter', 'google/gemini-3-pro'],
  ])('is not sent by %s with %s if it is a GIF', async (name, id) => {
    const path = 'a.gif';
    const files = { 'kit/SKILL.md': '---\nname: kit\ndescription: A kit.\n---\nBody.\n' };
    const source = memorySource({ ...files, [`kit/${path}`]: new Uint8Array([71, 73, 70, 56, 57, 97, 0, 255]) });
    const skills = createToolkit(await loadCatalog([source]));
    const model = modelThatCalls([{ name: 'read_skill_resource', args: { skill: 'kit', path } }]);
    Object.assign(model, { getName: () => name, model: id });
    await createAgent({ model, middleware: [skillsMiddleware(skills)] }).invoke(user('Read it.'));
    expect(resultsIn(model)).toEqual(['tool This model cannot read it.']);
  });

  it('is not sent to a model whose profile has no images', async () => {
    const model = modelThatCalls([read]);
    Object.defineProperty(model, 'profile', { value: { imageInputs: false } });
    await createAgent({ model, middleware: [skillsMiddleware(toolkitOf())] }).invoke(user('Read it.'));
    expect(resultsIn(model)).toEqual(['tool This model cannot read it.']);
  });

  it('is in what a tracer stores of the model call', async () => {
    const model = modelThatCalls([read]);
    await createAgent({ model, middleware: [skillsMiddleware(toolkitOf())] }).invoke(user('/report'));
    const stored = given(model).map((message) => Object(message.toJSON()).kwargs.content);
    expect(stored).toEqual(given(model).map(({ content }) => content));
  });

  it('is sent to a model without a profile only if it is an image', async () => {
    const model = modelThatCalls([{ name: 'read_skill_resource', args: { skill: 'kit', path: 'guide.pdf' } }]);
    await createAgent({ model, middleware: [skillsMiddleware(toolkit)] }).invoke(user('Read the kit.'));
    expect(given(model).map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'tool']);
    expect(given(model)[3]?.text).toMatch(/This model cannot read it\.$/);
  });

  it('stays the same as JSON, and leaves the context with the result', async () => {
    const model = modelThatCalls([read]);
    const edits = [new ClearToolUsesEdit({ trigger: { messages: 6 }, keep: { messages: 0 } })];
    const middleware = [contextEditingMiddleware({ edits }), skillsMiddleware(toolkitOf())];
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware });
    await agent.invoke(user('Read it.'), thread('one'));
    const shown = given(model).map(({ type }) => type);
    expect(shown).toEqual(['system', 'human', 'ai', 'tool', 'human']);
    await agent.invoke(user('Go on.'), thread('one'));
    await agent.invoke(user('Go on.'), thread('one'));
    expect(JSON.stringify(given(model))).not.toContain('image_url');
    expect(bodiesIn(model)).toEqual([]);
  });

  it.each([[7], [[7]], [[{ mediaType: 'image/png' }]], [{ length: 1 }]])(
    'that was altered to %j is left out',
    async (files) => {
      const model = modelThatCalls([read]);
      const agent = createAgent({
        model,
        checkpointer: new MemorySaver(),
        middleware: [skillsMiddleware(toolkitOf(), { outputs: 'full' })],
      });
      const { messages } = await agent.invoke(user('Read it.'), thread('one'));
      const result = messages.find(({ type }) => type === 'tool');
      Object.assign(result ?? {}, { artifact: { path: 'assets/seal.png', files } });
      await agent.graph.updateState(thread('one'), { messages: [result] });
      await agent.invoke(user('Go on.'), thread('one'));
      expect(given(model).map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'tool', 'ai', 'human']);
      expect(given(model)[3]?.text).toContain('is not text');
    },
  );
});
