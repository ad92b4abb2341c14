// A scripted provider for the code in documents: it speaks OpenAI's protocol and that of the AI gateway, and calls a skill that fits.

/** What a request asks, in neither protocol. */
interface Question {
  /** The last words of the user. */
  readonly text: string;
  /** Whether a tool was called since. */
  readonly called: boolean;
  /** The names of the skills that the model may activate. */
  readonly skills: readonly string[];
}

interface Part {
  readonly type: string;
  readonly text?: string;
}

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly Part[];
}

interface OfferedTool {
  readonly name?: string;
  readonly parameters?: InputSchema;
  readonly inputSchema?: InputSchema;
}

interface InputSchema {
  readonly properties?: { readonly name?: { readonly enum?: readonly string[] } };
}

interface Body {
  readonly input?: readonly Item[];
  readonly prompt?: readonly Item[];
  readonly tools?: readonly OfferedTool[];
  readonly stream?: boolean;
}

/** Answers a request to a provider; throws for any other address, so that no document needs a network. */
export async function answer(request: Request): Promise<Response> {
  const body = (await request.json()) as Body;
  if (body.stream === true) throw new Error('The scripted provider does not stream.');
  if (request.url === 'https://api.openai.com/v1/responses') {
    return Response.json(asOpenAi(decide(read(body.input, body.tools))));
  }
  // Version 3 for AI SDK 6, version 4 for 7.
  if (/^https:\/\/ai-gateway\.vercel\.sh\/v[34]\/ai\/language-model$/u.test(request.url)) {
    return Response.json(asGateway(decide(read(body.prompt, body.tools))));
  }
  throw new Error(`No document may ask ${request.url}.`);
}

function read(items: readonly Item[] = [], tools: readonly OfferedTool[] = []): Question {
  const last = items.findLastIndex(({ role }) => role === 'user');
  const content = items[last]?.content ?? '';
  const parts = typeof content === 'string' ? [content] : content.map(({ text = '' }) => text);
  const activation = tools.find(({ name }) => name === 'activate_skill');
  const schema = activation?.parameters ?? activation?.inputSchema;
  return { text: parts.join('\n'), called: items.length > last + 1, skills: schema?.properties?.name?.enum ?? [] };
}

type Answer = { readonly skill: string } | { readonly words: string };

/** Activates the skill whose name is in the user's words, once. */
function decide({ text, called, skills }: Question): Answer {
  const words = text.toLowerCase();
  const skill = skills.find((name) => words.includes(name.split('-').join(' ')));
  return called || skill === undefined ? { words: 'Done.' } : { skill };
}

let answers = 0;

/** Every identifier is used once, because LangGraph replaces a message by a later one with the same. */
function asOpenAi(answer: Answer): unknown {
  answers += 1;
  const id = String(answers);
  const output =
    'skill' in answer
      ? { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, status: 'completed', ...activate(answer.skill) }
      : { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content: [text(answer.words)] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: 'm',
    output: [output],
    usage,
  };
}

function activate(name: string) {
  return { name: 'activate_skill', arguments: JSON.stringify({ name }) };
}

function text(words: string) {
  return { type: 'output_text', text: words, annotations: [] };
}

function asGateway(answer: Answer): unknown {
  const content =
    'skill' in answer
      ? {
          type: 'tool-call',
          toolCallId: 'call_1',
          toolName: 'activate_skill',
          input: JSON.stringify({ name: answer.skill }),
        }
      : { type: 'text', text: answer.words };
  const finishReason = { unified: 'skill' in answer ? 'tool-calls' : 'stop' };
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  return { content: [content], finishReason, usage, warnings: [] };
}
