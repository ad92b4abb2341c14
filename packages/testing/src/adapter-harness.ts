// How the adapter suite drives a framework: one conversation through a real agent with the framework's own mock model.

import type { ActiveSkill, SkillDecision, SkillToolkit } from '@skillful/core';

/** What the mock model answers in one call: calls of tools, or its final text. */
export type ScriptedTurn = { readonly calls: readonly ScriptedCall[] } | { readonly text: string };

/** A call of a tool, as the mock model makes it. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: unknown;
  /** The id of the call, if it matters; some local servers repeat the same one. */
  readonly id?: string;
}

/** One conversation to hold. */
export interface AdapterConversation {
  readonly toolkit: SkillToolkit;
  /** The application's own system prompt. */
  readonly system: string;
  /** What the user says. */
  readonly user: string;
  readonly script: readonly ScriptedTurn[];
  /** Whether the agent streams. */
  readonly stream: boolean;
  readonly signal?: AbortSignal | undefined;
  /** What the framework carries as the request: a record with the tenant's name. */
  readonly request?: { readonly tenant: string } | undefined;
  /** Passed to the adapter's option `mentions`. */
  readonly mentions?: boolean | undefined;
}

/** What the mock model really received in one call. */
export interface ObservedCall {
  /** All system text in the order of the prompt. */
  readonly system: string;
  readonly tools: readonly ObservedTool[];
  /** Every message of the prompt but those of the system, in order. */
  readonly messages: readonly ObservedMessage[];
  /** The results of tools in the prompt, in order. */
  readonly results: readonly string[];
  /** The files among those results, in order, with their bytes in base64. */
  readonly files: readonly ObservedFile[];
}

/** A message that the mock model received. */
export interface ObservedMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** Its text parts, or the texts of its tool results, with an empty line between them. */
  readonly text: string;
}

/** A file that the mock model received. */
export interface ObservedFile {
  readonly mediaType: string;
  readonly data: string;
}

/** A tool that the mock model was offered. */
export interface ObservedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** The outcome of one conversation, or of one turn of a session. */
export interface AdapterRun {
  /** One entry for each call of the model. */
  readonly calls: readonly ObservedCall[];
  /** The final text of the agent. */
  readonly answer: string;
  /** The calls that a person is asked about; none if the run is over. */
  readonly waiting?: readonly WaitingCall[];
}

/** A call of a tool that waits for a person. */
export interface WaitingCall {
  /** Names the question in its answer. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** What the person reads, if the framework passes it on. */
  readonly question: string | undefined;
}

/** What a person answers. */
export interface ScriptedAnswer {
  readonly id: string;
  readonly approved: boolean;
  /** Why not, for the model. */
  readonly reason?: string;
}

/** The options of a session. */
export interface AdapterSessionOptions {
  readonly toolkit: SkillToolkit;
  readonly system: string;
  /** Keeps the framework's own store between processes. */
  readonly directory: string;
  /** Whether the framework shortens the conversation by its own means: it clears results, summarises or trims. */
  readonly shortens: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A conversation of many turns. */
export interface AdapterSession {
  /**
   * Holds one turn. The agent also has the tool `lookup`, whose results are long, and the tool `publish`, about which the
   * application itself asks if the framework has an approval.
   */
  say(user: string, script: readonly ScriptedTurn[]): Promise<AdapterRun>;
  /** Answers what the turn waits for, and continues it. */
  answer?(answers: readonly ScriptedAnswer[], script: readonly ScriptedTurn[]): Promise<AdapterRun>;
  /** Activates and ends skills between two turns, as an application does. */
  decide(decision: SkillDecision): Promise<void>;
  /** What the adapter says is active. */
  active(): Promise<readonly ActiveSkill[]>;
  /** Deletes the messages of a turn, as `messagesOfTurn` returns them, if the framework can. */
  forget?(turn: number): Promise<void>;
  /** Stores everything, so that another process can continue. */
  close(): Promise<void>;
}

/** Returns what a user said in a turn, and everything up to what they said next; `-1` is the last turn. */
export function messagesOfTurn<Message>(
  messages: readonly Message[],
  isOfUser: (message: Message) => boolean,
  turn: number,
): readonly Message[] {
  const starts = messages.flatMap((message, index) => (isOfUser(message) ? [index] : []));
  const start = starts.at(turn);
  return start === undefined ? [] : messages.slice(start, starts[starts.indexOf(start) + 1]);
}

/** The result of `lookup`, so long that a few of them make a framework shorten the conversation. */
export const lookupResult: string = 'Nothing of importance. '.repeat(100);

/** The result of `publish`. */
export const publishResult = 'It is published.';

/** What an adapter's tests provide. */
export interface AdapterHarness {
  /** The framework's name, for the titles of the tests. */
  readonly framework: string;
  /** The framework refuses an unknown tool before an adapter sees the call; it then names the tool that activates. */
  readonly refusesMistakenCalls?: boolean;
  /**
   * The adapter asks people with the approval of the framework: a session has `answer`. If `false`, only the application asks them
   * in this version of the framework, and the adapter refuses a toolkit that would. Leave it out if the framework has no approval.
   */
  readonly asksPeople?: boolean;
  /** The framework asks about the application's tools whatever an adapter says, as LangChain did before 1.5. */
  readonly cannotSkipQuestions?: boolean;
  /** Holds one conversation with a new agent, whose adapter is given `about: { tenant: 'acme' }`. */
  converse(conversation: AdapterConversation): Promise<AdapterRun>;
  /** Opens the session of a directory, or continues the one that is stored there. */
  openSession(options: AdapterSessionOptions): Promise<AdapterSession>;
}
