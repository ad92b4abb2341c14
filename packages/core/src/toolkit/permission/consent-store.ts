// Stores questions and answers below keys with digests, but no words of a conversation. A store that fails or does not answer counts
// as no consent.

import { distinctName } from '../../catalog/names.ts';
import { knownAbout } from '../../conversation/event.ts';
import { type ConsentRecord, type ConsentStore, parseConsent } from '../../policy/consent.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { digestBytes } from '../../runtime/digest.ts';
import { kindOf } from '../../runtime/record.ts';
import { inTime, untilAborted } from '../../runtime/until-aborted.ts';
import { reasonOf } from '../../skill/error.ts';
import { checkFunctions } from '../../skill/options.ts';
import type { Skill } from '../../skill/skill.ts';
import type { RequestContext } from '../options.ts';
import type { CallParts } from '../toolkit-parts.ts';
import type { SkillContext } from '../tools/tool.ts';

/** Looks something up. A model call waits only once for a store that does not answer. */
export async function lookUp<Result>(
  parts: CallParts,
  work: (opened: ConsentStore) => Promise<Result>,
): Promise<Result | undefined> {
  return parts.memoryOf(parts.context).isSilent ? undefined : useStore<Result | undefined>(parts, undefined, work);
}

/** Works with the store of a request. If that fails or takes more than 5 seconds, reports it and returns the safe result. */
export async function useStore<Result>(
  { consent: { store }, emit, memoryOf, context }: CallParts,
  safe: Result,
  work: (opened: ConsentStore) => Promise<Result>,
): Promise<Result> {
  let isSilent = true;
  try {
    const working = Promise.resolve()
      .then(() => work(typeof store === 'function' ? openStore(store(context as RequestContext)) : store))
      .finally(() => {
        isSilent = false;
      });
    const done = inTime(working, 5_000, 'No answer within 5 seconds.');
    return await untilAborted(done, context.signal);
  } catch (error) {
    context.signal?.throwIfAborted();
    memoryOf(context).isSilent ||= isSilent;
    emit({ type: 'state-failed', reason: `The store of consents failed. ${reasonOf(error)}`, tokens: 0 }, context);
    return safe;
  }
}

/** Checks the store that an application returns for a request. */
function openStore(store: ConsentStore): ConsentStore {
  checkFunctions('consent.store', store ?? {}, ['get', 'set', 'delete'], 'new Map()');
  return store;
}

/** Deletes a record, and returns whether it was there. Throws if the store does not tell, because two processes could use one answer. */
export async function deleteRecord(store: ConsentStore, key: string): Promise<boolean> {
  const wasThere: unknown = await store.delete(key);
  if (typeof wasThere === 'boolean') return wasThere;
  throw new TypeError(
    `\`delete\` returned ${kindOf(wasThere)}, expected whether there was such a record: true or false.`,
  );
}

/** Reads a record in a state. Throws if the store returns text, because then the same question would be asked without end. */
export async function readRecord(
  store: ConsentStore,
  key: string,
  state: ConsentRecord['state'],
): Promise<ConsentRecord | undefined> {
  const value: unknown = await store.get(key);
  if (typeof value === 'string') throw new TypeError('`get` returned text. Parse it as JSON.');
  return parseConsent(value, state);
}

/** Reads the permanent consent to a request. */
export async function readAgreement(store: ConsentStore, request: ApprovalRequest): Promise<ConsentRecord | undefined> {
  return readRecord(store, await lastingKey(request), 'agreed');
}

/** Creates the record of a request. */
export function createRecord(state: ConsentRecord['state'], request: ApprovalRequest, digest: string): ConsentRecord {
  const { skill, action, path } = request;
  return { state, action, skill: distinctName(skill), source: skill.source.id, path, digest, at: Date.now() };
}

/** Returns the digest of a request, so that the store reveals no arguments. Skills of two projects have two, whatever their names. */
export function digestOf({ skill, action, path, arguments: given, input }: ApprovalRequest): Promise<string> {
  const { id, project } = skill.source;
  return digestKey([id, project, distinctName(skill), action, path, given, input]);
}

/** Returns the key of a permanent answer. */
export async function lastingKey(request: ApprovalRequest): Promise<string> {
  return digestKey(['agreed', await digestOf(request)]);
}

/**
 * Returns the key of the question about a call. Because some models just number their calls, it includes the agent and the thread,
 * or without a thread the user's last message.
 */
export function askedKey(wanted: string, context: SkillContext): Promise<string> {
  const { call, branch } = context;
  const { agent } = knownAbout(context) ?? {};
  return digestKey(['asked', threadOf(context) ?? [turnOf(context)], call ?? [wanted], agent, branch]);
}

/** Returns the key of the record that a traceable call was started. */
export function startedKey(context: SkillContext): Promise<string> {
  const { call, branch } = context;
  return digestKey(['started', threadOf(context), call, knownAbout(context)?.['agent'], branch]);
}

/** Returns the key of the user's last message. */
export function turnOf({ messages }: SkillContext): string | undefined {
  return messages?.findLast(({ role }) => role === 'user')?.key;
}

/** Returns the key of the consent to a call that activated a skill. */
export function givenKey(call: string, { source }: Skill, name: string, context: SkillContext): Promise<string> {
  return digestKey(['given', threadOf(context), call, source.id, name]);
}

/** Checks whether a call can be told apart from the calls of all other conversations. */
export function isTraceable(context: SkillContext): boolean {
  return context.call !== undefined && threadOf(context) !== undefined;
}

/** Returns the key of the consent to a call that read a file. A copy of a conversation has the same keys. */
export async function readKey(request: ApprovalRequest, { memoryOf, context }: CallParts): Promise<string> {
  const origin = memoryOf(context).stored?.origin ?? threadOf(context);
  return digestKey(['read', origin, context.call, await digestOf(request)]);
}

function threadOf(context: SkillContext): string | undefined {
  return knownAbout(context)?.['thread'];
}

async function digestKey(parts: readonly unknown[]): Promise<string> {
  return digestBytes(new TextEncoder().encode(JSON.stringify(parts)));
}
