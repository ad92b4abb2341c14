import type { AIMessageFields } from '@langchain/core/messages';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { AIMessage, AIMessageChunk, createAgent, fakeModel } from 'langchain';
import { describe, expect, it } from 'vitest';
import { correctCalls } from '../src/correct.ts';
import { skillsMiddleware } from '../src/index.ts';

const source = memorySource({
  'csv-report/SKILL.md': '---\nname: csv-report\ndescription: Turns a CSV into a report.\n---\nREPORT-BODY\n',
});
const toolkit = createToolkit(await loadCatalog([source]));
const known = ['lookup', 'activate_skill'];
const recover = (fields: AIMessageFields): Promise<AIMessage> =>
  correctCalls(new AIMessage(fields), toolkit, { offered: known });

const call = { type: 'tool_call' as const, id: 'call_1', name: 'csv_report', args: { file: 'a.csv' } };
const other = { type: 'tool_call' as const, id: 'call_2', name: 'lookup', args: { query: 'q' } };
const meant = { name: 'csv-report' };
const activation = { type: 'tool_call', id: 'call_1', name: 'activate_skill', args: meant };

/** Creates a toolkit with a skill that takes arguments. */
async function takingArguments() {
  const skill = '---\nname: pdf\ndescription: D.\nargument-hint: "[file]"\n---\nRead it.';
  return createToolkit(await loadCatalog([memorySource({ 'pdf/SKILL.md': skill })]));
}

describe('correctCalls', () => {
  it('rewrites the blocks of Anthropic, those of a stream, too', async () => {
    const { content, tool_calls } = await recover({
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_1', name: 'csv_report', input: { file: 'a.csv' } },
        { type: 'tool_use', id: 'call_1', name: 'csv_report', input: '{"file":"a.csv"}' },
        { type: 'tool_use', id: 'call_2', name: 'lookup', input: { query: 'q' } },
      ],
      tool_calls: [call, other],
    });
    expect(content).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'call_1', name: 'activate_skill', input: meant },
      { type: 'tool_use', id: 'call_1', name: 'activate_skill', input: '{"name":"csv-report"}' },
      { type: 'tool_use', id: 'call_2', name: 'lookup', input: { query: 'q' } },
    ]);
    expect(tool_calls).toEqual([activation, other]);
  });

  it('rewrites the calls that OpenAI has beside the content, and the items of its responses', async () => {
    const { additional_kwargs, response_metadata } = await recover({
      content: '',
      tool_calls: [call, other],
      additional_kwargs: {
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'csv_report', arguments: '{"file":"a.csv"}' } },
          { id: 'call_2', type: 'function', function: { name: 'lookup', arguments: '{"query":"q"}' } },
        ],
      },
      response_metadata: {
        output: [
          { type: 'reasoning', id: 'rs_1', summary: [] },
          { type: 'function_call', call_id: 'call_1', name: 'csv_report', arguments: '{"file":"a.csv"}' },
        ],
      },
    });
    expect(additional_kwargs.tool_calls).toEqual([
      { id: 'call_1', type: 'function', function: { name: 'activate_skill', arguments: '{"name":"csv-report"}' } },
      { id: 'call_2', type: 'function', function: { name: 'lookup', arguments: '{"query":"q"}' } },
    ]);
    expect(response_metadata).toEqual({
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', call_id: 'call_1', name: 'activate_skill', arguments: '{"name":"csv-report"}' },
      ],
    });
  });

  it('rewrites the blocks of Google, and leaves their signatures', async () => {
    const { content } = await recover({
      content: [
        {
          type: 'functionCall',
          functionCall: { name: 'csv_report', args: { file: 'a.csv' } },
          thoughtSignature: 'abc',
        },
        { type: 'functionCall', functionCall: { name: 'lookup', args: {} } },
      ],
      tool_calls: [call, other],
    });
    expect(content).toEqual([
      { type: 'functionCall', functionCall: { name: 'activate_skill', args: meant }, thoughtSignature: 'abc' },
      { type: 'functionCall', functionCall: { name: 'lookup', args: {} } },
    ]);
  });

  it('rewrites LangChain’s own standard blocks without doubling a call', async () => {
    const { contentBlocks, tool_calls } = await recover({
      content: [{ type: 'text', text: 'I look.' }, call],
      tool_calls: [call],
      response_metadata: { output_version: 'v1' },
    });
    expect(contentBlocks).toEqual([{ type: 'text', text: 'I look.' }, activation]);
    expect(tool_calls).toEqual([activation]);
  });

  it('keeps an invalid call that is not ours, and carries out one that is', async () => {
    const broken = { type: 'invalid_tool_call' as const, args: '{"fi', error: 'Malformed args.' };
    const foreign = { ...broken, id: 'call_3', name: 'lookup' };
    const { tool_calls, invalid_tool_calls } = await recover({
      content: '',
      tool_calls: [other],
      invalid_tool_calls: [foreign, { ...broken, id: 'call_1', name: 'csv_report' }],
    });
    expect(tool_calls).toEqual([other, activation]);
    expect(invalid_tool_calls).toEqual([foreign]);
  });

  it('gives a call of a skill tool that cannot be read to the tool, without input, because its answer says how to call it', async () => {
    const broken = { type: 'invalid_tool_call' as const, id: 'call_3', name: 'activate_skill', args: '{"na' };
    const answered = { type: 'tool_call', id: 'call_3', name: 'activate_skill', args: {} };
    const good = { type: 'tool_call' as const, id: 'call_4', name: 'activate_skill', args: meant };
    const written = (id: string, args: string) => {
      return { id, type: 'function' as const, function: { name: 'activate_skill', arguments: args } };
    };
    const { tool_calls, invalid_tool_calls, additional_kwargs, response_metadata } = await recover({
      content: '',
      tool_calls: [good],
      invalid_tool_calls: [broken],
      additional_kwargs: { tool_calls: [written('call_4', JSON.stringify(meant)), written('call_3', '{"na')] },
      response_metadata: {
        output: [{ type: 'function_call', call_id: 'call_3', name: 'activate_skill', arguments: '' }],
      },
    });
    expect(tool_calls).toEqual([good, answered]);
    expect(invalid_tool_calls).toEqual([]);
    expect(additional_kwargs.tool_calls).toEqual([written('call_4', JSON.stringify(meant)), written('call_3', '{}')]);
    expect(response_metadata['output']).toEqual([
      { type: 'function_call', call_id: 'call_3', name: 'activate_skill', arguments: '{}' },
    ]);
    const hidden = { ...broken, name: 'read_skill_resource' };
    expect((await recover({ content: '', invalid_tool_calls: [hidden] })).invalid_tool_calls).toEqual([hidden]);
  });

  it('reads an input that is JSON in JSON, or whose call has no id, in a stream', async () => {
    const broken = { type: 'invalid_tool_call' as const, id: '', name: 'activate_skill', error: 'Malformed args.' };
    for (const args of [JSON.stringify(meant), JSON.stringify(JSON.stringify(meant))]) {
      const { tool_calls, invalid_tool_calls } = await recover({
        content: '',
        invalid_tool_calls: [{ ...broken, args }],
      });
      expect([tool_calls, invalid_tool_calls]).toEqual([[{ ...activation, id: '' }], []]);
    }
  });

  it('takes no input that LangChain has completed, because a half argument may do harm', async () => {
    const args = '{"skill":"csv-report","path":"scripts/clean.py","arguments":["--delete","/home/ann/proj';
    const chunk = { type: 'tool_call_chunk' as const, index: 0, id: 'call_1', name: 'activate_skill', args };
    const cut = new AIMessageChunk({ content: '', tool_call_chunks: [chunk, { ...chunk, index: 1, name: 'lookup' }] });
    expect(cut.tool_calls?.map(({ args: { path } }) => path)).toEqual(['scripts/clean.py', 'scripts/clean.py']);
    const { tool_calls = [] } = await correctCalls(cut, toolkit, { offered: known });
    expect(tool_calls.map(({ name, args: read }) => [name, Object.keys(read).length])).toEqual([
      ['activate_skill', 0],
      ['lookup', 3],
    ]);
    const named = { ...chunk, name: 'pdf', args: '{"file":"/home' };
    const answer = new AIMessageChunk({ content: '', tool_call_chunks: [named] });
    expect(answer.tool_calls).toMatchObject([{ args: { file: '/home' } }]);
    expect((await correctCalls(answer, await takingArguments(), {})).tool_calls).toMatchObject([
      { name: 'activate_skill', args: { name: 'pdf' } },
    ]);
    for (const end of ['\\', '\\\\', '\\"']) {
      const ending = new AIMessageChunk({ content: '', tool_call_chunks: [{ ...chunk, args: `${args}${end}` }] });
      expect((await correctCalls(ending, toolkit, { offered: known })).tool_calls).toMatchObject([{ args: {} }]);
    }
  });

  it.each(['{"name":"csv-report","arguments":"a\nb\tc"}', '{"name":"csv-report","arguments":"\\"{["}', ''])(
    'takes the whole input %j of a stream as LangChain reads it',
    async (args) => {
      const chunk = { type: 'tool_call_chunk' as const, index: 0, id: 'call_1', name: 'activate_skill', args };
      const whole = new AIMessageChunk({ content: '', tool_call_chunks: [chunk] });
      expect(await correctCalls(whole, toolkit, { offered: known })).toBe(whole);
    },
  );

  it('keeps the arguments of each call that uses the name of a skill', async () => {
    const calls = ['a.pdf', 'b.pdf'].map((file, index) => ({ ...call, id: `${index}`, name: 'pdf', args: { file } }));
    const content = calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }));
    const answer = new AIMessage({ content, tool_calls: calls });
    const corrected = await correctCalls(answer, await takingArguments(), {});
    const inputs = [
      { name: 'pdf', arguments: 'a.pdf' },
      { name: 'pdf', arguments: 'b.pdf' },
    ];
    expect(corrected.tool_calls?.map(({ args }) => args)).toEqual(inputs);
    expect(corrected.content).toMatchObject(inputs.map((input) => ({ input })));
  });

  it('rewrites an answer that came in pieces', async () => {
    const [args, rest] = ['{"file":', '"a.csv"}'];
    const begun = new AIMessageChunk({
      content: [{ index: 0, type: 'tool_use', id: 'call_1', name: 'csv_report', input: args }],
      tool_call_chunks: [{ type: 'tool_call_chunk', index: 0, id: 'call_1', name: 'csv_report', args }],
    });
    const whole = begun.concat(
      new AIMessageChunk({
        content: [{ index: 0, type: 'tool_use', input: rest }],
        tool_call_chunks: [{ type: 'tool_call_chunk', index: 0, args: rest }],
      }),
    );
    expect(whole.tool_calls).toEqual([call]);
    const { content, tool_calls } = await correctCalls(whole, toolkit, { offered: known });
    expect(content).toEqual([
      { index: 0, type: 'tool_use', id: 'call_1', name: 'activate_skill', input: '{"name":"csv-report"}' },
    ]);
    expect(tool_calls).toEqual([activation]);
  });

  it('keeps the usage that an integration has set later', async () => {
    const usage_metadata = { input_tokens: 5, output_tokens: 7, total_tokens: 12 };
    const answer = Object.assign(new AIMessage({ content: '', tool_calls: [call] }), { usage_metadata });
    expect((await correctCalls(answer, toolkit, { offered: known })).usage_metadata).toEqual(usage_metadata);
  });

  it('gives an answer that has nothing of ours back as it is', async () => {
    const answer = new AIMessage({ content: '', tool_calls: [other, { ...call, name: 'unknown' }] });
    expect(await correctCalls(answer, toolkit, { offered: known })).toBe(answer);
  });
});

it('an agent keeps the recovered call in its messages, in each place', async () => {
  const model = fakeModel();
  const input = { file: 'a.csv' };
  const content = [{ type: 'tool_use', id: 'call_1', name: 'csv_report', input }];
  model.respond(new AIMessage({ content, tool_calls: [call] })).respond(new AIMessage('Done.'));
  const agent = createAgent({ model, middleware: [skillsMiddleware(toolkit)] });
  await agent.invoke({ messages: [{ role: 'user', content: 'Make a report.' }] });
  const [, answer, result] = model.calls[1]?.messages.slice(1) ?? [];
  expect(answer?.content).toEqual([{ type: 'tool_use', id: 'call_1', name: 'activate_skill', input: meant }]);
  expect(result?.text).toContain('REPORT-BODY');
});

it('an agent goes on if the model wrote the call of a skill tool wrong', async () => {
  const broken = { type: 'invalid_tool_call' as const, id: 'call_1', name: 'activate_skill', args: '{"name": "csv' };
  const model = fakeModel();
  model.respond(new AIMessage({ content: '', invalid_tool_calls: [broken] })).respond(new AIMessage('Done.'));
  const agent = createAgent({ model, middleware: [skillsMiddleware(toolkit)] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Make a report.' }] });
  expect(messages.map(({ text }) => text)).toEqual([
    'Make a report.',
    '',
    '`name` is missing in the input of activate_skill. Call activate_skill with { "name": string }.',
    'Done.',
  ]);
});
