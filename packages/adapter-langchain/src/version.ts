// Refuses versions of LangChain that would silently drop skills.

import core from '@langchain/core/package.json' with { type: 'json' };
import langgraph from '@langchain/langgraph/package.json' with { type: 'json' };
import type { SkillToolkit } from '@skillful/core';
import langchain from 'langchain/package.json' with { type: 'json' };

/** Checks the version of each LangChain package that this package hooks into. */
export function assertVersions(toolkit: SkillToolkit): void {
  toolkit.assertVersion('@skillful/langchain', langchain, '1.3.2');
  toolkit.assertVersion('@skillful/langchain', langgraph, '1.2.8');
  toolkit.assertVersion('@skillful/langchain', core, '1.1.48');
}
