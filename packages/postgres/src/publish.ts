// Puts a catalog into the database as one new version, which becomes visible at once and as a whole.

import { isAbsolute } from 'node:path';
import { type Catalog, type Diagnostic, type Embed, type Skill, SkillError } from '@skillful/core';
import { checkCounts, reasonOf } from '@skillful/core/extending';
import { type Bundle, type ReadBundleOptions, readBundle } from './bundle.ts';
import { createSession, type SkillDatabase, type TenantOptions, transact } from './database.ts';
import { sendBundles } from './send.ts';
import { askModel, sendVectors } from './send-vectors.ts';
import { type Publication, setSkills, type VersionedSkill } from './set-skills.ts';
import { checkWhole } from './versions.ts';
import { within } from './within.ts';

export interface PublishSkillsOptions extends TenantOptions {
  /**
   * Bytes of the largest file that is published. Larger bundled files are listed but cannot be read.
   * @default 5 MiB
   */
  readonly maxFileBytes?: number | undefined;
  /**
   * Computes a vector for each new skill from its name and description; with a different model than before, for all skills.
   * Requires `pgvector` on the server. There is no limit for its time, so pass a `signal` if it may hang.
   */
  readonly embed?: Embed | undefined;
  /**
   * The version that must be the current one, 0 if there must be none. Pass it if the catalog is a change of what is published, so
   * that it does not undo what someone else publishes meanwhile. After `removeTenant`, versions begin with 1 again.
   */
  readonly expected?: number | undefined;
}

/** Skills that are read at once: few, because each may have many large files. */
const readAtOnce = 8;

/** Skills that are sent at once: fewer if their files have so many bytes. */
const mostSent = 64;
const enoughBytes: number = 16 * 1024 * 1024;

/**
 * Makes the skills of a catalog the current ones of a tenant. Does not send skills again whose digest is already in the database.
 * If nothing has changed, there is no new version. The previous version stays visible until the new one is complete, and remains
 * if anything fails.
 *
 * @throws {SkillError} `source-failed`, also if a source of the catalog failed, or if there are no skills because there is no
 * source, their directory is missing, empty or not trusted, or none of them is valid, because the published skills would
 * disappear; `skill-protected` if another version than `expected` is current; `options-invalid`
 */
export async function publishSkills(
  database: SkillDatabase,
  catalog: Catalog,
  options: PublishSkillsOptions = {},
): Promise<Publication> {
  const { maxFileBytes = 5 * 1024 * 1024, embed, expected, signal } = options;
  checkCounts({ maxFileBytes });
  if (expected !== undefined) checkWhole('expected', expected, 0);
  const session = createSession(database, 'skillful_publisher', options, ['maxFileBytes', 'embed', 'expected']);
  checkComplete(catalog);
  const model = embed && (await askModel(session, embed));
  const skills: VersionedSkill[] = [];
  while (skills.length < catalog.skills.length) {
    const next = catalog.skills.slice(skills.length, skills.length + mostSent);
    const bundles = await readFirst(next, { maxFileBytes, signal });
    for (const { directory, digest } of bundles) skills.push({ directory, digest });
    await sendBundles(session, bundles);
    if (model !== undefined) await sendVectors(session, bundles, model);
  }
  return transact(session, (query) => setSkills(query, session.tenant, skills, expected));
}

/** Rejects a catalog that lacks skills because something went wrong, because published skills would disappear. */
function checkComplete({ skills, diagnostics }: Catalog): void {
  const isEmpty = skills.length === 0;
  const failed = diagnostics.find(isEmpty ? isAccident : isFailure);
  // If its sources have no skills, a catalog has a diagnostic.
  const hasNoSource = isEmpty && diagnostics.length === 0;
  if (failed === undefined && !hasNoSource) return;
  const reason =
    failed === undefined ? ', because the catalog has no skills.' : ` from \`${failed.location}\`. ${failed.message}`;
  const remedy =
    isEmpty && !diagnostics.some(isFailure) ? ' To remove all skills, publish a catalog of `memorySource({})`.' : '';
  throw new SkillError('source-failed', `Nothing was published${reason}${remedy}`);
}

function isFailure({ code }: Diagnostic): boolean {
  return code === 'source-failed' || code === 'source-kept';
}

/** Checks whether a catalog has no skills by accident. Only a source without a place on a disk may be empty on purpose. */
function isAccident({ code, location }: Diagnostic): boolean {
  return code !== 'skills-not-found' || isAbsolute(location);
}

/** Reads skills until they are large enough to be sent, or all of them. */
async function readFirst(skills: readonly Skill[], options: ReadBundleOptions): Promise<readonly Bundle[]> {
  const bundles: Bundle[] = [];
  let bytes = 0;
  while (bundles.length < skills.length && bytes < enoughBytes) {
    const next = skills.slice(bundles.length, bundles.length + readAtOnce);
    // One wait for all, because Node warns of more than ten listeners of a signal.
    const reading = Promise.all(next.map((skill) => read(skill, options)));
    bundles.push(...(await within(reading, undefined, options.signal)));
    bytes = bundles.flatMap(({ files }) => files).reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  }
  return bundles;
}

async function read(skill: Skill, options: ReadBundleOptions): Promise<Bundle> {
  try {
    return await readBundle(skill, options);
  } catch (error) {
    const message = `Nothing was published, because \`${skill.name}\` cannot be read: ${reasonOf(error)}`;
    throw new SkillError('source-failed', message, { cause: error });
  }
}
