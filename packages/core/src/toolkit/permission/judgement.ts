// What is decided about a tool call before it runs. Types only.

import type { ApprovalQuestion } from '../../policy/question.ts';

/** A call of a tool by name. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** What is decided about a tool call. */
export type Judgement =
  /** Nothing is said about it: it runs, unless the application decides otherwise. */
  | { readonly effect: 'none' }
  /** An active skill approves it: it runs without the question that the application would ask. */
  | { readonly effect: 'approve' }
  /** It must not run; the text is for the model. */
  | { readonly effect: 'deny'; readonly text: string }
  /** A person has to agree. */
  | {
      readonly effect: 'ask';
      readonly question: ApprovalQuestion;
      /** Whether nobody was asked this before, so that an answer that already exists answers something else. */
      readonly isNew: boolean;
      /** What the model is told if nobody can be asked. */
      readonly text: string;
    };
