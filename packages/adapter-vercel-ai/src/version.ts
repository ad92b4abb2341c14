// Checks the installed version of the AI SDK, because an old one would silently drop skills.

import type { SkillToolkit } from '@skillful/core';
import ai from 'ai/package.json' with { type: 'json' };

/** Whether the hooks and the message parts are those of AI SDK 7. */
export const isSeven: boolean = !ai.version.startsWith('6.');

/** Checks for version 6 or later, which can ask people and has the hooks that this package uses. */
export function assertVersion(toolkit: SkillToolkit): void {
  toolkit.assertVersion('@skillful/vercel-ai', ai, '6.0.0');
}
