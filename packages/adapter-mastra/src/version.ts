// Refuses a version of Mastra that would leave skills out without a word.

import mastra from '@mastra/core/package.json' with { type: 'json' };
import type { SkillToolkit } from '@skillful/core';

/** Checks that Mastra calls what this package hooks into, and has a place for its state: since 1.42. */
export function assertVersion(toolkit: SkillToolkit): void {
  toolkit.assertVersion('@skillful/mastra', mastra, '1.42.0');
}
