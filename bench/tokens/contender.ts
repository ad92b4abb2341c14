// What every library is asked to do, so that each of them gets the same session.

/** What the mock model does in one call; each library has a tool for it. */
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
  /** Only for libraries that list no skill before the model has searched for it. */
  readonly find?: (words: string) => ToolCall;
  readonly activate: (skill: string) => ToolCall;
  readonly read: (skill: string, path: string) => ToolCall;
}

/** A piece of a prompt. The name of its tool shows whether it is about skills. */
export type Segment =
  | { readonly kind: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'definition' | 'call' | 'result'; readonly tool: string; readonly text: string };

/** Everything that the model was given in one call. */
export type ModelCall = readonly Segment[];

/** A conversation with one agent. */
export interface Conversation {
  /** Runs one turn and returns its model calls. */
  say(user: string, acts: readonly Act[]): Promise<readonly ModelCall[]>;
  /** Removes all but the last eight messages, as an application does that shortens its own conversation. */
  shorten(): Promise<void>;
  /** Lets the application activate a skill. Missing if the library has no way to do it. */
  activate?(skill: string): Promise<void>;
  /** Continues as another process would: with what the framework has stored, and everything else recreated. */
  restart(): Promise<Conversation>;
}

export interface ConversationOptions {
  /** Where the skills are. */
  readonly directory: string;
  /** Whether the framework shortens the conversation by its own means. */
  readonly compaction: boolean;
}

/** How many messages remain of a conversation that was shortened. */
export const remainingMessages = 8;

/** A library as the tables describe it. */
export interface About {
  readonly library: string;
  readonly own: boolean;
  /** Whether the prompt lists the skills, or the model searches for them first. Only equal kinds are compared. */
  readonly disclosure: 'listed' | 'searched';
  /** What an activation contains beside the body. */
  readonly brings: string;
  /** What other libraries include and this one leaves out. */
  readonly lacks: string;
}

/** An agent without skills, for what only depends on the framework. */
export const noSkills: About = { library: 'no skills', own: false, disclosure: 'listed', brings: '', lacks: '' };

/** Its tools are never called. */
export const noWording: Wording = {
  activate: () => ({ tool: 'none', input: {} }),
  read: () => ({ tool: 'none', input: {} }),
};

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

/** Translates the acts of a turn into tool calls of a library, and its last words into text. */
export function toSteps(acts: readonly Act[], wording: Wording): readonly (ToolCall | string)[] {
  return acts.flatMap((act): readonly (ToolCall | string)[] => {
    if ('say' in act) return [act.say];
    if ('find' in act) return wording.find === undefined ? [] : [wording.find(act.find)];
    if ('activate' in act) return [wording.activate(act.activate)];
    if ('read' in act) return [wording.read(act.read.skill, act.read.path)];
    return [{ tool: lookup.name, input: { query: act.lookup } }];
  });
}

/** Formats a tool as the model gets it, without what only validators read. */
export function defineTool(name: string, description: string | undefined, schema: unknown): Segment {
  const parameters = { ...Object(schema), $schema: undefined };
  return { kind: 'definition', tool: name, text: JSON.stringify({ name, description, parameters }) };
}
