// The options of an agent or a call.

import type { SkillContext } from '@skillful/core';

/** Pass the request's `signal`, because `prepareStep` receives none. Take `state` from where no client can write. */
export interface SkillsOptions
  extends Pick<
    SkillContext,
    'request' | 'signal' | 'state' | 'onState' | 'mentions' | 'asks' | 'about' | 'onEvent' | 'onProgress'
  > {
  /**
   * What a browser gets of a tool's answer: names, digests and sizes, or also texts and files.
   * @default 'redacted'
   */
  readonly outputs?: 'redacted' | 'full' | undefined;
}
