// Keeps active skills in the model's context: each exactly once, in its own result or attached again after a compaction.

import { activateSkill } from './activate.ts';
import type { Catalog } from './catalog.ts';
import { isSkillError } from './error.ts';
import { type ActiveSkill, findActive, readActivation } from './ledger.ts';
import type { ToolSetting } from './offer.ts';
import { renderAttachment, renderInactive, renderSuperseded, shortDigest } from './render-activation.ts';
import type { SkillConversation } from './tool.ts';

/** How much is attached again. The defaults are those of the client that users have complained about least. */
export interface AttachBudget {
  /**
   * Tokens of one skill; what is over is outlined, to be read in pages.
   * @default 5,000
   */
  readonly tokensPerSkill?: number | undefined;
  /**
   * Tokens of all; the newest activations come first, the others are named.
   * @default 25,000
   */
  readonly tokens?: number | undefined;
}

/** What the conversation becomes for one model call. */
export interface Attachment {
  /** A text for each `result` item, in order: the same, or what stands for instructions that have left the context. */
  readonly results: readonly string[];
  /** The instructions that no result holds any more; empty where none are missing. */
  readonly text: string;
}

/** Works out what of the active skills is in context, what is to be attached and what is to leave. */
export async function attachActive(
  catalog: Catalog,
  conversation: SkillConversation,
  active: readonly ActiveSkill[],
  setting: ToolSetting,
  budget: AttachBudget,
  signal: AbortSignal | undefined,
): Promise<Attachment> {
  const { results, present } = settleResults(conversation, active, setting);
  const missing = active.filter(({ name }) => !present.has(name)).reverse();
  const text = await attachMissing(catalog, missing, setting, budget, signal);
  return { results, text };
}

/** Keeps the latest text of each active skill; older ones and those of inactive skills give way to a few words. */
function settleResults(
  { items }: SkillConversation,
  active: readonly ActiveSkill[],
  { names }: ToolSetting,
): { readonly results: readonly string[]; readonly present: ReadonlySet<string> } {
  const activeNames = new Set(active.map(({ name }) => name));
  const present = new Set<string>();
  const results: string[] = [];
  for (const item of [...items].reverse()) {
    if (item.kind !== 'result') continue;
    const activation = item.tool === names.activate ? readActivation(item.text) : undefined;
    if (activation === undefined) results.push(item.text);
    else if (!activeNames.has(activation.name)) results.push(renderInactive(activation.name));
    else if (present.has(activation.name)) results.push(renderSuperseded(activation.name));
    else {
      present.add(activation.name);
      results.push(item.text);
    }
  }
  return { results: results.reverse(), present };
}

async function attachMissing(
  catalog: Catalog,
  missing: readonly ActiveSkill[],
  { names, countTokens, emit }: ToolSetting,
  { tokensPerSkill = 5_000, tokens: total = 25_000 }: AttachBudget,
  signal: AbortSignal | undefined,
): Promise<string> {
  const texts: string[] = [];
  const leftOut: string[] = [];
  let used = 0;
  for (const entry of missing) {
    const attached = await textOf(catalog, entry, names.read, tokensPerSkill, signal);
    if (attached === undefined) continue;
    const tokens = countTokens(attached.text);
    if (used + tokens > total) {
      leftOut.push(entry.name);
      emit({ type: 'left-out', skill: entry.name, tokens });
      continue;
    }
    used += tokens;
    texts.push(attached.text);
    if (entry.digest === undefined)
      emit({ type: 'activated', skill: entry.name, digest: attached.digest, by: 'user', tokens });
    else emit({ type: 'reattached', skill: entry.name, changed: attached.changed, tokens });
  }
  return texts.length + leftOut.length === 0 ? '' : renderAttachment(texts, leftOut, names.activate);
}

/** The instructions as they are now; nothing where the skill has left the catalog or can no longer be read. */
async function textOf(
  catalog: Catalog,
  entry: ActiveSkill,
  readTool: string,
  tokensPerSkill: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string; readonly digest: string; readonly changed: boolean } | undefined> {
  const skill = findActive(catalog, entry.name);
  if (skill === undefined) return undefined;
  try {
    const limit = tokensPerSkill * 4;
    const options = { signal, readTool, limit, frameName: entry.name, arguments: entry.arguments };
    const { text, digest } = await activateSkill(skill, options);
    return { text, digest, changed: entry.digest !== undefined && entry.digest !== shortDigest(digest) };
  } catch (error) {
    if (isSkillError(error)) return undefined;
    throw error;
  }
}
