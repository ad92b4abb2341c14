// Reads and writes the part of the settings below `trust`.

import { type ConsentRecord, parseConsent } from '../../policy/consent.ts';
import { isRecord, recordOf } from '../../runtime/record.ts';
import { canonicalPath } from '../environment/project.ts';
import type { Stored } from './decisions.ts';

/** A project that the user trusts. */
export interface TrustedProject {
  /** Canonical path of its root. */
  readonly directory: string;
  /** When it was trusted, in ISO 8601; missing if unknown. */
  readonly since?: string | undefined;
}

/** Returns why stored trust cannot be understood. */
export function findMisshapenTrust({ trust = {} }: Stored): string | undefined {
  if (!isRecord(trust)) return '`trust` is not an object';
  const { projects = [], skills = {} } = trust;
  if (!isRecord(skills)) return '`trust.skills` is not an object';
  return Array.isArray(projects) ? undefined : '`trust.projects` is not a list';
}

/** Returns the trusted projects. Ignores invalid items. */
export function trustedIn(stored: Stored): readonly TrustedProject[] {
  const { projects } = recordOf(stored.trust);
  return Array.isArray(projects) ? projects.filter(isTrustedProject) : [];
}

/** Returns the permanent consents by key. Ignores invalid records. */
export function consentsIn(stored: Stored): Readonly<Record<string, ConsentRecord>> {
  const records = Object.entries(recordOf(recordOf(stored.trust).skills)).flatMap(([key, value]) => {
    const record = parseConsent(value, 'agreed');
    return record === undefined ? [] : [[key, record] as const];
  });
  return Object.fromEntries(records);
}

/**
 * Adds or removes a trusted project by its canonical path. `since` does not replace an earlier time; without `since`, the project
 * is removed, under every path that leads to it by now.
 */
export function storeTrust(stored: Stored, directory: string, since: string | undefined): void {
  const projects = trustedIn(stored);
  const isKnown = (project: TrustedProject) => canonicalPath(project.directory) === directory;
  const others = projects.filter((project) => !isKnown(project));
  const added = since === undefined ? [] : [{ ...(projects.find(isKnown) ?? { since }), directory }];
  const sorted = [...others, ...added].sort((a, b) => (a.directory < b.directory ? -1 : 1));
  stored.trust = { ...recordOf(stored.trust), projects: sorted };
}

function isTrustedProject(value: unknown): value is TrustedProject {
  const { directory, since } = recordOf(value);
  return typeof directory === 'string' && (since === undefined || typeof since === 'string');
}
