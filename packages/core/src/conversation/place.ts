// Puts the instructions of active skills into a model call where they were asked for, each exactly once.

import type { Catalog } from '../catalog/catalog.ts';
import { createMentionReader, type SkillMention } from '../catalog/mention.ts';
import type { Activation } from '../disclosure/activate.ts';
import { renderAttachment, renderInactive, renderPointer, renderSuperseded } from '../disclosure/activation-text.ts';
import { type ParsedMark, parseActivation, parsePointer, shortDigest } from '../disclosure/marks.ts';
import { nameInWrapper } from '../disclosure/wrapper-name.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { MessageEdit, MessageView, ResultView, SkillRecord } from './conversation.ts';
import type { OnSkillEvent } from './event.ts';
import type { ReadInstructions } from './instructions.ts';
import { momentAfter, type TrackedSkills } from './track.ts';

/** What placing needs to know of a toolkit and of the call at hand. */
export interface PlaceOptions {
  readonly catalog: Catalog;
  readonly activateTool: string;
  /** Whether the model can call that tool in this call. */
  readonly canActivate: boolean;
  /** Skills whose instructions are in the system prompt already. */
  readonly shown: ReadonlySet<string>;
  readonly read: ReadInstructions;
  /** Limit for the tokens of all moved instructions together. */
  readonly movedTokens: number;
  readonly countTokens: CountTokens;
  readonly emit: OnSkillEvent;
}

/** The instructions of the active skills, each in its place. */
export interface PlacedSkills {
  /** Instructions of the preloaded skills, for the system prompt. */
  readonly preloaded: readonly string[];
  readonly edits: readonly MessageEdit[];
  /** The records to keep, with the place of each skill. */
  readonly records: Readonly<Record<string, SkillRecord>>;
}

/** What replaces arguments once the message that gave them is gone. */
const forgottenArguments = '(given earlier in the conversation)';

/** Puts the instructions of the active skills where they belong. Reads each skill once. */
export async function placeSkills(
  messages: readonly MessageView[],
  { records: tracked, preloaded, begun }: TrackedSkills,
  options: PlaceOptions,
): Promise<PlacedSkills> {
  const { catalog, activateTool, read, countTokens, emit } = options;
  const byKey = new Map(messages.map((message) => [message.key, message]));
  const results = groupResults(messages, activateTool);
  const users = messages.filter(({ role }) => role === 'user');
  const records = new Map(tracked);
  const replaced: MessageEdit[] = [];
  const appended = new Map<string, string[]>();
  const moving: string[] = [];
  const mentioned = new Map<string, readonly SkillMention[]>();
  let readMentions: ReturnType<typeof createMentionReader> | undefined;

  for (const [name, record] of tracked) {
    const named = results.get(name) ?? [];
    if (options.shown.has(name) && record.hasArguments !== true) continue;
    if (record.ended === true || (await isOther(name, record))) end(name, record, named);
    else if (record.by === 'model') await placeInResult(name, record, named);
    else await placeInMessage(name, record, named);
  }
  for (const name of preloaded) await pointFrom(name, results.get(name) ?? []);
  const movedText = await moveSkills();
  const [first] = users;
  if (movedText !== '' && first !== undefined) append(first.key, movedText);
  return {
    preloaded: await readPreloaded(),
    edits: [
      ...replaced,
      ...[...appended].map(([key, texts]) => ({ key, append: texts.join('\n\n') })),
      ...(movedText !== '' && first === undefined ? [{ start: movedText }] : []),
    ],
    records: Object.fromEntries(records),
  };

  function append(key: string, text: string): void {
    appended.set(key, [...(appended.get(key) ?? []), text]);
  }

  /** Checks whether a skill is no longer the one that a person agreed to. */
  async function isOther(name: string, { consent, digest }: SkillRecord): Promise<boolean> {
    if (consent === undefined || digest === undefined) return false;
    const activation = await read(name, undefined);
    return activation !== undefined && shortDigest(activation.digest) !== digest;
  }

  function end(name: string, record: SkillRecord, named: readonly SkillResult[]): void {
    replaced.push(...named.map((result) => replace(result, renderInactive(name))));
    if (record.ended === true) return;
    records.set(name, { by: record.by, at: momentAfter(record), ended: true });
    emit({ type: 'deactivated', skill: name, by: 'code', tokens: 0 });
  }

  /** In the result of the call that asked; every other result about the skill becomes a few words. */
  async function placeInResult(name: string, record: SkillRecord, named: readonly SkillResult[]): Promise<void> {
    const whole = named.filter(({ given }) => given !== undefined);
    const place = whole.find(({ key }) => key === record.key) ?? whole[0];
    if (place === undefined) return void moving.push(name);
    const activation = await read(name, place.given?.arguments);
    if (activation === undefined) return void moving.push(name);
    // Replaces a text that is not, or is no longer, the skill's own.
    if (place.text !== activation.text) replaced.push(replace(place, activation.text));
    keep(name, { ...record, key: place.key, moved: undefined }, activation);
    let isLater = false;
    for (const other of named) {
      if (other === place) isLater = true;
      else if (other.given !== undefined) {
        const pointer = renderPointer(name, shortDigest(activation.digest));
        replaced.push(replace(other, isLater ? pointer : renderSuperseded(name)));
      }
    }
  }

  /** At the end of the user message that asked, or of the first one after a decision of the application. */
  async function placeInMessage(name: string, record: SkillRecord, named: readonly SkillResult[]): Promise<void> {
    const message = record.key === undefined ? users.at(-1) : byKey.get(record.key);
    if (message === undefined) return void moving.push(name);
    const activation = await read(name, record.hasArguments ? argumentsIn(message, name) : undefined);
    if (activation === undefined) return void moving.push(name);
    append(message.key, activation.text);
    if (begun.has(name)) reportActivation(name, record, activation);
    keep(name, { ...record, key: message.key, moved: undefined }, activation);
    await pointFrom(name, named);
  }

  /** Replaces each result that repeats the skill's own text by a pointer to it; any other text stays. */
  async function pointFrom(name: string, named: readonly SkillResult[]): Promise<void> {
    for (const result of named) {
      if (result.given === undefined) continue;
      const own = await read(name, result.given.arguments);
      if (own?.text === result.text) replaced.push(replace(result, renderPointer(name, shortDigest(own.digest))));
    }
  }

  /** Renders the skills whose place is gone, the newest first, as long as there is room. */
  async function moveSkills(): Promise<string> {
    const texts: string[] = [];
    const leftOut: string[] = [];
    const unreadable: string[] = [];
    let room = options.movedTokens;
    for (const name of moving.reverse()) {
      const record = records.get(name);
      if (record === undefined) continue;
      const activation = await read(name, record.hasArguments ? forgottenArguments : undefined, 'moved');
      const tokens = activation === undefined ? 0 : countTokens(activation.text);
      if (activation === undefined || tokens > room) {
        (activation === undefined ? unreadable : leftOut).push(name);
        if (record.moved !== true) emit({ type: 'left-out', skill: name, tokens });
        records.set(name, { ...record, moved: true });
        continue;
      }
      room -= tokens;
      texts.push(activation.text);
      const { digest } = activation;
      if (record.digest === undefined) reportActivation(name, record, activation);
      else if (record.moved !== true)
        emit({ type: 'reattached', skill: name, changed: record.digest !== shortDigest(digest), tokens });
      keep(name, { ...record, moved: true }, activation);
    }
    return renderAttachment({
      texts,
      leftOut,
      unreadable,
      activateTool: options.canActivate ? activateTool : undefined,
    });
  }

  async function readPreloaded(): Promise<readonly string[]> {
    const activations = await Promise.all(preloaded.map((name) => read(name, undefined)));
    return activations.flatMap((activation) => activation?.text ?? []);
  }

  function keep(name: string, record: SkillRecord, { digest }: Activation): void {
    records.set(name, { ...record, digest: shortDigest(digest) });
  }

  function reportActivation(name: string, { by }: SkillRecord, { skill, digest, text }: Activation): void {
    const [source, tokens] = [skill.source.id, countTokens(text)];
    if (by !== 'model') emit({ type: 'activated', skill: name, digest, source, by, tokens });
  }

  /** Reads the arguments of a skill in the message that named it; each message is read once, however many skills it names. */
  function argumentsIn({ key, text = '' }: MessageView, name: string): string {
    readMentions ??= createMentionReader(catalog);
    const known = mentioned.get(key) ?? readMentions(text);
    mentioned.set(key, known);
    return known.find(({ skill }) => nameInWrapper(catalog, skill) === name)?.arguments ?? forgottenArguments;
  }
}

/** A result of the activation tool, and the message that it is in. */
interface SkillResult extends ResultView {
  readonly key: string;
  /** What its first line says; absent if it is only a pointer. */
  readonly given: ParsedMark | undefined;
}

/** Groups the results of the activation tool by the skill that they name. */
function groupResults(messages: readonly MessageView[], tool: string): ReadonlyMap<string, readonly SkillResult[]> {
  const groups = new Map<string, SkillResult[]>();
  for (const { key, results = [] } of messages) {
    for (const result of results) {
      if (result.tool !== tool) continue;
      const given = parseActivation(result.text);
      const name = given?.name ?? parsePointer(result.text)?.name;
      if (name === undefined) continue;
      const group = groups.get(name) ?? [];
      groups.set(name, group);
      group.push({ ...result, key, given });
    }
  }
  return groups;
}

function replace({ key, id }: SkillResult, text: string): MessageEdit {
  return { key, result: id, text };
}
