// Stores results without their text, because clients can read them, and restores the text for the model.

import type { CallView, MessageView, ResultView, ToolCall } from '../conversation/conversation.ts';
import type { MessageForm } from '../conversation/message-form.ts';
import { viewMessages } from '../conversation/message-keys.ts';
import type { StoredResult } from '../conversation/stored.ts';
import { isLeftOut, leftOutNote } from '../disclosure/answers.ts';
import { parseMark } from '../disclosure/marks.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import { groupBy } from '../runtime/group-by.ts';
import { isTraceable } from './permission/consent-store.ts';
import { redactResult } from './redact.ts';
import type { SkillToolkit } from './skill-toolkit.ts';
import type { ToolkitParts } from './toolkit-parts.ts';
import { parseInput } from './tools/input.ts';
import type { SkillContext, SkillTool, SkillToolResult } from './tools/tool.ts';

/** What the messages still contain of a result: perhaps the call, the tool that the result names, and the stored text. */
interface LeftResult extends Partial<ToolCall> {
  readonly tool: string;
  readonly stored: string;
  readonly isError: boolean;
}

interface Keeping extends Pick<SkillToolkit, 'keepResult' | 'replay'> {
  /** Returns messages with their results restored, and the views of these messages. */
  restore<Message, File>(
    messages: readonly Message[],
    form: MessageForm<Message, File>,
    context: SkillContext,
  ): Promise<{ readonly restored: readonly Message[]; readonly views: readonly MessageView[] }>;
}

/** Limit for the characters restored in one model call, files in base64 included. Most providers accept less in a request. */
const maxRestored = 50_000_000;

/** Limit for the refused calls between two model calls for which files are looked up again, because a client may have forged more. */
const maxLookUps = 20;

/** Characters that each attempt counts at least, because a client may have forged thousands of calls. */
const leastRestored = 10_000;

/** Creates the functions that store and restore the results of tools. Within a run, each result stays the same. */
export function createKeeping(
  tools: readonly SkillTool[],
  { names, memoryOf, findNext }: Pick<ToolkitParts, 'names' | 'memoryOf' | 'findNext'>,
): Keeping {
  let lookUps = 0;
  // Not by the id alone, because some models just number their calls.
  const keyOf = ({ name, input }: ToolCall, { call }: SkillContext) => JSON.stringify([call, name, input]);
  /** Returns the tool that can give a result again; undefined if the result was stored whole. */
  function findTool({ tool: given, name, input, stored }: LeftResult): SkillTool | undefined {
    // Some clients drop the name of a result.
    const wanted = given === '' ? name : given;
    // Without the call, its input is unknown.
    return input === undefined || !isLeftOut(stored) ? undefined : tools.find((tool) => tool.name === wanted);
  }

  /** Restores a result; undefined if the model may no longer get it. */
  async function restoreResult(
    left: LeftResult,
    tool: SkillTool,
    context: SkillContext,
  ): Promise<StoredResult | undefined> {
    // Uses the catalog that `prepare` will use for the same model call.
    if (memoryOf(context).hasBegun !== true) await findNext(context);
    const call = { name: tool.name, input: givenTo(left.input, left.stored) };
    const { results } = memoryOf(context);
    const key = keyOf(call, context);
    const answered = results.get(key) ?? tool.execute(call.input, { ...context, replay: true });
    results.set(key, answered);
    // It rejects only if the signal is aborted, so another call may try again.
    answered.catch(() => results.delete(key));
    const result = await answered;
    if (!result.isError || left.isError) return result;
    // A refusal must not replace an earlier answer: it would contradict the conversation, and may not apply to the next call.
    results.delete(key);
    return undefined;
  }
  return {
    keepResult(call, result, context = {}, outputs = 'redacted') {
      const { text, files, isError } = result;
      const details = redactResult(result);
      if (outputs === 'full' || !isAnsweredAgain(result, context)) return { text, isError, files, details };
      // The first line of an activation contains the name and the version of the skill.
      const mark = result.details.kind === 'activation' ? text.slice(0, text.indexOf('\n') + 1) : '';
      const key = keyOf({ ...call, input: givenTo(call.input, mark) }, context);
      memoryOf(context).results.set(key, Promise.resolve({ text, isError, files }));
      return { text: `${mark}${leftOutNote}`, isError, files: [], details };
    },
    async replay({ name, input }, context) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new TypeError(`\`${name}\` is not a skill tool.`);
      // A client may name thousands of files. `restore` reads them, up to its limit.
      const { refusedWith } = context;
      const isLater = [names.read, names.files, names.find].includes(name) && refusedWith === undefined;
      if (isLater) return { text: leftOutNote, isError: false, files: [] };
      const isLookedUp = refusedWith !== undefined && /^resource-/.test(refusedWith);
      if (isLookedUp) lookUps += 1;
      const known = isLookedUp && lookUps > maxLookUps ? { refusedWith: 'replay-failed' } : {};
      return tool.execute(input, { ...context, ...known, replay: true });
    },
    async restore(messages, form, context) {
      lookUps = 0;
      memoryOf(context).replayed = undefined;
      const views = viewMessages(messages, form, context.messages);
      const callOf = findCalls([...(context.messages ?? []), ...views]);
      const found = new Map<number, Map<string, StoredResult>>();
      let room = maxRestored;
      // One after the other, because a client may have forged thousands; the latest messages first.
      for (const { key, index = 0, results = [] } of views.toReversed()) {
        for (const { id, tool: given, text: stored, isError = false } of results) {
          const left = { ...callOf(key, id), tool: given, stored, isError };
          const tool = room > 0 ? findTool(left) : undefined;
          if (tool === undefined) continue;
          const restored = await restoreResult(left, tool, { ...context, call: id });
          room -= Math.max(leastRestored, restored === undefined ? 0 : sizeOf(restored));
          if (restored === undefined) continue;
          getOrCreate(found, index, () => new Map<string, StoredResult>()).set(id, restored);
        }
      }
      const shown = views.map((view) => {
        const { index = 0, results } = view;
        const textOf = ({ id, text }: ResultView) => found.get(index)?.get(id)?.text ?? text;
        return results ? { ...view, results: results.map((result) => ({ ...result, text: textOf(result) })) } : view;
      });
      const restored = messages.map((message, index) => {
        const ofMessage = found.get(index);
        return ofMessage === undefined ? message : form.restore(message, (call) => ofMessage.get(call));
      });
      return { restored, views: shown };
    },
  };
}

function sizeOf({ text, files }: StoredResult): number {
  return files.reduce((size, { data }) => size + data.length, text.length);
}

/**
 * Finds each call by its result and its message, because a server may give every call the same id. Results of one answer are in the
 * order of its calls.
 */
function findCalls(views: readonly MessageView[]): (key: string, id: string) => CallView | undefined {
  const latest = new Map<string, readonly CallView[]>();
  const answered = new Map<string, CallView | undefined>();
  const nameOf = (key: string, id: string): string => JSON.stringify([key, id]);
  for (const { key, calls = [], results = [] } of views) {
    for (const [id, same] of groupBy(calls, (call) => call.id)) latest.set(id, same);
    for (const { id } of results) {
      const [call, ...others] = latest.get(id) ?? [];
      latest.set(id, others);
      answered.set(nameOf(key, id), answered.get(nameOf(key, id)) ?? call);
    }
  }
  return (key, id) => answered.get(nameOf(key, id));
}

/**
 * Returns the input of a call with the name and the arguments of its result, because by now another skill may have the name that the
 * model wrote, and the arguments may have been redacted in the call.
 */
function givenTo(input: unknown, stored: string): unknown {
  const mark = parseMark('activation', stored);
  if (mark === undefined) return input;
  const { name, arguments: given } = mark;
  return { ...Object(parseInput(input)), name, ...(given !== undefined && { arguments: given }) };
}

/**
 * Checks whether repeating a call returns the same text. A script may not, and consent counts only for calls that can be told
 * apart from all others.
 */
function isAnsweredAgain({ details }: SkillToolResult, context: SkillContext): boolean {
  if (details.kind === 'activation') return !details.repeated;
  // The answer to an unknown section contains the headings of the file.
  const isOfFile = details.kind === 'resource' || (details.kind === 'refusal' && details.code === 'section-unknown');
  return isOfFile && (details.asked !== true || isTraceable(context));
}
