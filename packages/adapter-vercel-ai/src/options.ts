// Defines the options of an agent or a call.

import type { AdapterOptions, SkillContext } from '@skillful/core';

/**
 * How an agent or a call uses skills. Pass the `signal` of the request, because `prepareStep` receives none. Take `state` only
 * from a place where clients cannot write.
 */
export interface SkillsOptions
  extends Pick<AdapterOptions, 'mentions' | 'outputs'>,
    Pick<SkillContext, 'request' | 'signal' | 'state' | 'onState' | 'asks' | 'about' | 'onEvent' | 'onProgress'> {}
