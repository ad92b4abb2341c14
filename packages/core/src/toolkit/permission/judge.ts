// Judges a tool call before it runs, so that a framework can ask a person first.

import type { ToolCall } from '../../conversation/conversation.ts';
import { renderRefusal, renderUnjudged } from '../../disclosure/answers.ts';
import { explainPolicy } from '../../policy/policy.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { isSkillError } from '../../skill/error.ts';
import type { Judgement } from '../skill-toolkit.ts';
import type { CallParts } from '../toolkit-parts.ts';
import { parseInput, parseText, parseTextList } from '../tools/input.ts';
import { reportFailure, reportRefusal } from '../tools/refusal.ts';
import { hasToolRules, judgeForeignCall } from './allowed-tools.ts';
import { askPerson, hideQuestion } from './approval.ts';
import { assertFile, findCalledPath } from './called-file.ts';
import { describeNeed, findCalled, findUsed, resolveOffered } from './called-skill.ts';

/**
 * Judges a call of any tool. A wrong call of a skill tool is not judged, because the tool itself answers it: the toolkit finds wrong
 * input, this function a skill or file that cannot be used. With `asks: false`, no question in the store is hidden, because a person
 * may have answered it.
 */
export async function judgeCall(call: ToolCall, parts: CallParts, judgesAgain: boolean): Promise<Judgement> {
  const { context } = parts;
  const kind = (['activate', 'read', 'files', 'run'] as const).find((each) => parts.names[each] === call.name);
  if (kind !== undefined && context.asks === false) return { effect: 'none' };
  try {
    if (kind === undefined) return await judgeOther(call, parts);
    await hideQuestion(parts);
    const input = Object(parseInput(call.input));
    const { request, text = '' } = await findRequest(kind, input, parts);
    if (request === undefined) return { effect: 'none' };
    const asked = await askPerson(request, parts);
    if (asked === 'agreed') return { effect: 'none' };
    if ('text' in asked) {
      await reportRefusal(call.name, input, asked, parts);
      return { effect: 'deny', text: asked.text };
    }
    const { question, isNew } = asked;
    return { effect: 'ask', question, isNew, text, refusal: renderRefusal('approval-denied', request.skill.name) };
  } catch (error) {
    context.signal?.throwIfAborted();
    // The call is wrong, and the tool itself will answer that.
    if (kind !== undefined && isSkillError(error)) return { effect: 'none' };
    reportFailure(call.name, error, parts);
    return judgesAgain ? { effect: 'none' } : { effect: 'deny', text: renderUnjudged(call.name) };
  }
}

async function judgeOther(call: ToolCall, parts: CallParts): Promise<Judgement> {
  if (!hasToolRules(parts.options) || Object.values(parts.names).includes(call.name)) return { effect: 'none' };
  const { offer, tracked, usable } = await findUsed(parts);
  const begun = (parts.context.siblings ?? []).flatMap(({ name, input }) => {
    const named = name === parts.names.activate ? parseText(Object(parseInput(input))['name']) : undefined;
    const found = resolveOffered(usable, named ?? '', tracked);
    return 'text' in found ? [] : found;
  });
  return judgeForeignCall(call, { offer, tracked }, begun, parts);
}

/**
 * Returns the request that a person must be asked about, and the text for the model if no one can be asked. Undefined if the call
 * needs no consent, or will be refused anyway.
 */
async function findRequest(
  kind: ApprovalRequest['action'] | 'files',
  input: Readonly<Record<string, unknown>>,
  parts: CallParts,
): Promise<{ readonly request?: ApprovalRequest; readonly text?: string }> {
  const called = await findCalled(parseText(kind === 'activate' ? input['name'] : input['skill']) ?? '', parts);
  if ('text' in called) return {};
  const { skill } = called;
  const needsConsent = called.consent === 'needed';
  if (kind === 'activate') return needsConsent ? { request: { skill, action: kind }, text: describeNeed(called) } : {};
  const action = kind === 'files' ? 'read' : kind;
  const link = parseText(input['path']) ?? '';
  const path = kind === 'files' ? undefined : await findCalledPath(link, { skill, action }, called.offer, parts);
  const { effect } = explainPolicy(parts.policyFor(parts.context), skill, { actor: 'model', action, path });
  if (needsConsent || effect !== 'ask') return {};
  await assertFile({ skill, action, path }, called.offer, parts);
  const text = renderRefusal('approval-needed', skill.name);
  const given = { arguments: parseTextList(input['arguments']), input: parseText(input['input']) };
  return { request: { skill, action, path, ...(action === 'run' && given) }, text };
}
