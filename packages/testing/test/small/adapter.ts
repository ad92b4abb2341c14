// A whole adapter, for a framework that consists of the types at the top and of the loop at the end. It passes both suites.

import type {
  MessageForm,
  SkillContext,
  SkillState,
  SkillTool,
  SkillToolkit,
  SkillToolPart,
  TextPart,
} from '@skillful/core';

/** A call of a tool. */
type Call = { readonly id: string; readonly name: string; readonly input: unknown };
/** A message of the framework. */
export type Message = { readonly text: string; readonly files?: readonly SkillToolPart[] } & (
  | { readonly role: 'user' }
  | { readonly role: 'assistant'; readonly calls?: readonly Call[] }
  | { readonly role: 'tool'; readonly id: string; readonly name: string }
);
/** A tool, as a model reads it. */
type Definition = Pick<SkillTool, 'name' | 'description' | 'inputSchema'>;
/** A tool of the application. */
export type Tool = Definition & { readonly run: (input: unknown) => Promise<string> };
/** A model, which answers a prompt. */
export type Model = (system: string, messages: readonly Message[], tools: readonly Definition[]) => Promise<Message>;

const isText = (part: TextPart | SkillToolPart): part is TextPart => 'text' in part;
const join = (texts: readonly string[]): string => texts.filter(Boolean).join('\n\n');
/** Shows the messages to the core, and applies its changes. */
export const form: MessageForm<Message, SkillToolPart> = {
  view(message) {
    const { role, text } = message;
    if (role !== 'tool') return [{ ...message, said: JSON.stringify(message) }];
    const { id, name } = message;
    return [{ role, said: `result of ${id}`, results: [{ id, tool: name, text }] }];
  },
  change(message, { appended, rewrite }) {
    if (message.role !== 'tool') return { ...message, text: join([message.text, ...appended.map(({ text }) => text)]) };
    const result = rewrite(message.id, message.files ?? []);
    if (result === undefined) return message;
    return { ...message, text: result.text, files: result.content.flatMap((part) => (isText(part) ? [] : part)) };
  },
  restore: (message) => message, // it stores all results whole
  createUser: (parts) => ({
    role: 'user',
    text: join(parts.map((part) => (isText(part) ? part.text : ''))),
    files: parts.flatMap((part) => (isText(part) ? [] : part)),
  }),
  createResult: ({ id, name }, text) => ({ role: 'tool', id, name, text }),
  model: () => 'result', // its models read files in results
};

/** Adds what the model answers, and the results of the tools that it calls, to the messages. Returns the state to store. */
export async function runAgent(
  model: Model,
  messages: Message[],
  {
    toolkit,
    system,
    tools,
    ...options
  }: SkillContext & {
    readonly toolkit: SkillToolkit;
    readonly system: string;
    readonly tools: readonly Tool[];
  },
): Promise<SkillState> {
  toolkit.assertNamesFree(tools.map(({ name }) => name));
  const all = [...tools, ...toolkit.tools];
  const run: SkillContext = { ...options, run: {}, offered: all.map(({ name }) => name), asks: false }; // it asks nobody
  for (let { state } = run; ; ) {
    const untold: (() => void)[] = [];
    const prepared = await toolkit.prepareMessages(messages, form, { ...run, state, untold });
    const offered = all.filter(({ name }) => !prepared.hiddenTools.includes(name));
    const answer = await model(join([system, prepared.system]), prepared.messages, offered);
    for (const tell of untold) tell();
    state = prepared.state;
    if (answer.role !== 'assistant' || !answer.calls?.length) {
      messages.push(answer);
      return state;
    }
    const { context } = prepared;
    const calls: Call[] = [];
    for (const call of answer.calls) calls.push({ ...call, ...(await toolkit.correctCall(call, context)) });
    const siblings = calls.map(({ name, input }) => ({ name, input }));
    const runTool = async ({ id, name, input }: Call): Promise<Pick<Message, 'text' | 'files'>> => {
      const own = { ...context, call: id, siblings };
      const skillTool = toolkit.tools.find((tool) => tool.name === name);
      if (skillTool) return skillTool.execute(input, own);
      const judged = await toolkit.judge({ name, input }, own);
      if (judged.effect === 'deny') return judged;
      return { text: (await tools.find((tool) => tool.name === name)?.run(input)) ?? `There is no tool ${name}.` };
    };
    const results = await Promise.all(calls.map(runTool));
    messages.push({ ...answer, calls });
    for (const [at, { id, name }] of calls.entries()) {
      const { text = '', files = [] } = results[at] ?? {};
      messages.push({ role: 'tool', id, name, text, files });
    }
  }
}
