// Hides the files that a rule denies, so that for the model neither they nor links to them exist.

import { SkillError } from '../skill/error.ts';
import type { FileCheck } from '../skill/files.ts';
import { unknownFile } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import { explainPolicy, type SkillActor, type SkillPolicy } from './policy.ts';
import { hasPathRules } from './rules.ts';

/** Combines two checks into one that refuses what either refuses; undefined if both are missing. */
export function bothChecks(one: FileCheck | undefined, other: FileCheck | undefined): FileCheck | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (path) => {
    one(path);
    other(path);
  };
}

type FileAction = 'read' | 'run';

/** Creates a check that refuses files denied to an actor; undefined if the policy denies it no file of the skill. */
export function createFileCheck(
  policy: SkillPolicy,
  skill: Skill,
  action: FileAction,
  actor: SkillActor = 'model',
): FileCheck | undefined {
  const isDenied = (path?: string) => explainPolicy(policy, skill, { actor, action, path }).effect === 'deny';
  if (!hasPathRules(policy.rules) && !isDenied()) return undefined;
  return (path) => {
    if (isDenied(path)) throw unknownFile(path);
  };
}

/**
 * Creates a check that refuses links to files that the policy denies, or asks about, unless a person agreed to the link.
 * Undefined if the policy has no rule for files.
 */
export function createLinkCheck(
  policy: SkillPolicy,
  { skill, action, path }: { readonly skill: Skill; readonly action: FileAction; readonly path: string },
  isAgreed: boolean,
): FileCheck | undefined {
  if (!hasPathRules(policy.rules)) return undefined;
  return (real) => {
    const { effect } = explainPolicy(policy, skill, { actor: 'model', action, path: real });
    if (effect === 'deny') throw unknownFile(path);
    if (effect === 'ask' && !isAgreed)
      throw new SkillError('resource-unreadable', `\`${path}\` is a link to a file that a person must agree to first.`);
  };
}
