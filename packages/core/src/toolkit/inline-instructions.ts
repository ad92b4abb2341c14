// The disclosure mode that puts the instructions themselves into the prompt, for models without tools.

import { activateSkill } from '../disclosure/activate.ts';
import { renderDirectInstructions } from '../disclosure/catalog-text.ts';
import { nameInWrapper } from '../disclosure/wrapper-name.ts';
import { orUndefined } from '../skill/error.ts';
import type { Offer } from './offer.ts';
import type { ToolkitParts } from './toolkit-parts.ts';

/** Limit for all instructions together, in tokens; skills that do not fit are only named. */
const directTokens = 25_000;

/** Limit for one skill's instructions, in characters; a cut text says so. */
export const directCharacters = 8_000;

/** Instructions for the prompt, and the names in their wrappers. */
export interface InlineInstructions {
  readonly text: string;
  readonly shown: ReadonlySet<string>;
}

/** Reads the instructions of the listed skills in catalog order, until no more fit, and renders them for the prompt. */
export async function renderInlineInstructions(
  offer: Offer,
  { toolsOf, countTokens }: ToolkitParts,
  signal: AbortSignal | undefined,
): Promise<InlineInstructions> {
  const readTool = toolsOf(offer).read;
  const texts = new Map<string, string>();
  const leftOut: string[] = [];
  let used = 0;
  for (const { skill, showing } of offer.plan.skills) {
    if (showing === 'hidden') continue;
    const name = nameInWrapper(offer.forModel, skill);
    // A skill that a person must agree to is only named.
    const isLeftOut = showing === 'deferred' || used >= directTokens || !offer.withoutConsent.has(skill);
    const options = { signal, checkPath: offer.checkFiles(skill, 'read'), readTool, nameInWrapper: name };
    const read = () => orUndefined(activateSkill(skill, { ...options, limit: directCharacters }));
    const text = isLeftOut ? undefined : (await read())?.text;
    used += text === undefined ? 0 : countTokens(text);
    if (text === undefined || used > directTokens) leftOut.push(name);
    else texts.set(name, text);
  }
  return { text: renderDirectInstructions([...texts.values()], leftOut), shown: new Set(texts.keys()) };
}
