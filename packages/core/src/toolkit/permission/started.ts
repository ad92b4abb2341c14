// Records which scripts were started with a person's answer, so that none runs a second time if its result was lost.

import type { ConsentRecord, ConsentStore } from '../../policy/consent.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import type { SkillContext } from '../tools/tool.ts';
import { digestOf, isTraceable, readRecord, startedKey, turnOf } from './consent-store.ts';

/** Records that a call is carried out with the answer to a question. Only a script may do harm if it runs twice. */
export async function recordStart(store: ConsentStore, asked: ConsentRecord, context: SkillContext): Promise<void> {
  if (asked.action !== 'run' || !isTraceable(context)) return;
  await store.set(await startedKey(context), { ...asked, state: 'started' });
}

/** Checks whether the same call of the same turn was started and has no result yet. */
export async function wasStarted(
  store: ConsentStore,
  request: ApprovalRequest,
  context: SkillContext,
): Promise<boolean> {
  if (request.action !== 'run') return false;
  const record = await readRecord(store, await startedKey(context), 'started');
  return record?.turn === turnOf(context) && record?.request === (await digestOf(request));
}

/** Removes the record about a call that has a result. */
export async function endStart(store: ConsentStore, context: SkillContext): Promise<void> {
  const key = await startedKey(context);
  if (await readRecord(store, key, 'started')) await store.delete(key);
}
