// Defines the events that tell an application what happens to skills in a conversation.

import type { CutReason } from '../disclosure/plan.ts';
import type { SkillActor } from '../policy/policy.ts';
import type { ApprovalQuestion } from '../policy/question.ts';

/**
 * Something that happened to skills. `tokens` is what it added to the model's context, or kept out of it; for `cut`, an estimate.
 *
 * `offered` and `included` are reported for each model call, `cut` and `tool-unknown` once for each catalog, everything else once,
 * when it happens.
 */
export type SkillEvent =
  | { readonly type: 'offered'; readonly skills: number; readonly tokens: number }
  /** The skills whose instructions a model call contains, if there are any: the digest of each `SKILL.md` by the skill's name. */
  | { readonly type: 'included'; readonly skills: Readonly<Record<string, string>>; readonly tokens: 0 }
  | { readonly type: 'cut'; readonly skill: string; readonly reason: CutReason; readonly tokens: number }
  | { readonly type: 'searched'; readonly query: string; readonly skills: readonly string[]; readonly tokens: number }
  /** The application's index failed or took too long, so the search used words only. */
  | { readonly type: 'search-failed'; readonly reason: string; readonly tokens: 0 }
  | {
      readonly type: 'activated';
      readonly skill: string;
      readonly digest: string;
      /** The id of its source. */
      readonly source: string;
      /** Who activated it. */
      readonly by: SkillActor;
      readonly tokens: number;
    }
  /** The model wants something that a person must agree to. Without a question it was refused, because no one can be asked. */
  | {
      readonly type: 'approval-needed';
      readonly skill: string;
      readonly question?: ApprovalQuestion;
      readonly tokens: 0;
    }
  /**
   * A call of a tool was refused, and the model read why. With the code `skill-unknown`, a `skill` means that it exists, but is denied to
   * the model. A refused call of the application's tool is `tool-locked` or `tool-restricted`.
   */
  | {
      readonly type: 'refused';
      readonly tool: string;
      readonly code: string;
      /** The skill that the call named, if the catalog has it. */
      readonly skill?: string;
      readonly tokens: 0;
    }
  /** The `allowed-tools` of an active skill approve a call of the application's tool, so no person is asked about it. */
  | { readonly type: 'tool-approved'; readonly skill: string; readonly tool: string; readonly tokens: 0 }
  | { readonly type: 'deduplicated'; readonly skill: string; readonly tokens: number }
  | { readonly type: 'reattached'; readonly skill: string; readonly changed: boolean; readonly tokens: number }
  /** The model gets another version of an active skill's instructions than before. Reported if a state is stored. */
  | {
      readonly type: 'updated';
      readonly skill: string;
      readonly digest: string;
      readonly source: string;
      readonly tokens: number;
    }
  | { readonly type: 'left-out'; readonly skill: string; readonly reason?: LeftOutReason; readonly tokens: number }
  | { readonly type: 'resource-read'; readonly skill: string; readonly path: string; readonly tokens: number }
  | {
      readonly type: 'script-run';
      readonly skill: string;
      readonly path: string;
      /** Digest of all files of the skill. */
      readonly digest: string;
      /** The sandbox of the runner; absent if it has none. */
      readonly sandbox: string | undefined;
      readonly exitCode: number | undefined;
      readonly timedOut: boolean;
      /** True if the script was ended because it had too many processes. */
      readonly tooManyProcesses?: boolean | undefined;
      /** True if the call was aborted or the runner failed. The script may have run in part. */
      readonly unfinished?: boolean | undefined;
      readonly tokens: number;
    }
  | {
      readonly type: 'deactivated';
      readonly skill: string;
      /** Who ended it. */
      readonly by: 'model' | 'code';
      /** Set, with `by: 'code'`, if neither the model nor the application ended it, but a withdrawn consent or changed files did. */
      readonly reason?: 'consent-withdrawn' | 'files-changed';
      readonly tokens: number;
    }
  /** `allowed-tools` of a skill names a tool that the application does not have. */
  | { readonly type: 'tool-unknown'; readonly skill: string; readonly tool: string; readonly tokens: 0 }
  /** The framework has a skill that the catalog lacks, so the model does not see it. */
  | { readonly type: 'skill-missing'; readonly skill: string; readonly tokens: 0 }
  /**
   * A tool of the toolkit failed, or a call could not be judged. The model learns only that. The reason may contain paths of the
   * machine.
   */
  | { readonly type: 'tool-failed'; readonly tool: string; readonly reason: string; readonly tokens: 0 }
  /**
   * The framework could not store which skills are active, so they may be forgotten in the next run; or the store of consents failed,
   * so nobody counts as having agreed.
   */
  | { readonly type: 'state-failed'; readonly reason: string; readonly tokens: 0 };

/** Why instructions are not added to a model call: no room in the budget, the policy, a catalog without the skill, or a failed read. */
export type LeftOutReason = 'budget' | 'denied' | 'missing' | 'unreadable';

/** Identifies the call that an event belongs to: `thread`, `run`, `agent`, and fields of the application such as `tenant`. */
export type EventContext = Readonly<Record<string, string>>;

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean']);

/** Returns the `about` of a call with all values as text, because ids may be numbers. Leaves out missing values and objects. */
export function knownAbout({ about = {} }: { readonly about?: object | undefined }): EventContext | undefined {
  const known = Object.entries(about).filter(([, value]) => plainTypes.has(typeof value));
  return known.length === 0 ? undefined : Object.fromEntries(known.map(([key, value]) => [key, String(value)]));
}

/**
 * Receives events. It is called synchronously, so it must be fast. If it throws, the model call fails; in a tool call, the model
 * is told that the tool failed.
 */
export type OnSkillEvent = (event: ReportedEvent) => void;

/** An event, and the call that it belongs to. */
export type ReportedEvent = SkillEvent & {
  readonly about?: EventContext;
  /** The id of the tool call, if the event comes from one and the framework has an id. */
  readonly call?: string;
};
