// Checks that there is the file or the script that a person is about to be asked about.

import { createInnerCheck } from '../../catalog/inner-skill.ts';
import { readSkillResource } from '../../disclosure/resource.ts';
import { bothChecks, createLinkCheck } from '../../policy/file-check.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { unknownScript } from '../../scripts/plan.ts';
import { listFiles } from '../../skill/files.ts';
import { findListed } from '../../skill/paths.ts';
import type { Offer } from '../offer.ts';
import type { CallParts } from '../toolkit-parts.ts';

/** Throws the error with which the tool will answer, because a person's consent would not help. */
export async function assertFile(request: ApprovalRequest, offer: Offer, parts: CallParts): Promise<void> {
  const { skill, action, path } = request;
  if (path === undefined || action === 'activate') return;
  const { options, policyFor, context } = parts;
  const { signal } = context;
  if (action === 'read') {
    const checkLink = createLinkCheck(policyFor(context), { skill, action, path }, true);
    const checkPath = bothChecks(createInnerCheck(offer.all, skill, path), checkLink);
    const directories = path === 'SKILL.md' ? undefined : options.resourceDirectories;
    await readSkillResource(skill, path, { signal, checkPath, directories });
    return;
  }
  const { files } = await listFiles(skill, { signal, checkPath: offer.checkFiles(skill, action) });
  const found = findListed(
    path,
    files.map((file) => file.path),
  );
  if (found?.startsWith('scripts/') !== true) throw unknownScript(skill, path);
}
