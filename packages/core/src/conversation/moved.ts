// Collects the instructions of skills whose messages are gone, for example after a compaction, in one text within a budget.

import type { Activation } from '../disclosure/activate.ts';
import { renderAttachment } from '../disclosure/activation-text.ts';
import { forgottenArguments } from '../disclosure/answers.ts';
import { shortDigest } from '../disclosure/marks.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { SkillRecord } from './conversation.ts';
import type { OnSkillEvent } from './event.ts';
import type { ReadInstructions, ReattachBudget } from './instructions.ts';

/** What moving needs from the toolkit and about the current call. */
export interface MoveOptions {
  readonly activateTool: string;
  /** Whether the model can call the activation tool in this call. */
  readonly canActivate: boolean;
  readonly read: ReadInstructions;
  readonly budget: ReattachBudget;
  readonly countTokens: CountTokens;
  readonly emit: OnSkillEvent;
}

/**
 * Renders the skills whose messages are gone, newest first, while the budget lasts, and marks in their records whether they were moved.
 * Also returns the names of the skills in the text.
 */
export async function moveSkills(
  placeless: readonly (readonly [name: string, record: SkillRecord])[],
  records: Map<string, SkillRecord>,
  options: MoveOptions,
): Promise<{ readonly text: string; readonly names: readonly string[] }> {
  const { activateTool, canActivate, read, budget, countTokens, emit } = options;
  const texts = new Map<string, string>();
  const leftOut: string[] = [];
  const unreadable: string[] = [];
  let room = budget.tokens ?? 25_000;
  for (const [name, record] of placeless.toReversed()) {
    const activation = await read(name, record.hasArguments ? forgottenArguments : undefined, 'moved');
    const tokens = activation === undefined ? 0 : countTokens(activation.text);
    if (activation === undefined || tokens > room) {
      (activation === undefined ? unreadable : leftOut).push(name);
      if (record.moved !== false) emit({ type: 'left-out', skill: name, tokens });
      records.set(name, { ...record, moved: false });
      continue;
    }
    room -= tokens;
    texts.set(name, activation.text);
    const digest = shortDigest(activation.digest);
    if (record.digest === undefined) reportActivation(name, record, activation, options);
    else if (record.moved !== true)
      emit({ type: 'reattached', skill: name, changed: record.digest !== digest, tokens });
    records.set(name, { ...record, moved: true, digest });
  }
  const shown = { texts: [...texts.values()], leftOut, unreadable };
  const text = renderAttachment({ ...shown, activateTool: canActivate ? activateTool : undefined });
  return { text, names: [...texts.keys()] };
}

/** Reports that a user or the application activated a skill. If the model does, the tool reports it. */
export function reportActivation(
  name: string,
  { by }: SkillRecord,
  { skill, digest, text }: Activation,
  { countTokens, emit }: Pick<MoveOptions, 'countTokens' | 'emit'>,
): void {
  if (by === 'model') return;
  emit({ type: 'activated', skill: name, digest, source: skill.source.id, by, tokens: countTokens(text) });
}
