// Derives which skills are active from the messages of a conversation and the small state that is stored with them.

import type { Catalog } from '../catalog/catalog.ts';
import { createMentionReader, type MentionOptions, type SkillMention } from '../catalog/mention.ts';
import { type ParsedMark, parseMark, shortDigest } from '../disclosure/marks.ts';
import { findActive, nameInWrapper } from '../disclosure/wrapper-name.ts';
import type { ConsentRecord } from '../policy/consent.ts';
import type { Skill } from '../skill/skill.ts';
import type { MessageView, ResultView, SkillRecord, SkillState } from './conversation.ts';
import { activatedBy, endedBy } from './skill-results.ts';
import { endRecord, isActive, isDecided, latestMoment, momentToBegin, type TrackedSkills } from './tracked.ts';

/** What tracking needs from the toolkit and about the current call. */
export interface TrackOptions {
  /** The skills that a user may activate. */
  readonly forUser: Catalog;
  /** The skills that the model, a user or the application may activate. */
  readonly forAnyone: Catalog;
  /** The skills that the model may activate without a person's consent. */
  readonly withoutConsent: ReadonlySet<Skill>;
  /** What a person agreed to, by the result that activated the skill; `undefined` if that could not be looked up. */
  readonly consents: ReadonlyMap<ResultView, ConsentRecord | undefined>;
  readonly tools: { readonly activate: string; readonly deactivate: string };
  /** Names, as in the wrapper, of the skills that are active from the start. */
  readonly preloaded: readonly string[];
  readonly mentions?: MentionOptions | undefined;
}

/** Derives the active skills from messages and from the state before them. Reads no file. */
export function trackSkills(
  messages: readonly MessageView[],
  state: SkillState | undefined,
  options: TrackOptions,
): TrackedSkills {
  const { tools, mentions } = options;
  const stored = new Map(Object.entries(state?.skills ?? {}));
  const records = new Map(stored);
  const preloaded = options.preloaded.filter((name) => !records.has(name));
  const known = { records, preloaded };
  const readMentions = createMentionReader(options.forUser, mentions);
  const lastAnswer = findLastAnswer(messages);
  const { maybeNew, surelyNew } = findNew(messages, state?.seen, lastAnswer);
  const undisclosed = [...stored].filter(([, { digest }]) => digest === undefined);
  const begun = new Set(undisclosed.map(([name]) => name));
  const fresh = new Set<string>();
  let latest = latestMoment(records);

  /** Nothing changes what the application decided. A message that may be left from a failed run changes no skill of the state. */
  const mayChange = (name: string, index: number): boolean =>
    !isDecided(known, name) && (index >= surelyNew || !stored.has(name));
  const activate = (name: string, index: number, record: NewRecord | undefined, consentedAt = 0): void => {
    if (record === undefined || !mayChange(name, index)) return;
    // Another process, with another clock, may have recorded the consent.
    latest = Math.max(momentToBegin(records.get(name), latest), consentedAt);
    records.delete(name);
    records.set(name, { ...record, at: latest, key: messages[index]?.key });
    fresh.add(name);
    if (index > lastAnswer) begun.add(name);
  };
  const deactivate = (name: string, index: number): void => {
    const record = records.get(name);
    if (record !== undefined && mayChange(name, index)) records.set(name, endRecord(record));
  };
  const takeWords = (text: string, index: number): void => {
    for (const mention of readMentions(text)) {
      const name = nameInWrapper(options.forAnyone, mention.skill);
      const isShown = isActive(known, name) && records.get(name)?.moved !== false;
      activate(name, index, recordMention(mention, isShown, records.get(name)?.key === messages[index]?.key));
    }
  };
  const takeResult = (result: ResultView, index: number): void => {
    const name = result.tool === tools.activate ? activatedBy(result) : undefined;
    if (name !== undefined) {
      const consent = newConsent(options.consents.get(result), stored.get(name));
      activate(name, index, recordResult(name, result, records.get(name), consent, options), consent?.at);
    }
    const ended = result.tool === tools.deactivate ? endedBy(result) : undefined;
    if (ended !== undefined) deactivate(ended, index);
  };
  for (const [index, { role, text, results = [] }] of messages.entries()) {
    if (index >= maybeNew && role === 'user' && text !== undefined) takeWords(text, index);
    for (const result of results) takeResult(result, index);
  }
  const seen = findSeen(messages, state?.seen, maybeNew, options);
  return { records, preloaded, begun, fresh, sign: signOf(mentions), seen };
}

function signOf({ slash = true, dollar = true }: MentionOptions = {}): TrackedSkills['sign'] {
  return (slash && '/') || (dollar && '$') || undefined;
}

type NewRecord = Omit<SkillRecord, 'at' | 'key'>;

/**
 * Returns the record of a skill that a user mentions; undefined if the model is already shown it, and the mention has no arguments
 * or was read before. Arguments in another message are new, even if they are the same, because no record keeps arguments.
 */
function recordMention(mention: SkillMention, isShown: boolean, isSameMessage: boolean): NewRecord | undefined {
  const hasArguments = mention.arguments !== '';
  if (isShown && (!hasArguments || isSameMessage)) return undefined;
  return { by: 'user', ...(hasArguments && { hasArguments }) };
}

/** Returns a consent if it is newer than the stored record of its skill, because a client may send the same call once more. */
function newConsent(consent: ConsentRecord | undefined, stored: SkillRecord | undefined): ConsentRecord | undefined {
  return consent !== undefined && consent.at > (stored?.at ?? 0) ? consent : undefined;
}

/** Returns the record of the skill that a result of the activation tool names; undefined if nothing changes. */
function recordResult(
  name: string,
  result: ResultView,
  record: SkillRecord | undefined,
  consent: ConsentRecord | undefined,
  { forAnyone, withoutConsent }: TrackOptions,
): NewRecord | undefined {
  const skill = findActive(forAnyone, name);
  if (skill === undefined) return undefined;
  const mark = parseMark('activation', result.text);
  /** Its record, if it is already active. */
  const before = record?.ended === true ? undefined : record;
  const mayBegin = withoutConsent.has(skill) || consent !== undefined;
  if (!mayBegin && (before === undefined || before.consent !== undefined)) return undefined;
  if (before?.key !== undefined && isRepeated(mark, before, consent)) return undefined;
  // A pointer tells nothing about arguments.
  const hasArguments = mark === undefined ? before?.hasArguments === true : mark.arguments !== undefined;
  return {
    by: 'model',
    // The consent counts, not the text of the result, which a client may have forged.
    digest: consent === undefined ? mark?.digest : shortDigest(consent.files?.['SKILL.md'] ?? ''),
    ...(consent && { consent: consent.digest, ...(consent.lasting === true && { lasting: true }) }),
    ...(hasArguments && { hasArguments }),
  };
}

/** Checks whether an activation changes nothing about an active skill. */
function isRepeated(mark: ParsedMark | undefined, before: SkillRecord, consent: ConsentRecord | undefined): boolean {
  if (consent !== undefined && (consent.digest !== before.consent || consent.lasting !== before.lasting)) return false;
  if (mark === undefined) return true;
  // What was left out begins again if the model gets it.
  if (before.moved === false) return false;
  if (mark.arguments !== undefined || before.hasArguments === true) return false;
  // A new version moves the place of the skill to this result.
  return before.by !== 'model' || before.digest === mark.digest;
}

/**
 * Finds the first message that the state may not know yet: the one after `seen` or, if that is gone, after the model's last answer.
 * Messages before `surelyNew` may be left from a run that failed.
 */
function findNew(
  messages: readonly MessageView[],
  seen: string | undefined,
  lastAnswer: number,
): { readonly maybeNew: number; readonly surelyNew: number } {
  const last = messages.findLastIndex(({ key }) => key === seen);
  // The last message itself may have been edited, which some frameworks do under the same key.
  const maybeNew = Math.min(last + 1, messages.length - 1);
  if (seen === undefined || last !== -1) return { maybeNew, surelyNew: last + 1 };
  const lastWords = messages.findLastIndex(({ text }) => text !== undefined);
  return { maybeNew: lastAnswer + 1, surelyNew: Math.max(lastWords, lastAnswer + 1) };
}

/** Finds the last message to take as known. A result whose consent could not be looked up is still new in the next call. */
function findSeen(
  messages: readonly MessageView[],
  seen: string | undefined,
  maybeNew: number,
  { consents }: TrackOptions,
): string | undefined {
  const isUnknown = (result: ResultView): boolean => consents.has(result) && consents.get(result) === undefined;
  const unknown = messages.findIndex(
    ({ key, results = [] }, index) => index >= maybeNew && key !== seen && results.some(isUnknown),
  );
  return (unknown === -1 ? messages.at(-1) : messages[unknown - 1])?.key ?? seen;
}

/** Returns the index of the model's last answer, or -1. */
export function findLastAnswer(messages: readonly MessageView[]): number {
  return messages.findLastIndex(({ role }) => role === 'assistant');
}
