// Refuses calls in words for the model, and reports refusals and failures.

import { resolveSkill } from '../../catalog/resolve.ts';
import type { SkillEvent } from '../../conversation/event.ts';
import { renderFailure, renderRefusal, type SkillRefusal } from '../../disclosure/answers.ts';
import { isSkillError, reasonsOf, type SkillError } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import { escapeBracket, squareToken } from '../../text/control-tokens.ts';
import { shortLine } from '../../text/neutral.ts';
import type { CallParts } from '../toolkit-parts.ts';
import type { SkillToolDetails, SkillToolResult } from './tool.ts';

/** The result of a refused call. */
export interface Refusal extends SkillToolResult {
  readonly details: Extract<SkillToolDetails, { readonly kind: 'refusal' }>;
}

/** Creates the result of a refused call. The text explains how to call instead. */
export function refuse(code: string, text: string, more: { readonly asked?: boolean } = {}): Refusal {
  return { text, isError: true, files: [], details: { kind: 'refusal', code, ...more } };
}

/** Creates the result of a refused call about a skill. */
export function refuseSkill(code: SkillRefusal, { name }: Skill): Refusal {
  return refuse(code, renderRefusal(code, name));
}

/** Checks whether the model can correct an error. It cannot if the application made the mistake. */
export function isForModel(error: unknown): error is SkillError {
  return isSkillError(error) && error.code !== 'options-invalid';
}

/** Creates the answer to a call that failed, without the error's `cause`, whose text may contain paths. */
export function refuseError({ code, message }: SkillError): Refusal {
  const line = shortLine(message, 1_000).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return refuse(code, line.replace(squareToken, escapeBracket));
}

/** Reports a call that was refused, with the skill that it names, even one that the model must not know. */
export async function reportRefusal(
  tool: string,
  input: unknown,
  { details }: SkillToolResult,
  call: CallParts,
): Promise<void> {
  const { context } = call;
  if (details.kind !== 'refusal' || context.replay === true || !call.isHeard(context)) return;
  const { name, skill = name } = Object(input);
  const offer = await call.offerFor(context).catch(() => undefined);
  const named = offer !== undefined && typeof skill === 'string' ? resolveSkill(offer.all, skill) : undefined;
  const known = named?.kind === 'found' ? { skill: named.skill.name } : {};
  reportOnce({ type: 'refused', tool, code: details.code, ...known, tokens: 0 }, call);
}

/** Reports what was decided about a call, but not again if the same call is judged once more before the next model call. */
export function reportOnce(
  event: SkillEvent,
  { context, memoryOf, emit }: Pick<CallParts, 'context' | 'memoryOf' | 'emit'>,
): void {
  const { reported } = memoryOf(context);
  const key = JSON.stringify([event, context.call]);
  if (context.call !== undefined && reported.has(key)) return;
  reported.add(key);
  emit(event, context);
}

/** Reports that a call failed for a reason that the model cannot correct, and creates its result. Throws if the call is aborted. */
export function refuseFailed(tool: string, error: unknown, parts: ReportingParts): Refusal {
  parts.context.signal?.throwIfAborted();
  reportFailure(tool, error, parts);
  return refuse('tool-failed', renderFailure(tool));
}

type ReportingParts = Pick<CallParts, 'emit' | 'context'>;

/** Reports that a call of a tool failed, or could not be judged. */
export function reportFailure(tool: string, error: unknown, { emit, context }: ReportingParts): void {
  try {
    emit({ type: 'tool-failed', tool, reason: reasonsOf(error), tokens: 0 }, context);
  } catch {
    // The application's listener fails, too. The model must still get its answer.
  }
}
