// What is stored about the questions that people are asked about skills, and about their answers.

import type { ApprovalAction } from './question.ts';

/** What is stored about a question or an answer. JSON. */
export interface ConsentRecord {
  /** `asked`: a person was asked. `agreed`: they agreed for good. `given`: one call was carried out with their consent. */
  readonly state: 'asked' | 'agreed' | 'given';
  readonly action: ApprovalAction;
  /** The qualified name. */
  readonly skill: string;
  /** The id of its source. */
  readonly source: string;
  readonly path?: string | undefined;
  /** If `asked`: the digest of what the model wanted, its arguments included. */
  readonly request?: string | undefined;
  /** Of all files of the skill, as they were. */
  readonly digest: string;
  /** The digest of each file if a person agreed for good, to say later what changed; if `given`, of `SKILL.md` only. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** If `given`: the person agreed for good, so that it ends if they withdraw that. */
  readonly lasting?: boolean | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Keeps questions and answers. Use one store for each tenant, in a place where no client can write. If another process may
 * carry out what a person agreed to, both must use the same store. What a store has lost is asked again.
 */
export interface ConsentStore {
  get(key: string): unknown;
  set(key: string, record: ConsentRecord): unknown;
  /** Returns `false` if there was no such record, so that only one of two processes takes the answer to a call. */
  delete(key: string): unknown;
}

/** Records that a store in memory keeps; the oldest go first. */
const maxRecords = 10_000;

/** Creates a store that lives as long as the process. */
export function createConsentStore(): ConsentStore {
  const records = new Map<string, ConsentRecord>();
  return {
    get: (key) => records.get(key),
    set(key, record) {
      records.delete(key);
      records.set(key, record);
      const [oldest] = records.keys();
      if (records.size > maxRecords && oldest !== undefined) records.delete(oldest);
    },
    delete: (key) => records.delete(key),
  };
}

/** Reads what a store returned; undefined if it is not a record. */
export function readConsent(value: unknown): ConsentRecord | undefined {
  const { state, action, skill, source, digest, at } = Object(value);
  const isWhole = [state, action, skill, source, digest].every((field) => typeof field === 'string');
  return isWhole && typeof at === 'number' ? (value as ConsentRecord) : undefined;
}

/** Returns the paths of the files that differ, in order. */
export function changedFiles(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}
