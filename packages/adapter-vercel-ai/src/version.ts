// The installed version of the AI SDK: one that would leave skills out without a word is refused.

import type { SkillToolkit } from '@skillful/core';
import ai from 'ai/package.json' with { type: 'json' };

/** Whether the hooks and the parts of messages are those of the AI SDK 7. */
export const isSeven: boolean = !ai.version.startsWith('6.');

/** Checks that the AI SDK asks people, and knows the hooks of this package: since 6. */
export function assertVersion(toolkit: SkillToolkit): void {
  toolkit.assertVersion('@skillful/vercel-ai', ai, '6.0.0');
}
