// Anthropic's prompt cache, followed to the requests that LangChain's own integration sends.

import { ChatAnthropic } from '@langchain/anthropic';
import { MemorySaver } from '@langchain/langgraph';
import { anthropicPromptCachingMiddleware, createAgent, SystemMessage } from 'langchain';
import { afterEach, expect, it, vi } from 'vitest';
import { decide, skillsMiddleware } from '../src/index.ts';
import { thread, toolkitOf, use } from './support.ts';

const toolkit = toolkitOf({ preload: ['policy'] });
const ephemeral = { type: 'ephemeral' } as const;

interface Request {
  readonly cache_control?: unknown;
  readonly system: readonly object[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[];
}

const answer = (content: readonly object[], stop_reason = 'end_turn') => ({
  id: crypto.randomUUID(),
  type: 'message',
  role: 'assistant',
  model: 'm',
  usage: { input_tokens: 1, output_tokens: 1 },
  content,
  stop_reason,
});
const says = (text: string) => answer([{ type: 'text', text }]);
const activates = (name: string) =>
  answer([{ type: 'tool_use', id: `call_${name}`, name: 'activate_skill', input: { name } }], 'tool_use');

/** Answers each request with the next of the answers, and returns what was sent. */
function stubFetch(answers: readonly object[]): readonly Request[] {
  const sent: Request[] = [];
  vi.stubGlobal('fetch', async (_: unknown, init?: RequestInit) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json(answers[sent.length - 1]);
  });
  return sent;
}

/** All that is cached of a request, in order, without the breakpoints. */
function blocksOf({ system, messages }: Request): readonly string[] {
  const said = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => ({ role, ...block })),
  );
  return [...system, ...said].map((block) => JSON.stringify({ ...block, cache_control: undefined }));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('begins each request with the whole one before it, and leaves every breakpoint where it is', async () => {
  const answers = [says('Sent.'), activates('report'), says('Written.'), says('Noted.'), says('Bye.')];
  const sent = stubFetch(answers);
  const agent = createAgent({
    model: new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey: 'k' }),
    systemPrompt: new SystemMessage({ content: [{ type: 'text', text: 'Be kind.', cache_control: ephemeral }] }),
    checkpointer: new MemorySaver(),
    middleware: [
      use(anthropicPromptCachingMiddleware, { ttl: '1h', minMessagesToCache: 1 }),
      skillsMiddleware(toolkit),
    ],
  });
  const say = (text: string) => {
    const content = [{ type: 'text', text, cache_control: ephemeral }];
    return agent.invoke({ messages: [{ role: 'user', content }] }, thread('one'));
  };
  await say('/mail bob');
  await say('Write the report.');
  await decide(toolkit, { activate: ['notes'] }, { agent, config: thread('one') });
  await say('Note it.');
  await say('Thanks.');

  const blocks = sent.map(blocksOf);
  for (const [index, before] of blocks.slice(0, -1).entries())
    expect(blocks[index + 1]?.slice(0, before.length)).toEqual(before);
  for (const body of ['MAIL-BODY to bob', 'REPORT-BODY', 'NOTES-BODY', 'POLICY-BODY'])
    expect(blocks.at(-1)?.filter((block) => block.includes(body))).toHaveLength(1);
  expect(sent.map((request) => request.cache_control)).toEqual(sent.map(() => ({ ...ephemeral, ttl: '1h' })));
  const marked = sent
    .at(-1)
    ?.messages.flatMap(({ content }) =>
      (typeof content === 'string' ? [] : content).filter((block) => 'cache_control' in block),
    );
  expect(marked).toEqual(
    ['/mail bob', 'Write the report.', 'Note it.', 'Thanks.'].map((text) => ({
      type: 'text',
      text,
      cache_control: ephemeral,
    })),
  );
  expect(sent.at(-1)?.system).toEqual([
    { type: 'text', text: 'Be kind.', cache_control: ephemeral },
    { type: 'text', text: expect.stringContaining('POLICY-BODY') },
  ]);
});
