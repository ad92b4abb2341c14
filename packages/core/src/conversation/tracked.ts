// Handles the records of the skills in a conversation: which are active, and how they become the stored state.

import type { ActiveSkill, SkillRecord, SkillState } from './conversation.ts';
import { parseStoredState } from './stored.ts';

/** The skills of one conversation. */
export interface TrackedSkills {
  /** Every skill that was ever active, including ended ones; the latest activation last. */
  readonly records: ReadonlyMap<string, SkillRecord>;
  /** Preloaded skills that the application has not ended: their text is in the system prompt. */
  readonly preloaded: readonly string[];
  /** The skills that were activated since the model's last answer, or whose instructions it has never seen. */
  readonly begun: ReadonlySet<string>;
  /** The skills whose records were read from messages just now, and not from the state. */
  readonly fresh: ReadonlySet<string>;
  /** The sign with which users mention a skill; undefined if they cannot. */
  readonly sign: '/' | '$' | undefined;
  /** The skills that ended because a person withdrew their consent. */
  readonly withdrawn?: readonly string[];
  /** Key of the last message. */
  readonly seen: string | undefined;
}

/** The part that decides whether a skill is active. */
type KnownSkills = Pick<TrackedSkills, 'records' | 'preloaded'>;

/** Checks whether a skill is active, by the name in its wrapper. Once a preloaded skill has a record, the record counts. */
export function isActive({ records, preloaded }: KnownSkills, name: string): boolean {
  const record = records.get(name);
  return record === undefined ? preloaded.includes(name) : record.ended !== true;
}

/** Checks whether the application decided that a skill is active. Nothing in the conversation can change that. */
export function isDecided(known: KnownSkills, name: string): boolean {
  return isActive(known, name) && known.records.get(name)?.by !== 'user' && known.records.get(name)?.by !== 'model';
}

/** Lists the active skills: preloaded ones first, then the others in the order of activation. */
export function activeIn({ records, preloaded }: KnownSkills): readonly ActiveSkill[] {
  return [
    ...preloaded.map((name) => ({ name, by: 'code' as const })),
    ...[...records].flatMap(([name, { by, at, digest, ended }]) =>
      ended === true ? [] : [{ name, by, at, ...(digest !== undefined && { digest }) }],
    ),
  ];
}

/** Returns the current time, or if necessary a later one, so that it is always after the skill's last change. */
export function momentAfter(record: SkillRecord | undefined): number {
  return Math.max(Date.now(), (record?.at ?? 0) + 1);
}

/** Returns the time at which a skill begins: not before the `latest` change, because the order of skills is read from it. */
export function momentToBegin(record: SkillRecord | undefined, latest: number): number {
  return Math.max(latest, momentAfter(record));
}

/** Returns the time of the latest change of any skill. */
export function latestMoment(records: ReadonlyMap<string, SkillRecord>): number {
  return [...records.values()].reduce((latest, { at }) => Math.max(latest, at), 0);
}

/** Returns the record of a skill that ends now. */
export function endRecord(record: SkillRecord): SkillRecord {
  return { by: record.by, at: momentAfter(record), ended: true };
}

/** The record of a skill that is not active in this call, and the record that is stored. */
interface PausedRecord extends SkillRecord {
  readonly stored?: SkillRecord;
}

/** Returns the record of a skill that pauses for this call. */
export function pauseRecord(record: SkillRecord): PausedRecord {
  return { ...endRecord(record), stored: record };
}

/** Returns the state to store, without `undefined`, which some databases refuse. */
export function toState({
  records,
  seen,
  origin,
}: Pick<TrackedSkills, 'records' | 'seen'> & Pick<SkillState, 'origin'>): SkillState {
  const stored = [...records].map(([name, record]: readonly [string, PausedRecord]) => [name, record.stored ?? record]);
  return parseStoredState({ seen, origin, skills: Object.fromEntries(stored) });
}

/** Checks whether a record replaces a known one. In the same millisecond, decisions count more, then what was disclosed or left out. */
function isLater(record: SkillRecord, known: SkillRecord): boolean {
  if (record.at !== known.at) return record.at > known.at;
  const isDecision = record.by === 'code';
  return isDecision === (known.by === 'code') ? (record.digest ?? record.moved) !== undefined : isDecision;
}

/** Merges states that were written at the same time. For each skill, the latest change counts. */
export function mergeStates(...states: readonly (SkillState | undefined)[]): SkillState {
  const records = new Map<string, SkillRecord>();
  let seen: string | undefined;
  let origin: string | undefined;
  for (const state of states) {
    seen = state?.seen ?? seen;
    origin ??= state?.origin;
    for (const [name, record] of Object.entries(state?.skills ?? {})) {
      const known = records.get(name);
      if (known !== undefined && !isLater(record, known)) continue;
      // Moved to the end, so that changes in the same millisecond keep the order of the later state.
      records.delete(name);
      records.set(name, record);
    }
  }
  const sorted = new Map([...records].sort(([, one], [, other]) => one.at - other.at));
  return toState({ records: sorted, seen, origin });
}
