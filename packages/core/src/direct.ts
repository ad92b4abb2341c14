// The disclosure mode in which the instructions themselves stand in the prompt, for models without tools.

import { activateSkill } from './activate.ts';
import { isSkillError } from './error.ts';
import { frameName } from './ledger.ts';
import type { Offer, ToolSetting } from './offer.ts';
import { renderDirectInstructions } from './render.ts';

/** Tokens of all instructions together; what does not fit is named. */
const directTokens = 25_000;

/** Characters of one skill's instructions; where they are cut, the text says so. */
const directCharacters = 8_000;

/** Reads the instructions of every listed skill, in the order of the catalog, and renders them for the prompt. */
export async function renderDirect(
  { catalog, plan }: Offer,
  { names, countTokens }: ToolSetting,
  signal: AbortSignal | undefined,
): Promise<string> {
  const texts: string[] = [];
  const leftOut: string[] = [];
  let used = 0;
  for (const { skill, showing } of plan.skills) {
    if (showing === 'hidden') continue;
    const name = frameName(catalog, skill);
    try {
      const { text } = await activateSkill(skill, {
        signal,
        readTool: names.read,
        frameName: name,
        limit: directCharacters,
      });
      const tokens = countTokens(text);
      if (showing === 'deferred' || used + tokens > directTokens) {
        leftOut.push(name);
      } else {
        used += tokens;
        texts.push(text);
      }
    } catch (error) {
      if (!isSkillError(error)) throw error;
      leftOut.push(name);
    }
  }
  return renderDirectInstructions(texts, leftOut);
}
