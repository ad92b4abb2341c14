// Refuses a version of the AI SDK that would leave skills out without a word.

import type { SkillToolkit } from '@skillful/core';
import ai from 'ai/package.json' with { type: 'json' };

/** Checks that the AI SDK asks people, and knows the hooks of this package: since 6. */
export function assertVersion(toolkit: SkillToolkit): void {
  toolkit.assertVersion('@skillful/vercel-ai', ai, '6.0.0');
}
