// Collects the instructions of skills whose messages are gone, for example after a compaction, in one text within a budget.

import type { Activation } from '../disclosure/activate.ts';
import { renderAttachment } from '../disclosure/activation-text.ts';
import { forgottenArguments } from '../disclosure/answers.ts';
import { shortDigest } from '../disclosure/marks.ts';
import { mapInBatches } from '../runtime/batches.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { SkillRecord } from './conversation.ts';
import type { LeftOutReason, OnSkillEvent } from './event.ts';
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
  /** Explains why the instructions of a skill could not be read. */
  readonly explainUnread: (name: string) => LeftOutReason;
}

/**
 * Renders the skills whose messages are gone, newest first, while the budget lasts, and marks in their records whether they were moved.
 * Also returns the digests of the skills in the text, by name.
 */
export async function moveSkills(
  placeless: readonly (readonly [name: string, record: SkillRecord])[],
  records: Map<string, SkillRecord>,
  options: MoveOptions,
): Promise<{ readonly text: string; readonly included: ReadonlyMap<string, string> }> {
  const { activateTool, canActivate, read, budget, countTokens, emit, explainUnread } = options;
  const texts: string[] = [];
  const included = new Map<string, string>();
  const leftOut: string[] = [];
  const unreadable: string[] = [];
  let room = budget.tokens ?? 25_000;
  const skills = await mapInBatches(placeless, async ([name, record]) => {
    const activation = await read(name, record.hasArguments ? forgottenArguments : undefined, 'moved');
    return { name, record, activation };
  });
  for (const { name, record, activation } of skills.toReversed()) {
    const tokens = activation === undefined ? 0 : countTokens(activation.text);
    if (activation === undefined || tokens > room) {
      (activation === undefined ? unreadable : leftOut).push(name);
      const reason = activation === undefined ? explainUnread(name) : 'budget';
      if (record.moved !== false) emit({ type: 'left-out', skill: name, reason, tokens });
      records.set(name, { ...record, moved: false });
      continue;
    }
    room -= tokens;
    texts.push(activation.text);
    included.set(name, activation.digest);
    const digest = shortDigest(activation.digest);
    const isNew = record.digest === undefined;
    if (!isNew && record.moved !== true)
      emit({ type: 'reattached', skill: name, changed: record.digest !== digest, tokens });
    reportVersion(name, record, isNew, activation, options);
    records.set(name, { ...record, moved: true, digest });
  }
  const shown = { texts, leftOut, unreadable };
  const text = renderAttachment({ ...shown, activateTool: canActivate ? activateTool : undefined });
  return { text, included };
}

/**
 * Reports that a user or the application activated a skill, or that its version is another than in its record. If the model
 * activates a skill, the tool reports it.
 */
export function reportVersion(
  name: string,
  { by, digest: known }: SkillRecord,
  isNew: boolean,
  { skill, digest, text }: Activation,
  { countTokens, emit }: Pick<MoveOptions, 'countTokens' | 'emit'>,
): void {
  const version = { skill: name, digest, source: skill.source.id };
  if (isNew && by !== 'model') emit({ type: 'activated', ...version, by, tokens: countTokens(text) });
  else if (known !== undefined && known !== shortDigest(digest))
    emit({ type: 'updated', ...version, tokens: countTokens(text) });
}
