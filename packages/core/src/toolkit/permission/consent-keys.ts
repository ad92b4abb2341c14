// Where questions and answers are in a store, and what is kept of them: digests, no word of a conversation.

import { qualifiedName } from '../../catalog/resolve.ts';
import type { ConsentRecord } from '../../policy/consent.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { digestBytes } from '../../runtime/digest.ts';
import type { Skill } from '../../skill/skill.ts';
import type { SkillContext } from '../tools/tool.ts';

/** Creates what is kept of a request. */
export function createRecord(state: ConsentRecord['state'], request: ApprovalRequest, digest: string): ConsentRecord {
  const { skill, action, path } = request;
  const about = { state, action, skill: qualifiedName(skill), source: skill.source.id };
  return { ...about, ...(path !== undefined && { path }), digest, at: Date.now() };
}

/** Returns the digest of what is wanted: whoever reads the store learns nothing of arguments. */
export function digestOf({ skill, action, path, arguments: given, input }: ApprovalRequest): Promise<string> {
  return digestKey([skill.source.id, qualifiedName(skill), action, path, given, input]);
}

/** Returns where the answer is that counts for good. */
export async function lastingKey(request: ApprovalRequest): Promise<string> {
  return digestKey(['agreed', await digestOf(request)]);
}

/**
 * Returns where the question about a call is. Calls of two conversations differ, although some models count them: without a
 * thread, by the words that the user said last.
 */
export function askedKey(wanted: string, { call, about, messages }: SkillContext): Promise<string> {
  const place = about?.['thread'] ?? [messages?.findLast(({ role }) => role === 'user')?.key];
  return digestKey(['asked', place, call ?? [wanted]]);
}

/** Returns where it is kept what a person agreed to with the call that activated a skill. */
export function givenKey(call: string, { source }: Skill, name: string, { about }: SkillContext): Promise<string> {
  return digestKey(['given', about?.['thread'], call, source.id, name]);
}

async function digestKey(parts: readonly unknown[]): Promise<string> {
  return digestBytes(new TextEncoder().encode(JSON.stringify(parts)));
}
