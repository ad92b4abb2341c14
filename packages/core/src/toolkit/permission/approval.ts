// Asks a person before a model gets something of a skill, and binds the answer to the skill's files as they were.

import type { MessageView } from '../../conversation/conversation.ts';
import type { SkillEvent } from '../../conversation/event.ts';
import { renderLateConsent, renderLostConsent, renderStaleConsent } from '../../disclosure/answers.ts';
import {
  type ConsentRecord,
  type ConsentStore,
  changedFiles,
  createConsentStore,
  readConsent,
} from '../../policy/consent.ts';
import { explainPolicy, type SkillPolicy } from '../../policy/policy.ts';
import { type ApprovalQuestion, type ApprovalRequest, createQuestion } from '../../policy/question.ts';
import { inTime } from '../../runtime/in-time.ts';
import { untilAborted } from '../../runtime/until-aborted.ts';
import { readContents, type SkillContents } from '../../scripts/contents.ts';
import { reasonOf } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import { refuse } from '../tools/create-tool.ts';
import type { SkillContext, SkillToolResult } from '../tools/tool.ts';
import { askedKey, createRecord, digestOf, givenKey, lastingKey } from './consent-keys.ts';

/** How people agree to what the policy asks about. */
export interface ConsentOptions {
  /**
   * Where questions and answers are kept, or a function that returns the place of a request's tenant.
   * @default a store that lives as long as the process
   */
  readonly store?: ConsentStore | ((context: SkillContext) => ConsentStore) | undefined;
  /**
   * Whether consent is remembered, so that the same is not asked again as long as the skill's files stay the same.
   * @default false
   */
  readonly remember?: boolean | ((question: ApprovalQuestion) => boolean) | undefined;
  /**
   * Milliseconds in which a person must answer; after that, their answer does not count.
   * @default as long as the store keeps the question
   */
  readonly timeout?: number | undefined;
}

/** The question about a request; none if a person agreed to it for good. */
export interface Asked {
  readonly question?: ApprovalQuestion;
  /** Whether nobody was asked before, so that an answer that already exists answers something else. */
  readonly isNew: boolean;
}

/** The questions of a toolkit, and their answers. A store that fails, or does not answer within 5 seconds, means no. */
export interface Approvals {
  /** Asks about a request, unless a person agreed to it for good. */
  ask(request: ApprovalRequest, context: SkillContext): Promise<Asked | SkillToolResult>;
  /**
   * Returns the contents of the skill that a person agreed to with this very request; `unasked`, or what the model is told,
   * if nobody did. An answer counts once.
   */
  check(request: ApprovalRequest, context: SkillContext): Promise<SkillContents | 'unasked' | SkillToolResult>;
  /** Records that a call activated a skill with a person's consent. `name` is the one in the wrapper. */
  record(request: ApprovalRequest, name: string, contents: SkillContents, context: SkillContext): Promise<void>;
  /** Checks whether a person still agrees for good that the model activates a skill with these files. */
  holds(skill: Skill, digest: string, context: SkillContext): Promise<boolean>;
  /** Ends the questions about calls that have results by now: they were answered, and an answer counts once. */
  settle(messages: readonly MessageView[], tools: readonly string[], context: SkillContext): Promise<void>;
  /** Returns what a person agreed to with the call that activated a skill. */
  recorded(call: string, skill: Skill, name: string, context: SkillContext): Promise<ConsentRecord | undefined>;
}

/** Creates the questions of a toolkit. */
export function createApprovals(
  { store = createConsentStore(), remember = false, timeout = Infinity }: ConsentOptions = {},
  parts: {
    readonly policyFor: (context: SkillContext) => SkillPolicy;
    readonly emit: (event: SkillEvent, context: SkillContext) => void;
  },
): Approvals {
  return {
    async ask(request, context) {
      const { digest, digests } = await readContents(request.skill, context);
      const asked = await use<Asked | SkillToolResult>(context, refuseLost(request), async (opened) => {
        const agreed = await readAgreement(opened, request);
        if (agreed?.digest === digest) return { isNew: false };
        const wanted = await digestOf(request);
        const key = await askedKey(wanted, context);
        const isNew = readConsent(await opened.get(key))?.request !== wanted;
        // Not again if files changed: the answer to the first question would count for files that nobody was shown.
        if (isNew) await opened.set(key, { ...createRecord('asked', request, digest), request: wanted });
        const changed = agreed?.files && changedFiles(agreed.files, digests);
        return { question: createQuestion(request, { digest, changed, reason: reasonFor(request, context) }), isNew };
      });
      const question = 'question' in asked ? asked.question : undefined;
      if (question) parts.emit({ type: 'approval-needed', skill: request.skill.name, question, tokens: 0 }, context);
      return asked;
    },
    async check(request, context) {
      const contents = await readContents(request.skill, context);
      const { digest, digests } = contents;
      return use<SkillContents | 'unasked' | SkillToolResult>(context, refuseLost(request), async (opened) => {
        if ((await readAgreement(opened, request))?.digest === digest) return contents;
        const wanted = await digestOf(request);
        // Some frameworks ask before the call has an id.
        for (const call of new Set([context.call, undefined])) {
          const key = await askedKey(wanted, { ...context, call });
          const asked = readConsent(await opened.get(key));
          // Of two calls at the same time, only one takes the answer.
          if (asked?.request !== wanted || (await opened.delete(key)) === false) continue;
          if (Date.now() - asked.at > timeout) return refuse('approval-late', renderLateConsent(request.skill.name));
          if (asked.digest !== digest) return refuse('approval-stale', renderStaleConsent(request.skill.name));
          const question = createQuestion(request, { digest, reason: reasonFor(request, context) });
          const isLasting = typeof remember === 'function' ? remember(question) : remember;
          const agreed = { ...createRecord('agreed', request, digest), files: digests };
          if (isLasting) await opened.set(await lastingKey(request), agreed);
          return contents;
        }
        return 'unasked';
      });
    },
    async record(request, name, { digest, digests }, context) {
      const { call } = context;
      if (call === undefined) return;
      const key = await givenKey(call, request.skill, name, context);
      const instructions = { 'SKILL.md': digests['SKILL.md'] ?? '' };
      const record = { ...createRecord('given', request, digest), files: instructions };
      await use<unknown>(context, undefined, async (opened) => {
        const lasting = (await readAgreement(opened, request))?.digest === digest;
        return opened.set(key, { ...record, ...(lasting && { lasting }) });
      });
    },
    holds: (skill, digest, context) =>
      use(context, false, async (opened) => {
        const agreed = await readAgreement(opened, { skill, action: 'activate' });
        return agreed?.digest === digest;
      }),
    async settle(messages, tools, context) {
      const answered = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
      const results = answered.flatMap((message) => message.results ?? []).filter(({ tool }) => tools.includes(tool));
      for (const { id } of results) {
        const key = await askedKey('', { ...context, messages: context.messages ?? messages, call: id });
        await use<unknown>(
          context,
          undefined,
          async (opened) => readConsent(await opened.get(key)) && opened.delete(key),
        );
      }
    },
    recorded: (call, skill, name, context) =>
      use<ConsentRecord | undefined>(context, undefined, async (opened) =>
        readConsent(await opened.get(await givenKey(call, skill, name, context))),
      ),
  };

  /** Works with the store of a request; if that fails, reports it and returns what is safe. */
  async function use<Result>(
    context: SkillContext,
    safe: Result,
    work: (opened: ConsentStore) => Promise<Result>,
  ): Promise<Result> {
    try {
      const working = Promise.resolve().then(() => work(typeof store === 'function' ? store(context) : store));
      const done = inTime(working, 5_000, 'The store of consents did not answer within 5 seconds.');
      return await untilAborted(done, context.signal);
    } catch (error) {
      context.signal?.throwIfAborted();
      parts.emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context);
      return safe;
    }
  }

  function reasonFor({ skill, action, path }: ApprovalRequest, context: SkillContext): string | undefined {
    return explainPolicy(parts.policyFor(context), skill, { actor: 'model', action, path }).rule?.reason;
  }
}

/** Reads what a person agreed to for good. */
async function readAgreement(store: ConsentStore, request: ApprovalRequest): Promise<ConsentRecord | undefined> {
  return readConsent(await store.get(await lastingKey(request)));
}

function refuseLost({ skill }: ApprovalRequest): SkillToolResult {
  return refuse('approval-lost', renderLostConsent(skill.name));
}
