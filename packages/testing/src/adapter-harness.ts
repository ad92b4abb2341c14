// Defines how the adapter suite drives a framework: conversations with a real agent and the framework's mock model.

import type { ActiveSkill, SkillDecision, SkillToolkit } from '@skillful/core';

/** What the mock model answers in one call: tool calls, or its final text. */
export type ScriptedTurn = { readonly calls: readonly ScriptedCall[] } | { readonly text: string };

/** A tool call of the mock model. */
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
  /** The request that the framework carries: a record with the name of the tenant. */
  readonly request?: { readonly tenant: string } | undefined;
  /** Passed to the adapter's option `mentions`. */
  readonly mentions?: boolean | undefined;
}

/** What the mock model, which accepts files of every type, actually received in one call. */
export interface ObservedCall {
  /** All system texts in the order of the prompt. */
  readonly system: string;
  readonly tools: readonly ObservedTool[];
  /** All messages of the prompt except system messages, in order. */
  readonly messages: readonly ObservedMessage[];
  /** The tool results in the prompt, in order. */
  readonly results: readonly string[];
  /** The files in those results, in order, with their bytes in base64; in user messages, if a result cannot have files. */
  readonly files: readonly ObservedFile[];
}

/** A message that the mock model received. */
export interface ObservedMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** Its text parts, or the texts of its tool results, separated by empty lines. */
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
  /** The calls that a person is asked about. In a session of a harness that `asksPeople`, empty if the run is over. */
  readonly waiting?: readonly WaitingCall[];
}

/** A call of a tool that waits for a person. */
export interface WaitingCall {
  /** Identifies the question in its answer. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** The text for the person, if the framework passes it on. */
  readonly question: string | undefined;
}

/** The answer of a person. */
export interface ScriptedAnswer {
  readonly id: string;
  readonly approved: boolean;
  /** The reason for a refusal, for the model. */
  readonly reason?: string;
}

/** The options of a session. */
export interface AdapterSessionOptions {
  readonly toolkit: SkillToolkit;
  readonly system: string;
  /** Directory for the framework's store, which lasts from one process to the next. */
  readonly directory: string;
  /** Whether the framework shortens the conversation by clearing results, summarising or trimming. */
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
  /** Answers the questions that the turn waits for, and continues the turn. */
  answer?(answers: readonly ScriptedAnswer[], script: readonly ScriptedTurn[]): Promise<AdapterRun>;
  /** Activates and ends skills between two turns, as an application would. */
  decide(decision: SkillDecision): Promise<void>;
  /** Returns the active skills according to the adapter. */
  active(): Promise<readonly ActiveSkill[]>;
  /** Deletes the messages of a turn, as returned by `messagesOfTurn`. Absent if the framework cannot do that. */
  forget?(turn: number): Promise<void>;
  /** Returns, as text, what the framework stores where clients can read it. Absent if it stores nothing there. */
  stored?(): Promise<string>;
  /** Stores everything, so that another process can continue. */
  close(): Promise<void>;
}

/** Returns the messages of a turn, from a user message up to the next one; `-1` is the last turn. */
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

/** What the tests of an adapter provide. */
export interface AdapterHarness {
  /** Name of the framework, for the titles of the tests. */
  readonly framework: string;
  /**
   * Set if the framework refuses an unknown tool before an adapter sees the call, and names the activation tool in its answer.
   */
  readonly refusesMistakenCalls?: boolean;
  /**
   * Whether the adapter asks people with the approval of the framework, so that a session has `answer`. If `false`, only the
   * application asks in this version of the framework, and the adapter refuses a toolkit that would ask. Leave it out if the
   * framework has no approval.
   */
  readonly asksPeople?: boolean;
  /** Set if the framework asks about the application's tools even if the adapter approves, as LangChain did before 1.5. */
  readonly cannotSkipQuestions?: boolean;
  /** Set if no model of the framework can read images, PDFs or recordings, so that it gets a sentence instead. */
  readonly hasNoFiles?: boolean;
  /** Set if the framework loses everything of a run that fails, so that nobody named a skill in it. */
  readonly losesFailedRuns?: boolean;
  /** Holds one conversation with a new agent, whose adapter gets `about: { tenant: 'acme' }`. */
  converse(conversation: AdapterConversation): Promise<AdapterRun>;
  /** Opens a session in a directory, or continues the session that is stored there. */
  openSession(options: AdapterSessionOptions): Promise<AdapterSession>;
}
