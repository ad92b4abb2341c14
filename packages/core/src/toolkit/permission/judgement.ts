// Defines what can be decided about a tool call before it runs. Types only.

import type { ApprovalQuestion } from '../../policy/question.ts';

/** The decision about a tool call. */
export type Judgement =
  /** No decision: the call runs, unless the application decides otherwise. */
  | { readonly effect: 'none' }
  /** An active skill approves the call, so it runs without the question that the application would ask. */
  | { readonly effect: 'approve' }
  /** The call must not run. The text is for the model. */
  | { readonly effect: 'deny'; readonly text: string }
  /** A person must agree first. */
  | {
      readonly effect: 'ask';
      readonly question: ApprovalQuestion;
      /** Whether the question is new. If so, an existing answer belongs to another question. */
      readonly isNew: boolean;
      /** The text for the model if no one can be asked. */
      readonly text: string;
      /** The text for the model if a person refuses without giving a reason. */
      readonly refusal: string;
    };
