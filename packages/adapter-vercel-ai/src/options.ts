// Defines the options of an agent or a call, and checks them and the installed AI SDK, because a mistake would silently drop skills.

import type { AdapterOptions, SkillContext, SkillToolkit } from '@skillful/core';
import ai from 'ai/package.json' with { type: 'json' };

/** What an agent or a call can be given with any toolkit. */
interface CommonOptions
  extends Pick<AdapterOptions, 'mentions' | 'asks' | 'outputs'>,
    Pick<SkillContext, 'request' | 'signal' | 'state' | 'onState' | 'about' | 'onEvent' | 'onProgress'> {
  /**
   * Set it if only your server writes the messages. Then they keep what a script wrote, so later requests contain it, too. Browsers
   * also receive it.
   * @default false
   */
  readonly trustedOutputs?: boolean | undefined;
}

/**
 * How an agent or a call uses skills. If the catalog function needs a request, the options must contain one. Pass the `signal` of
 * the request, because `prepareStep` receives none. Take `state` only from a place where clients cannot write.
 */
export type SkillsOptions<Request = unknown> = CommonOptions &
  (undefined extends Request ? { readonly request?: Request } : { readonly request: Request });

/** The last parameter of a function, which can be left out if no option is necessary. */
export type OptionsParameter<Request> = undefined extends Request
  ? [options?: CommonOptions & { readonly request?: NoInfer<Request> }]
  : [options: SkillsOptions<NoInfer<Request>>];

/** The version of the messages that models receive. */
export const promptVersion: 'v3' | 'v4' = ai.version.startsWith('6.') ? 'v3' : 'v4';

/** The names of the options that other adapters do not have. */
const ownNames = ['request', 'signal', 'state', 'onState', 'onEvent', 'onProgress', 'trustedOutputs'];

/** The names of all options. */
export const optionNames: readonly string[] = ['mentions', 'asks', 'about', 'outputs', ...ownNames];

/** Checks the options, and for version 6 or later, which can ask people and has the hooks that this package uses. */
export function assertUsable(toolkit: SkillToolkit, options: SkillsOptions): void {
  toolkit.assertOptions(options, ownNames);
  toolkit.assertVersion('@skillful/vercel-ai', ai, '6.0.0');
}
