// What the user trusts, as the settings store it, below `trust`.

import { type ConsentRecord, readConsent } from '../../policy/consent.ts';
import { isRecord, recordOf } from '../../runtime/record.ts';
import type { Stored } from './decisions.ts';

/** A project that the user trusts. */
export interface TrustedProject {
  /** Canonical path of its root. */
  readonly directory: string;
  /** When it was trusted, in ISO 8601; missing if an earlier version stored it. */
  readonly since?: string | undefined;
}

/** Returns why stored trust is not understood. */
export function findMisshapenTrust({ trust = {}, trustedProjects = [] }: Stored): string | undefined {
  if (!Array.isArray(trustedProjects)) return '`trustedProjects` is not a list';
  if (!isRecord(trust)) return '`trust` is not an object';
  const { projects = [], skills = {} } = trust;
  if (!isRecord(skills)) return '`trust.skills` is not an object';
  return Array.isArray(projects) ? undefined : '`trust.projects` is not a list';
}

/** Returns the trusted projects, with those that earlier versions stored as a list of paths. */
export function trustedIn(stored: Stored): readonly TrustedProject[] {
  const paths = listOf(stored.trustedProjects).filter((path) => typeof path === 'string');
  const projects = listOf(recordOf(stored.trust).projects).filter(isTrustedProject);
  const known = new Set(projects.map(({ directory }) => directory));
  return [...projects, ...paths.filter((path) => !known.has(path)).map((directory) => ({ directory }))];
}

/** Returns what people agreed to, by key, and ignores anything that is not such a record. */
export function consentsIn(stored: Stored): Readonly<Record<string, ConsentRecord>> {
  const records = Object.entries(recordOf(recordOf(stored.trust).skills)).flatMap(([key, value]) => {
    const record = readConsent(value);
    return record?.state === 'agreed' ? [[key, record] as const] : [];
  });
  return Object.fromEntries(records);
}

/** Stores or removes that a project is trusted; `since` does not replace an earlier time. */
export function storeTrust(stored: Stored, directory: string, since: string | undefined): void {
  const projects = trustedIn(stored);
  const known = projects.find((project) => project.directory === directory);
  const others = projects.filter((project) => project.directory !== directory);
  const added = since === undefined ? [] : [known ?? { directory, since }];
  const sorted = [...others, ...added].sort((a, b) => (a.directory < b.directory ? -1 : 1));
  stored.trust = { ...recordOf(stored.trust), projects: sorted };
  delete stored.trustedProjects;
}

/** Removes everything that is trusted. */
export function forgetTrust(stored: Stored): void {
  delete stored.trust;
  delete stored.trustedProjects;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isTrustedProject(value: unknown): value is TrustedProject {
  const { directory, since } = recordOf(value);
  return typeof directory === 'string' && (since === undefined || typeof since === 'string');
}
