// What an application says about skills.

import type { SkillContext } from '@skillful/core';

/** `prepareStep` is given no signal, so pass the one of the request; `state` comes from where no client can write. */
export interface SkillsOptions
  extends Pick<
    SkillContext,
    'request' | 'signal' | 'state' | 'onState' | 'mentions' | 'asks' | 'about' | 'onEvent' | 'onProgress'
  > {
  /**
   * What a browser is sent of a tool's answer: names, digests and sizes, or also texts and files.
   * @default 'redacted'
   */
  readonly outputs?: 'redacted' | 'full' | undefined;
}
