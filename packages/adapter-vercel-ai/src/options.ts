// Defines the options of an agent or a call.

import type { SkillContext } from '@skillful/core';

/**
 * How an agent or a call uses skills. Pass the `signal` of the request, because `prepareStep` receives none. Take `state` only
 * from a place where clients cannot write.
 */
export interface SkillsOptions
  extends Pick<
    SkillContext,
    'request' | 'signal' | 'state' | 'onState' | 'mentions' | 'asks' | 'about' | 'onEvent' | 'onProgress'
  > {
  /**
   * What a browser gets of a skill tool's output: names, digests and sizes, or also texts and files.
   * @default 'redacted'
   */
  readonly outputs?: 'redacted' | 'full' | undefined;
}
