// Reads which skill a result of a tool is about, groups results by skill, and replaces those that must not contain instructions.

import { renderInactive, renderPointer } from '../disclosure/activation-text.ts';
import { isLeftOut } from '../disclosure/answers.ts';
import { type ParsedMark, parseMark, shortDigest } from '../disclosure/marks.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import type { MessageEdit, MessageView, ResultView } from './conversation.ts';
import type { ReadInstructions } from './instructions.ts';

/** A result of the activation tool, and the message that it is in. */
export interface SkillResult extends ResultView {
  readonly key: string;
  readonly index: number;
  /** The mark in its first line; absent if it is only a pointer. */
  readonly mark: ParsedMark | undefined;
  /** True if the model ended the skill afterwards. */
  isOver?: boolean;
}

/** The results that name one skill. */
export interface SkillResults {
  readonly name: string;
  readonly results: readonly SkillResult[];
  readonly read: ReadInstructions;
}

/** Returns the name, as in the wrapper, of the skill that a result of the activation tool is about. */
export function activatedBy({ text }: ResultView): string | undefined {
  return parseMark('activation', text)?.name ?? parseMark('pointer', text)?.name;
}

/** Returns the name of the skill that the deactivation tool ended, if the result has exactly its words. */
export function endedBy({ text }: ResultView): string | undefined {
  const name = parseMark('ending', text)?.name;
  return name !== undefined && text === renderInactive(name) ? name : undefined;
}

/** Groups the results of the activation tool by skill. */
export function groupResults(
  messages: readonly MessageView[],
  { activateTool, deactivateTool }: { readonly activateTool: string; readonly deactivateTool: string },
): ReadonlyMap<string, readonly SkillResult[]> {
  const groups = new Map<string, SkillResult[]>();
  for (const [index, { key, results = [] }] of messages.entries()) {
    for (const result of results) {
      if (result.tool === deactivateTool)
        for (const earlier of groups.get(endedBy(result) ?? '') ?? []) earlier.isOver = true;
      const name = result.tool === activateTool ? activatedBy(result) : undefined;
      if (name === undefined) continue;
      const group = getOrCreate(groups, name, (): SkillResult[] => []);
      group.push({ ...result, key, index, mark: parseMark('activation', result.text) });
    }
  }
  return groups;
}

/** Replaces the results of a skill that is not active. */
export function endResults(name: string, results: readonly SkillResult[]): readonly MessageEdit[] {
  return results.map((result) => replace(result, renderInactive(name)));
}

/**
 * Replaces the results of each skill whose digest is in one of them. Its name is not enough: a client that makes up a result must
 * not learn whether a denied skill exists.
 */
export async function endOwn(
  groups: readonly (readonly [name: string, results: readonly SkillResult[]])[],
  read: ReadInstructions,
): Promise<readonly MessageEdit[]> {
  const edits: MessageEdit[] = [];
  for (const [name, results] of groups) {
    const skill = await read(name, undefined);
    if (skill !== undefined && results.some(({ mark }) => mark?.digest === shortDigest(skill.digest)))
      edits.push(...endResults(name, results));
  }
  return edits;
}

/** Replaces texts of a skill with a pointer to the version with this digest. With `onlyOwn`, leaves texts of other versions alone. */
export function pointTo(
  { name, results }: Pick<SkillResults, 'name' | 'results'>,
  digest: string,
  onlyOwn = false,
): readonly MessageEdit[] {
  const version = shortDigest(digest);
  return results
    .filter(({ mark, text }) => mark !== undefined && (!onlyOwn || mark.digest === version || isLeftOut(text)))
    .map((result) => replace(result, renderPointer(name, version)));
}

/** Replaces the text of a result. */
export function replace({ key, id }: SkillResult, text: string): MessageEdit {
  return { key, result: id, text };
}
