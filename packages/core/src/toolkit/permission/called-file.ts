// Finds the file or the script that a call names, also before a person is asked about it.

import { createInnerCheck } from '../../catalog/inner-skill.ts';
import { readSkillResource, type SkillResource } from '../../disclosure/resource.ts';
import { bothChecks, createLinkCheck } from '../../policy/file-check.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { findScript } from '../../scripts/plan.ts';
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

/** Throws the tool's own error if there is no such file or script, because then a person's consent would not help. */
export async function assertFile(request: ApprovalRequest, offer: Offer, parts: CallParts): Promise<void> {
  const { skill, action, path } = request;
  const { signal } = parts.context;
  if (path === undefined) return;
  if (action === 'read') await readCalledFile({ ...request, action, path }, true, offer, parts);
  if (action === 'run') await findScript(skill, path, { signal, checkPath: offer.checkFiles(skill, action) });
}
