// What the system prompt says about a catalog, in the words of the toolkit's mode.

import { countUnlisted, type OfferedTools, renderCatalog, renderSystemText } from '../disclosure/catalog-text.ts';
import { type InlineInstructions, renderInlineInstructions } from './inline-instructions.ts';
import type { Offer } from './offer.ts';
import type { ToolkitOptions } from './options.ts';
import type { ToolkitParts } from './toolkit-parts.ts';

/** Renders the catalog of an offer. `tools` are those that the model can call in this call. */
export async function renderCatalogPrompt(
  offer: Offer,
  tools: OfferedTools,
  { mode = 'tool', placement }: ToolkitOptions,
  parts: ToolkitParts,
  signal: AbortSignal | undefined,
): Promise<InlineInstructions> {
  if (offer.forModel.skills.length === 0) return nothing;
  if (mode === 'direct') return renderInlineInstructions(offer, parts, signal);
  if (placement === 'tool' || (mode === 'tool' && tools.activate === undefined)) return nothing;
  const text = renderSystemText(renderCatalog(offer.plan), tools, countUnlisted(offer.plan));
  return { text, shown: nothing.shown };
}

const nothing: InlineInstructions = { text: '', shown: new Set() };
