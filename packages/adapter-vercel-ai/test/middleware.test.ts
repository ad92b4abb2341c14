import { readdirSync, readFileSync } from 'node:fs';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { APICallError, generateText, type ModelMessage, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { skillsMiddleware, skillTools } from '../src/index.ts';
import { lookup } from './harness.ts';
import { parted, read, timesIn } from './read.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nMAIL-BODY\n',
});
const toolkit = createToolkit(await loadCatalog([source]));
const script = [{ calls: [{ tool: 'activate_skill', input: { name: 'report' } }] }, { text: 'Done.' }];
const stopWhen = stepCountIs(5);

describe('skillsMiddleware', () => {
  it.each([
    ['generateText', generateText],
    ['streamText', streamText],
  ])('gives a model the same as withSkills: %s', async (_, call) => {
    const scripted = scriptedModel(script);
    const model = wrapLanguageModel({ model: scripted, middleware: skillsMiddleware(toolkit) });
    const tools = skillTools(toolkit);
    await (await call({ model, tools, stopWhen, system: 'Be kind.', prompt: '/mail bob' })).text;
    const { system } = await toolkit.prepare([]);
    expect(observedCalls(scripted).map((observed) => observed.system)).toEqual(Array(2).fill(`Be kind.\n\n${system}`));
    // Some models accept only one system message.
    expect(read(scripted).map((text) => timesIn(text, '"role":"system"'))).toEqual([1, 1]);
    expect(read(scripted).map((text) => [timesIn(text, 'MAIL-BODY'), timesIn(text, 'REPORT-BODY')])).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  it('offers the model no tool that skills hide', async () => {
    const skills = createToolkit(await loadCatalog([source]), { unlocks: { report: ['lookup'] } });
    const scripted = scriptedModel(script);
    const model = wrapLanguageModel({ model: scripted, middleware: skillsMiddleware(skills) });
    await generateText({ model, tools: { lookup, ...skillTools(skills) }, stopWhen, prompt: 'Go.' });
    const offered = observedCalls(scripted).map(({ tools }) => tools.some(({ name }) => name === 'lookup'));
    expect(offered).toEqual([false, true]);
  });

  it('reports each event once if the AI SDK calls the model again after an error', async () => {
    const events: string[] = [];
    const heard = createToolkit(await loadCatalog([source]), { onEvent: ({ type }) => events.push(type) });
    const scripted = scriptedModel([{ text: 'Done.' }]);
    const { doGenerate } = scripted;
    scripted.doGenerate = async (options) => {
      scripted.doGenerate = doGenerate;
      const responseHeaders = { 'retry-after-ms': '1' };
      throw new APICallError({
        message: '503',
        url: '',
        requestBodyValues: options,
        isRetryable: true,
        responseHeaders,
      });
    };
    const model = wrapLanguageModel({ model: scripted, middleware: skillsMiddleware(heard) });
    await generateText({ model, tools: skillTools(heard), prompt: '/mail bob' });
    expect(events).toEqual(['offered', 'activated', 'included', 'offered', 'included']);
  });

  it('stops working on skills if the signal of its options is aborted', async () => {
    const middleware = skillsMiddleware(
      createToolkit(() => new Promise(() => {})),
      { signal: AbortSignal.abort(new Error('Stop.')) },
    );
    const model = wrapLanguageModel({ model: scriptedModel([{ text: 'Done.' }]), middleware });
    await expect(generateText({ model, prompt: 'Hi.', maxRetries: 0 })).rejects.toThrow('Stop.');
  });

  it('mentions nothing without the tools, and keeps what the state says in a shortened conversation', async () => {
    const model = scriptedModel([{ text: 'Done.' }]);
    const state = { skills: { mail: { by: 'user' as const, at: 1, digest: '00000000', key: 'gone' } } };
    const messages: ModelMessage[] = [{ role: 'user', content: 'Go on.' }];
    const middleware = skillsMiddleware(toolkit, { state });
    await generateText({ model: wrapLanguageModel({ model, middleware }), messages });
    const { system, said } = parted(model);
    expect([system, timesIn(said, 'MAIL-BODY')]).toEqual(['', 1]);
  });
});

describe('the package', () => {
  it('imports nothing of the AI SDK at run time except its version', () => {
    const directory = new URL('../src/', import.meta.url);
    const imports = readdirSync(directory)
      .map((name) => readFileSync(new URL(name, directory), 'utf8'))
      .flatMap((text) => text.match(/^(?:im|ex)port [^;]* from '[^.][^']*'/gm) ?? []);
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.filter((line) => !/^\w+ type/.test(line))).toEqual(["import ai from 'ai/package.json'"]);
  });
});
