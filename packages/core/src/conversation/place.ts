// Puts the instructions of active skills into a model call, each exactly once, where the skill was asked for.

import type { Catalog } from '../catalog/catalog.ts';
import { createMentionReader } from '../catalog/mention.ts';
import { nameKey } from '../catalog/names.ts';
import type { Activation } from '../disclosure/activate.ts';
import { renderPointer } from '../disclosure/activation-text.ts';
import { forgottenArguments, isLeftOut } from '../disclosure/answers.ts';
import { shortDigest } from '../disclosure/marks.ts';
import { findActive, isDenied, nameInWrapper } from '../disclosure/wrapper-name.ts';
import { mapInBatches } from '../runtime/batches.ts';
import { groupBy } from '../runtime/group-by.ts';
import type { MessageEdit, MessageView, ResultView, SkillRecord } from './conversation.ts';
import { createInstructionsReader, type InstructionsOptions } from './instructions.ts';
import { type MoveOptions, moveSkills, reportVersion } from './moved.ts';
import { endOwn, endResults, groupResults, pointTo, replace, type SkillResults } from './skill-results.ts';
import { endRecord, type TrackedSkills } from './tracked.ts';

/** What placing needs from the toolkit and about the current call. */
export interface PlaceOptions extends InstructionsOptions, Omit<MoveOptions, 'read' | 'explainUnread'> {
  /** The catalog before anything is denied. */
  readonly all: Catalog;
  /** The skills that a user may activate. */
  readonly forUser: Catalog;
  readonly deactivateTool: string;
  /** Skills whose instructions are already in the system prompt, with their digests. */
  readonly shown: ReadonlyMap<string, string>;
}

/** The instructions of the active skills, each in its place. */
export interface PlacedSkills {
  /** Instructions of the preloaded skills, for the system prompt. */
  readonly preloaded: readonly string[];
  readonly edits: readonly MessageEdit[];
  /** The records to store, with the place of each skill. */
  readonly records: ReadonlyMap<string, SkillRecord>;
  /** The digests of the skills whose instructions the model reads, by name. */
  readonly included: ReadonlyMap<string, string>;
}

/**
 * Places the instructions of the active skills. Reads each skill once. No instructions stay before a summary by the provider, also
 * because a client may have made it up.
 */
export async function placeSkills(
  messages: readonly MessageView[],
  { records: tracked, preloaded, begun, fresh }: TrackedSkills,
  options: PlaceOptions,
): Promise<PlacedSkills> {
  const { all, catalog, shown, emit } = options;
  /** A denied skill must leave the conversation. A skill that only left the catalog stays. */
  const isGone = (name: string): boolean => isDenied(name, catalog, all);
  const read = createInstructionsReader(options);
  const groups = groupResults(messages, options);
  const withResults = (name: string): SkillResults => ({ name, results: groups.get(name) ?? [], read });
  const summary = messages.findLastIndex(({ compacts }) => compacts === true);
  const behind = messages.slice(summary + 1);
  const place = createPlacer(messages, behind, tracked, options);
  const records = new Map(tracked);
  const edits: MessageEdit[] = [];
  const placeless: [name: string, record: SkillRecord][] = [];
  const inPlace = new Map<string, string>();
  // First, because without one of them the call fails, and nothing must be reported.
  const own = await Promise.all(
    preloaded.map(async (name) => ({ name, ...(await read(name, undefined, 'preloaded')) })),
  );

  const findPlacement = async (skill: TrackedSkill): Promise<Placement | 'changed' | 'ended'> => {
    if (await isOther(skill)) return 'changed';
    return skill.record.ended === true ? 'ended' : place(skill);
  };
  const others = [...tracked].filter(([name, { hasArguments }]) => !shown.has(name) || hasArguments === true);
  // At the same time, because a source may be slow.
  const placed = await mapInBatches(others, async ([name, record]) => {
    const skill = { ...withResults(name), record };
    return { ...skill, placement: await findPlacement(skill) };
  });
  for (const { name, record, results, placement } of placed) {
    if (placement === 'changed') {
      records.set(name, endRecord(record));
      emit({ type: 'deactivated', skill: name, by: 'code', reason: 'files-changed', tokens: 0 });
    }
    if (typeof placement === 'string') {
      edits.push(...endResults(name, results));
      continue;
    }
    const { key, activation, edits: placing } = placement;
    edits.push(...(isGone(name) ? endResults(name, results) : placing));
    if (activation === undefined) {
      placeless.push([name, record]);
      continue;
    }
    records.set(name, { ...record, key, moved: undefined, digest: shortDigest(activation.digest) });
    inPlace.set(name, activation.digest);
    // Without a stored state, the digest is that of the first activation, in each turn.
    const known = fresh.has(name) ? { ...record, digest: undefined } : record;
    reportVersion(name, known, begun.has(name), activation, options);
  }

  const strange = [...groups].filter(([name]) => !tracked.has(name) && findActive(catalog, name) === undefined);
  // What another agent's skill left cannot be filled in here.
  const isLeft = ({ text }: ResultView): boolean => isLeftOut(text);
  edits.push(...strange.flatMap(([name, results]) => endResults(name, results.filter(isLeft))));
  const denied = strange.filter(([name]) => isGone(name));
  edits.push(...(await endOwn(denied, createInstructionsReader({ ...options, catalog: all }))));

  const explainUnread = (name: string) => {
    if (isGone(name)) return 'denied';
    return findActive(catalog, name) === undefined ? 'missing' : 'unreadable';
  };
  const moved = await moveSkills(placeless, records, { ...options, read, explainUnread });
  // After a summary, other messages may come before the first user message. Then what was put among them stays there.
  const first = summary === -1 ? messages.find(isOfUser) : behind[0];
  for (const [name, digest] of moved.included) edits.push(...pointTo(withResults(name), digest));
  const { text } = moved;
  if (text !== '') edits.push(first && isOfUser(first) ? { key: first.key, append: text } : { start: text });

  const preloads = own.flatMap(({ name, digest }) => (digest === undefined ? [] : [[name, digest] as const]));
  for (const [name, digest] of preloads) edits.push(...pointTo(withResults(name), digest, true));
  return {
    included: new Map([...shown, ...preloads, ...inPlace, ...moved.included]),
    preloaded: own.flatMap(({ text }) => text ?? []),
    edits: joinAppended(edits),
    records,
  };
}

interface TrackedSkill extends SkillResults {
  readonly record: SkillRecord;
}

/** The edits that place a skill, and the key of its message. */
interface Placement {
  readonly key?: string;
  /** What the skill says now. Absent if it cannot be read or has no place; its text in the conversation then stays as it is. */
  readonly activation?: Activation | undefined;
  readonly edits: readonly MessageEdit[];
}

/** Checks whether an active skill has changed since a person agreed to it. */
async function isOther({ name, record, read }: TrackedSkill): Promise<boolean> {
  if (record.consent === undefined) return false;
  const activation = await read(name, undefined);
  return activation !== undefined && shortDigest(activation.digest) !== record.digest;
}

/** Creates a function that places a skill where it was asked for, if that is one of the last messages. */
function createPlacer(
  messages: readonly MessageView[],
  lastMessages: readonly MessageView[],
  records: ReadonlyMap<string, SkillRecord>,
  { catalog, forUser }: PlaceOptions,
): (skill: TrackedSkill) => Promise<Placement> {
  const byKey = new Map(lastMessages.map((message) => [message.key, message]));
  const last = lastMessages.findLast(isOfUser);
  const readMentions = createMentionReader(forUser);
  // What else a message names is a part of its arguments, even if the model has activated it since then.
  const ofUser = [...records].filter(([, { by }]) => by === 'user');
  const named = new Set(ofUser.map(([name]) => nameKey(name)));
  const all = new Set(Array.from(records.keys(), nameKey));
  const argumentsIn = ({ text = '' }: MessageView, name: string): string => {
    const find = (names: ReadonlySet<string>) =>
      readMentions(text, names).find(({ skill }) => nameInWrapper(catalog, skill) === name);
    // The model may also have activated a skill that the message names first, and that is no longer in the catalog.
    const mention = find(named) ?? find(all);
    return mention?.arguments ?? forgottenArguments;
  };
  return async (skill) => {
    const { by, key, hasArguments, moved } = skill.record;
    const message = key === undefined ? last : byKey.get(key);
    // The model may also have called for a skill before the application decided about it, or since the skill was left out.
    const isInResult = by === 'model' || message?.role === 'tool' || (message === undefined && moved === false);
    if (isInResult) return placeInResult(skill, byKey);
    if (message === undefined) return { edits: [] };
    const given = hasArguments ? argumentsIn(message, skill.name) : undefined;
    return placeInMessage(skill, message.key, messages.indexOf(message), given);
  };
}

/**
 * Places a skill in the result of the call that asked for it. Earlier results state that the skill is no longer active, later
 * ones become pointers.
 */
async function placeInResult(
  { name, record, results, read }: TrackedSkill,
  messages: ReadonlyMap<string, MessageView>,
): Promise<Placement> {
  // The results among the last messages that contain an activation.
  const whole = results.filter(({ key, mark, isOver }) => messages.has(key) && mark !== undefined && !isOver);
  const { key } = whole.find((result) => result.key === record.key) ?? whole[0] ?? {};
  const ofMessage = whole.filter((result) => result.key === key);
  // Of several results in one message, the arguments of the last one count. The place is the first result with these arguments.
  const place = ofMessage.find(({ mark }) => mark?.arguments === ofMessage.at(-1)?.mark?.arguments);
  if (place === undefined) return { edits: [] };
  const activation = await read(name, place.mark?.arguments);
  const at = results.indexOf(place);
  const pointer = renderPointer(name, activation ? shortDigest(activation.digest) : String(place.mark?.digest));
  const edits = results.flatMap((result, index) => {
    if (index < at) return endResults(name, [result]);
    if (index > at) return result.mark === undefined ? [] : replace(result, pointer);
    if (activation === undefined) return isLeftOut(result.text) ? endResults(name, [result]) : [];
    // Replaces a text that is not, or no longer, that of the skill.
    return result.text === activation.text ? [] : replace(result, activation.text);
  });
  return { key: place.key, activation, edits };
}

/** Places a skill at the end of the user message that asked for it, or of the latest one if the application decided. */
async function placeInMessage(
  { name, results, read }: TrackedSkill,
  key: string,
  at: number,
  given: string | undefined,
): Promise<Placement> {
  const activation = await read(name, given);
  const [before, behind] = [results.filter(({ index }) => index < at), results.filter(({ index }) => index > at)];
  const edits = endResults(name, before);
  if (activation === undefined) return { key, activation, edits };
  const pointers = pointTo({ name, results: behind }, activation.digest, true);
  return { key, activation, edits: [{ key, append: activation.text }, ...edits, ...pointers] };
}

function isOfUser({ role }: MessageView): boolean {
  return role === 'user';
}

/** Joins the texts that are added to one message, because each edit becomes a part of the message. */
function joinAppended(edits: readonly MessageEdit[]): readonly MessageEdit[] {
  const appended = groupBy(
    edits.filter((edit) => 'append' in edit),
    ({ key }) => key,
  );
  const joined = [...appended].map(([key, all]) => ({ key, append: all.map(({ append }) => append).join('\n\n') }));
  return [...edits.filter((edit) => !('append' in edit)), ...joined];
}
