// What happens to skills in a conversation, told to the application as it happens.

import type { CutReason } from '../disclosure/plan.ts';

/**
 * One thing that happened; `tokens` is what it put into, or kept out of, the model's context.
 *
 * What is attached to a model call is told for that call: a skill that a user named, or one whose text was forgotten, is
 * told again for each call that has to have it attached.
 */
export type SkillEvent =
  | { readonly type: 'offered'; readonly skills: number; readonly tokens: number }
  | { readonly type: 'cut'; readonly skill: string; readonly reason: CutReason; readonly tokens: number }
  | { readonly type: 'searched'; readonly query: string; readonly skills: readonly string[]; readonly tokens: number }
  | {
      readonly type: 'activated';
      readonly skill: string;
      readonly digest: string;
      /** Who asked for it. */
      readonly by: 'model' | 'user' | 'code';
      readonly tokens: number;
    }
  | { readonly type: 'deduplicated'; readonly skill: string; readonly tokens: number }
  | { readonly type: 'reattached'; readonly skill: string; readonly changed: boolean; readonly tokens: number }
  | { readonly type: 'left-out'; readonly skill: string; readonly tokens: number }
  | { readonly type: 'resource-read'; readonly skill: string; readonly path: string; readonly tokens: number }
  | {
      readonly type: 'deactivated';
      readonly skill: string;
      /** Who ended it. */
      readonly by: 'model' | 'code';
      readonly tokens: number;
    }
  /** The framework could not keep what is active: it holds for this run, and may be forgotten in the next. */
  | { readonly type: 'state-failed'; readonly reason: string; readonly tokens: 0 };

/** Which call an event belongs to: `thread`, `run`, `agent` and whatever the application adds, such as `tenant`. */
export type EventContext = Readonly<Record<string, string>>;

/** Receives events. Called while the work goes on: it must be quick, and what it throws is the application's own error. */
export type OnSkillEvent = (event: SkillEvent & { readonly about?: EventContext }) => void;
