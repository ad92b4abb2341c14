// Checks the installed version of the AI SDK and the options, because skills would silently be dropped or not be limited.

import type { SkillToolkit } from '@skillful/core';
import ai from 'ai/package.json' with { type: 'json' };
import type { SkillsOptions } from './options.ts';

/** Whether the hooks and the message parts are those of AI SDK 7. */
export const isSeven: boolean = !ai.version.startsWith('6.');

/** Checks the options, and for version 6 or later, which can ask people and has the hooks that this package uses. */
export function assertUsable(toolkit: SkillToolkit, options: SkillsOptions): void {
  toolkit.assertOptions(options, ['request', 'signal', 'state', 'onState', 'asks', 'onEvent', 'onProgress']);
  toolkit.assertVersion('@skillful/vercel-ai', ai, '6.0.0');
}
