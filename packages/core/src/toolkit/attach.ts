// Keeps each active skill in the model's context exactly once: in its own result, or attached again after a compaction.

import { type ActivateSkillOptions, type Activation, activateSkill } from '../disclosure/activate.ts';
import { renderAttachment, renderInactive, renderPointer, renderSuperseded } from '../disclosure/activation-text.ts';
import { findActive } from '../disclosure/ledger.ts';
import {
  type ActiveSkill,
  type ConversationItem,
  parseActivation,
  parseEnding,
  parsePointer,
  parseWholeActivation,
  sameArguments,
  shortDigest,
} from '../disclosure/marks.ts';
import { isSkillError } from '../skill/error.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { Offer } from './offer.ts';
import type { ToolServices } from './setting.ts';
import type { SkillConversation } from './tool.ts';

/** How much is attached again. The defaults follow Claude Code. */
export interface ReattachBudget {
  /**
   * Limit for one skill; the rest is outlined and read in pages.
   * @default 5,000
   */
  readonly tokensPerSkill?: number | undefined;
  /**
   * Limit for all skills; the newest activations come first, and those left out are named.
   * @default 25,000
   */
  readonly tokens?: number | undefined;
}

/** What one model call contains of active skills. */
export interface Attachment {
  /** A text for each `result` item, in order: the same, or what replaces it. */
  readonly results: readonly string[];
  /** The instructions that no result contains any more; empty if none are missing. */
  readonly text: string;
}

/** Returns the characters of one skill that are attached again, if they have four per token. */
export function attachedCharacters({ tokensPerSkill = 5_000 }: ReattachBudget = {}): number {
  return tokensPerSkill * 4;
}

/** Decides which instructions stay in their results, which are replaced, and which are attached again. */
export async function attachActive(
  offer: Offer,
  conversation: SkillConversation,
  active: readonly ActiveSkill[],
  services: ToolServices,
  budget: ReattachBudget | undefined,
  signal: AbortSignal | undefined,
): Promise<Attachment> {
  const { results, present } = replaceResults(conversation, active, services);
  const missing = active.filter(({ name }) => !present.has(name)).reverse();
  const text = await attachMissing(offer, missing, services, budget ?? {}, signal);
  return { results, text };
}

/**
 * Keeps one whole text of each active skill. Every other copy is replaced by a short pointer, because some frameworks do not
 * show a tool its conversation.
 */
function replaceResults(
  { items }: SkillConversation,
  active: readonly ActiveSkill[],
  { names }: ToolServices,
): { readonly results: readonly string[]; readonly present: ReadonlySet<string> } {
  const entries = new Map(active.map((entry) => [entry.name, entry]));
  const kept = findKept(items, entries, names);
  const results = items.flatMap((item, index): string[] => {
    if (item.kind !== 'result') return [];
    const activation = item.tool === names.activate ? parseActivation(item.text) : undefined;
    const pointer = item.tool === names.activate ? parsePointer(item.text) : undefined;
    const named = activation ?? pointer;
    if (named === undefined) return [item.text];
    const entry = entries.get(named.name);
    if (entry === undefined) return [renderInactive(named.name)];
    const text = kept.get(named.name);
    if (activation === undefined || text?.index === index) return [item.text];
    const repeated = text !== undefined && index > text.index && wholeText(entry, item.text) !== undefined;
    return [repeated ? renderPointer(named.name, text.digest) : renderSuperseded(named.name)];
  });
  return { results, present: new Set(kept.keys()) };
}

interface KeptText {
  readonly index: number;
  readonly digest: string;
}

/** Finds the first result with the latest version of each active skill since it was last ended. */
function findKept(
  items: readonly ConversationItem[],
  entries: ReadonlyMap<string, ActiveSkill>,
  names: ToolServices['names'],
): ReadonlyMap<string, KeptText> {
  const kept = new Map<string, KeptText>();
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'result') continue;
    if (item.tool === names.deactivate) kept.delete(parseEnding(item.text)?.name ?? '');
    if (item.tool !== names.activate) continue;
    const entry = entries.get(parseActivation(item.text)?.name ?? '');
    const digest = entry && wholeText(entry, item.text)?.digest;
    if (entry === undefined || digest === undefined || kept.get(entry.name)?.digest === digest) continue;
    kept.set(entry.name, { index, digest });
  }
  return kept;
}

/** Parses a text that contains the complete instructions of an active skill, with its current arguments. */
function wholeText(entry: ActiveSkill, text: string): ActiveSkill | undefined {
  const activation = parseWholeActivation(text);
  return activation !== undefined && sameArguments(activation, entry) ? activation : undefined;
}

async function attachMissing(
  offer: Offer,
  missing: readonly ActiveSkill[],
  { toolsOf, countTokens, emit }: ToolServices,
  budget: ReattachBudget,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { read, activate } = toolsOf(offer);
  const texts: string[] = [];
  const leftOut: string[] = [];
  const unreadable: string[] = [];
  let room = budget.tokens ?? 25_000;
  for (const entry of missing) {
    const attached = await textOf(offer, entry, { signal, readTool: read }, budget, countTokens);
    const tokens = attached === undefined ? 0 : countTokens(attached.text);
    if (attached === undefined || tokens > room) {
      (attached === undefined ? unreadable : leftOut).push(entry.name);
      emit({ type: 'left-out', skill: entry.name, tokens });
      continue;
    }
    room -= tokens;
    texts.push(attached.text);
    const { digest } = attached;
    if (entry.digest === undefined)
      emit({
        type: 'activated',
        skill: entry.name,
        digest,
        by: entry.arguments === undefined ? 'code' : 'user',
        tokens,
      });
    else emit({ type: 'reattached', skill: entry.name, changed: entry.digest !== shortDigest(digest), tokens });
  }
  if (texts.length + leftOut.length + unreadable.length === 0) return '';
  return renderAttachment({ texts, leftOut, unreadable, activateTool: activate });
}

/** Reads the current instructions; `undefined` if the skill has left the catalog or can no longer be read. */
async function textOf(
  { reachable }: Offer,
  entry: ActiveSkill,
  options: ActivateSkillOptions,
  budget: ReattachBudget,
  countTokens: CountTokens,
): Promise<Activation | undefined> {
  const skill = findActive(reachable, entry.name);
  if (skill === undefined) return undefined;
  const { tokensPerSkill = 5_000 } = budget;
  const limit = attachedCharacters(budget);
  const activate = (limit: number): Promise<Activation> =>
    activateSkill(skill, { ...options, limit, nameInWrapper: entry.name, arguments: entry.arguments });
  try {
    const activation = await activate(limit);
    const { body } = activation;
    const room = Math.floor((body.length * tokensPerSkill) / Math.max(1, countTokens(body)));
    return room < Math.min(limit, body.length) ? await activate(room) : activation;
  } catch (error) {
    if (isSkillError(error)) return undefined;
    throw error;
  }
}
