// The installed version of the AI SDK; one that would silently leave skills out is refused.

import type { SkillToolkit } from '@skillful/core';
import ai from 'ai/package.json' with { type: 'json' };

/** Whether the hooks and the parts of messages are those of the AI SDK 7. */
export const isSeven: boolean = !ai.version.startsWith('6.');

/** Checks for version 6 or later, which asks people and has the hooks that this package uses. */
export function assertVersion(toolkit: SkillToolkit): void {
  toolkit.assertVersion('@skillful/vercel-ai', ai, '6.0.0');
}
