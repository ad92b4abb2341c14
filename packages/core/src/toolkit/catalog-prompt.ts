// Renders a catalog for the system prompt: names and descriptions, or the instructions themselves for models without tools.

import { activateSkill } from '../disclosure/activate.ts';
import {
  countUnlisted,
  type OfferedTools,
  renderCatalog,
  renderCatalogChange,
  renderDirectInstructions,
  renderSystemText,
} from '../disclosure/catalog-text.ts';
import { nameInWrapper } from '../disclosure/wrapper-name.ts';
import { orUndefined } from '../skill/error.ts';
import type { Offer } from './offer.ts';
import type { CallParts } from './toolkit-parts.ts';

/** Limit for all instructions together, in tokens, unless the plan has a budget; skills that do not fit are only named. */
const directTokens = 25_000;

/** Limit for the instructions of one skill, in characters. A cut text says that it was cut. */
export const directCharacters = 8_000;

/** A text for the system prompt, and the skills whose instructions it contains: names as in the wrappers, and digests. */
interface CatalogPrompt {
  readonly text: string;
  readonly shown: ReadonlyMap<string, string>;
  /** The notice about changes since the conversation began, or empty. */
  readonly change: string;
}

const nothing: CatalogPrompt = { text: '', shown: new Map(), change: '' };

/** Returns the offer with which the conversation began, whose text stays in the prompt. */
export function findBeginning(offer: Offer, parts: CallParts): Offer {
  const { context, options, offerOf, policyFor } = parts;
  const began = options.baseline?.(context);
  return began === undefined ? offer : offerOf(began, policyFor(context));
}

/** Renders the catalog with which the conversation began. `tools` are those that the model can use in this call. */
export async function loadCatalogPrompt(
  offer: Offer,
  began: Offer,
  tools: OfferedTools,
  parts: CallParts,
): Promise<CatalogPrompt> {
  if (began === offer) return loadOfferText(offer, tools, parts);
  // The tool for searches may be there because of the later catalog only.
  const find = tools.find && parts.toolsOf(began).find;
  const prompt = await loadOfferText(began, { ...tools, find }, parts);
  return prompt.text === '' ? prompt : { ...prompt, change: renderCatalogChange(began.plan, offer.plan) };
}

async function loadOfferText(offer: Offer, tools: OfferedTools, parts: CallParts): Promise<CatalogPrompt> {
  const { mode = 'tool', placement } = parts.options;
  if (offer.forModel.skills.length === 0) return nothing;
  if (mode === 'direct') return loadInstructions(offer, parts);
  if (placement === 'tool' || (mode === 'tool' && tools.activate === undefined)) return nothing;
  return { ...nothing, text: renderSystemText(renderCatalog(offer.plan), tools, countUnlisted(offer.plan)) };
}

/** Reads and renders the instructions of the listed skills in catalog order until no more fit, for models without tools. */
async function loadInstructions(
  offer: Offer,
  { options: { plan }, toolsOf, countTokens, context: { signal } }: CallParts,
): Promise<CatalogPrompt> {
  const limit = plan?.budget?.tokens ?? directTokens;
  const readTool = toolsOf(offer).read;
  const texts: string[] = [];
  const shown = new Map<string, string>();
  const leftOut: string[] = [];
  let used = 0;
  for (const { skill, showing } of offer.plan.skills) {
    const name = nameInWrapper(offer.forModel, skill);
    // A skill that needs a person's consent is only named.
    const isLeftOut = showing === 'deferred' || used >= limit || !offer.withoutConsent.has(skill);
    const options = { catalog: offer.forModel, signal, checkPath: offer.checkFiles(skill, 'read'), readTool };
    const read = () => orUndefined(activateSkill(skill, { ...options, limit: directCharacters }));
    const activation = isLeftOut ? undefined : await read();
    used += activation === undefined ? 0 : countTokens(activation.text);
    if (activation === undefined || used > limit) {
      leftOut.push(name);
      continue;
    }
    texts.push(activation.text);
    shown.set(name, activation.digest);
  }
  return { ...nothing, text: renderDirectInstructions(texts, leftOut), shown };
}
