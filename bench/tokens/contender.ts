// What every library is asked to do, so that the same session can be held with each of them.

/** What the mock model does in one call, in words that each library has a tool for. */
export type Act =
  | { readonly find: string }
  | { readonly activate: string }
  | { readonly read: { readonly skill: string; readonly path: string } }
  | { readonly lookup: string }
  | { readonly say: string };

/** A call of a tool by the name that the library has given it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** How a library's tools are called for what a session does. */
export interface Wording {
  /** For a library that names no skill before it was searched for; the others have no such step. */
  readonly find?: (words: string) => ToolCall;
  readonly activate: (skill: string) => ToolCall;
  readonly read: (skill: string, path: string) => ToolCall;
}

/** A piece of a prompt. Whatever is about skills is told from the conversation itself by the name of its tool. */
export type Segment =
  | { readonly kind: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'definition' | 'call' | 'result'; readonly tool: string; readonly text: string };

/** Everything that the model was given in one call. */
export type ModelCall = readonly Segment[];

/** A conversation with one agent. */
export interface Conversation {
  /** Holds one turn and gives its model calls. */
  say(user: string, acts: readonly Act[]): Promise<readonly ModelCall[]>;
  /** Goes on with what the framework has stored, and with everything else made anew, as another process would. */
  restart(): Promise<Conversation>;
}

export interface ConversationOptions {
  /** Where the skills are. */
  readonly directory: string;
  /** Whether the framework shortens the conversation by its own means. */
  readonly compaction: boolean;
}

/** What there is to say about a library. */
export interface About {
  readonly library: string;
  readonly own: boolean;
  /** Whether the prompt lists the skills, or the model searches for them first. Only like is compared with like. */
  readonly disclosure: 'listed' | 'searched';
  /** What an activation brings beside the body. */
  readonly brings: string;
  /** What of that which others bring it leaves out. */
  readonly lacks: string;
}

/** A library with its framework. */
export interface Contender extends About {
  readonly framework: 'LangChain' | 'AI SDK' | 'Mastra';
  open(options: ConversationOptions): Promise<Conversation>;
}

/** The application's own system prompt. */
export const applicationPrompt = 'You are a helpful colleague.';

/** The application's own tool, whose results fill the context. */
export const lookup = {
  name: 'lookup',
  description: 'Looks something up.',
  parameters: { type: 'object' as const, properties: { query: { type: 'string' as const } } },
  answer: (query: string): string =>
    `Found for ${query}:\n${Array.from({ length: 40 }, (_, row) => `${row + 1}. An entry of the register, of no importance.`).join('\n')}`,
};

/** Says the acts of a turn in the words of a library: a call of a tool each, or the last words. */
export function toSteps(acts: readonly Act[], wording: Wording): readonly (ToolCall | string)[] {
  return acts.flatMap((act): readonly (ToolCall | string)[] => {
    if ('say' in act) return [act.say];
    if ('find' in act) return wording.find === undefined ? [] : [wording.find(act.find)];
    if ('activate' in act) return [wording.activate(act.activate)];
    if ('read' in act) return [wording.read(act.read.skill, act.read.path)];
    return [{ tool: lookup.name, input: { query: act.lookup } }];
  });
}

/** Writes a tool as a model is given it, without what only validators read. */
export function defineTool(name: string, description: string | undefined, schema: unknown): Segment {
  const parameters = { ...Object(schema), $schema: undefined };
  return { kind: 'definition', tool: name, text: JSON.stringify({ name, description, parameters }) };
}
