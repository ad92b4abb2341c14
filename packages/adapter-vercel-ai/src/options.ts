// What an application says about skills.

import type { SkillContext, SkillState } from '@skillful/core';

/** `prepareStep` is given no signal, so pass the one of the request; `state` comes from where no client can write. */
export interface SkillsOptions
  extends Pick<SkillContext, 'request' | 'signal' | 'state' | 'mentions' | 'about' | 'onEvent' | 'onProgress'> {
  /** Keeps the state; each model call waits for it, at most 5 seconds. If it fails, the event `state-failed` says so. */
  readonly onState?: ((state: SkillState) => unknown) | undefined;
  /**
   * Whether a person can be asked. Turn it off for a sub-agent, whose questions nobody sees: the call is refused in words.
   * @default true
   */
  readonly asks?: boolean | undefined;
  /**
   * What a browser is sent of a tool's answer: names, digests and sizes, or also texts and files.
   * @default 'redacted'
   */
  readonly outputs?: 'redacted' | 'full' | undefined;
}
