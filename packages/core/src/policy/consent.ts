// Defines how questions to people about skills, and their answers, are stored.

import type { ApprovalAction } from './question.ts';

/** A stored question or answer. It is JSON. */
export interface ConsentRecord {
  /**
   * `asked`: a person was asked. `started`: they agreed, and the script was started. `agreed`: the person agreed permanently. `given`:
   * one call was carried out with their consent.
   */
  readonly state: 'asked' | 'started' | 'agreed' | 'given';
  readonly action: ApprovalAction;
  /** The qualified name, with the plugin if there is one. */
  readonly skill: string;
  /** The id of its source. */
  readonly source: string;
  readonly path?: string | undefined;
  /** If `asked` or `started`: the digest of the model's request, arguments included. */
  readonly request?: string | undefined;
  /** If `asked` or `started`: the key of the user's last message when the person was asked. */
  readonly turn?: string | undefined;
  /** The digest of all files of the skill at that time. */
  readonly digest: string;
  /** If `agreed`: the digest of each file, to show later what changed. If `given`: the digest of `SKILL.md` only. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** If `given`: whether the person agreed permanently, so that withdrawing the agreement ends this consent, too. */
  readonly lasting?: boolean | undefined;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Keeps questions and answers. Use one store for each tenant, in a place where clients cannot write. If another process may carry
 * out what a person agreed to, both must use the same store. If a record is lost, the person is asked again.
 */
export interface ConsentStore {
  get(key: string): unknown;
  set(key: string, record: ConsentRecord): unknown;
  /** Returns whether there was such a record, so that only one of two processes can use an answer. */
  delete(key: string): boolean | Promise<boolean>;
}

/** Records that a store in memory keeps; the oldest are dropped first. */
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

/** Checks a value from a store; undefined if it is not a record in this state. */
export function parseConsent(value: unknown, wanted: ConsentRecord['state']): ConsentRecord | undefined {
  const { state, action, skill, source, digest, at } = Object(value);
  const isWhole = [action, skill, source, digest].every((field) => typeof field === 'string');
  return state === wanted && isWhole && typeof at === 'number' ? (value as ConsentRecord) : undefined;
}

/** Returns the paths of the files that differ, in order. */
export function changedFiles(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}
