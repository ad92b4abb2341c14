// A source of the published skills of a tenant, which needs no disk.

import {
  type Diagnostic,
  isSkillError,
  type ListOptions,
  type SkillEntry,
  SkillError,
  type SkillListing,
  type SkillScope,
  type SkillSource,
} from '@skillful/core';
import { createDiagnostic } from '@skillful/core/authoring';
import { checkCounts, checkListedPath, checkResourcePath } from '@skillful/core/extending';
import type { Query } from './client.ts';
import { checkTenant, listen, type SkillDatabase, transact } from './database.ts';
import { findVersion, listPage, type SkillPage } from './list-skills.ts';
import { listBundledFiles, readBundledFile } from './read-files.ts';
import { checkWhole } from './versions.ts';

export interface PostgresSourceOptions {
  /** @default the skills that all tenants share */
  readonly tenant?: string | undefined;
  /** @default the newest version at the time of each listing */
  readonly version?: number | undefined;
  /** @default 'postgres', or 'postgres:' and the name of the tenant */
  readonly id?: string | undefined;
  /** @default 'synced' */
  readonly scope?: SkillScope | undefined;
  /** @default true */
  readonly trusted?: boolean | undefined;
}

/** How often a listing begins again because its version was removed meanwhile. */
const mostAttempts = 5;

/**
 * Creates a source of published skills. A skill is read in the version that was listed, even if there is a newer one by then.
 * `watch` reports each publication, over one additional connection that all sources of the database share.
 *
 * @throws {SkillError} `options-invalid`
 */
export function postgresSource(database: SkillDatabase, options: PostgresSourceOptions = {}): SkillSource {
  const tenant = checkTenant(options, ['version', 'id', 'scope', 'trusted']);
  const { version, id = tenant === '' ? 'postgres' : `postgres:${tenant}`, scope = 'synced', trusted = true } = options;
  if (version !== undefined) checkWhole('version', version);
  const run = <T>(work: (query: Query) => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    transact({ database, role: 'skillful_reader', tenant, signal }, work);

  async function list(options: ListOptions = {}): Promise<SkillListing> {
    options.signal?.throwIfAborted();
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const listing = await tryToList(options);
      if (listing !== undefined) return listing;
    }
    // For example because a replica lags behind another one.
    throw new SkillError('source-failed', 'the skills changed again and again while they were listed; try again later');
  }

  /** Lists a version; `undefined` if it was removed meanwhile. */
  async function tryToList({ signal, known }: ListOptions): Promise<SkillListing | undefined> {
    const listed = await run((query) => findVersion(query, tenant, version), signal);
    if (listed === undefined) {
      const site = { source: id, location: id };
      return { entries: [], diagnostics: [createDiagnostic('source-unpublished', site, { source: id })] };
    }
    const entries: SkillEntry[] = [];
    const diagnostics: Diagnostic[] = [];
    // A version never changes, so each page can be read in a separate transaction.
    for (let after: string | undefined = ''; after !== undefined; ) {
      const wanted = { ...listed, tenant, after, known };
      const page: SkillPage = await run((query) => listPage(query, wanted), signal);
      if (page.isRemoved) return undefined;
      for (const entry of page.entries) entries.push(entry);
      for (const directory of page.invalid) {
        const site = { source: id, location: `${directory.slice(0, 1000)}/SKILL.md` };
        diagnostics.push(createDiagnostic('skill-row-invalid', site));
      }
      after = page.last;
    }
    return { entries, diagnostics };
  }

  return {
    id,
    scope,
    trusted,
    list,
    async listFiles(skill, { signal } = {}) {
      signal?.throwIfAborted();
      return run((query) => listBundledFiles(query, tenant, skill), signal).catch(explainReading);
    },
    async readFile(skill, path, { signal, fromListing = false, maxBytes, length } = {}) {
      signal?.throwIfAborted();
      checkCounts({ maxBytes, length });
      const segments = fromListing ? checkListedPath(path) : checkResourcePath(path);
      const file = { tenant, skill, path: segments.join('/'), maxBytes, length };
      return run((query) => readBundledFile(query, file), signal).catch(explainReading);
    },
    // With a fixed `version`, nothing ever changes.
    ...(version !== undefined
      ? {}
      : { watch: (onChange: () => void, signal: AbortSignal) => listen(database, tenant, onChange, signal) }),
  };
}

/**
 * Converts a failure of the database to the error for a file that cannot be read. A model reads its message, so the reason, which
 * may name hosts and tables, is only in its cause.
 */
function explainReading(error: unknown): never {
  if (!isSkillError(error) || error.code !== 'source-failed') throw error;
  const message = 'The database failed, so the files of this skill cannot be read now. Try again later.';
  throw new SkillError('resource-unreadable', message, { cause: error });
}
