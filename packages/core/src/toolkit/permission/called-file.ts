// Finds the file or the script that a call names, also before a person is asked about it.

import { createInnerCheck } from '../../catalog/inner-skill.ts';
import { readSkillResource, type SkillResource } from '../../disclosure/resource.ts';
import { bothChecks, createLinkCheck } from '../../policy/file-check.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { findScript } from '../../scripts/plan.ts';
import { isSkillError, type SkillError } from '../../skill/error.ts';
import { checkCalledPath } from '../../skill/paths.ts';
import type { Offer } from '../offer.ts';
import type { CallParts } from '../toolkit-parts.ts';

/** Reads a file for a model. `isAgreed` says whether a person agreed to it, also if it is a link. */
export function readCalledFile(
  request: ApprovalRequest & { readonly action: 'read'; readonly path: string },
  isAgreed: boolean,
  offer: Offer,
  { options, policyFor, context }: CallParts,
): Promise<SkillResource> {
  const { skill, path } = request;
  return readSkillResource(skill, path, {
    signal: context.signal,
    checkPath: bothChecks(
      createInnerCheck(offer.all, skill, path),
      createLinkCheck(policyFor(context), request, isAgreed),
    ),
    directories: path === 'SKILL.md' ? undefined : options.resourceDirectories,
  });
}

/**
 * Returns the path that a call means. It may begin with the skill's directory, because the text of an activation names that.
 *
 * @throws {SkillError} `resource-outside-skill`
 */
export async function findCalledPath(
  link: string,
  { skill, action }: Pick<ApprovalRequest, 'skill' | 'action'>,
  offer: Offer,
  parts: CallParts,
): Promise<string> {
  const path = checkCalledPath(link, skill);
  const above = `${skill.directory}/`;
  if (!path.startsWith(above)) return path;
  // In a store, the directory is only a name, and a directory in the skill may have the same name.
  try {
    await assertFile({ skill, action, path }, offer, parts);
    return path;
  } catch (error) {
    if (!isWrongPath(error)) throw error;
    return path.slice(above.length);
  }
}

/** Checks whether an error says that there is no such file. */
export function isWrongPath(error: unknown): error is SkillError {
  return isSkillError(error) && /^resource-(?:unknown|outside-skill)$/.test(error.code);
}

/** Throws the tool's own error if there is no such file or script, because then a person's consent would not help. */
export async function assertFile(request: ApprovalRequest, offer: Offer, parts: CallParts): Promise<void> {
  const { skill, action, path } = request;
  const { signal } = parts.context;
  if (path === undefined) return;
  if (action === 'read') await readCalledFile({ ...request, action, path }, true, offer, parts);
  if (action === 'run') await findScript(skill, path, { signal, checkPath: offer.checkFiles(skill, action) });
}
