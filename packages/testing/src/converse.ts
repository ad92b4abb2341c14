// Holds one conversation through a harness.

import type { SkillToolkit } from '@skillful/core';
import type { AdapterConversation, AdapterHarness, AdapterRun, ScriptedTurn } from './adapter-harness.ts';
import { done } from './script.ts';

/** The system prompt of the application in all tests. */
export const applicationPrompt = 'You are the application.';

/** Lets a new agent answer a user. The model follows the script, and then says `Done.`. */
export function converse(
  harness: AdapterHarness,
  toolkit: SkillToolkit,
  user: string,
  script: readonly ScriptedTurn[] = [],
  more: Partial<AdapterConversation> = {},
): Promise<AdapterRun> {
  return harness.converse({
    toolkit,
    system: applicationPrompt,
    user,
    script: [...script, done],
    stream: false,
    ...more,
  });
}
