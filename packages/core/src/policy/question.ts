// Creates the question that a person is asked before a model may use a skill.

import { distinctName } from '../catalog/names.ts';
import { showText } from '../diagnostics/diagnostic.ts';
import type { Skill } from '../skill/skill.ts';
import { isWord, joinSome, shortLine } from '../text/neutral.ts';
import { approvableTools } from './tool-pattern.ts';

/** What a model wants to do with a skill, if a person has to agree. */
export type ApprovalAction = 'activate' | 'read' | 'run';

/** A request of a model. */
export interface ApprovalRequest {
  readonly skill: Skill;
  readonly action: ApprovalAction;
  /** The file to read, or the script to run; absent to list the files. */
  readonly path?: string | undefined;
  /** The arguments for the script, as the model wrote them. */
  readonly arguments?: readonly string[] | undefined;
  readonly input?: string | undefined;
}

/** A question to a person. JSON, so that it survives a store and a browser. */
export interface ApprovalQuestion extends Omit<ApprovalRequest, 'skill'> {
  /** The qualified name, with the plugin if there is one. */
  readonly skill: string;
  /** Where the skill comes from: the id and the scope of its source. */
  readonly source: string;
  readonly scope: string;
  /** The tools that the skill wants to use without further questions, as its author wrote them. */
  readonly allowedTools: readonly string[];
  /** Why the policy asks. */
  readonly reason?: string | undefined;
  /** `sha256:` and 64 hexadecimal digits of all files of the skill: the answer counts for these files only. */
  readonly digest: string;
  /**
   * Files that were added, changed or removed since a person last agreed to the same request; absent if no one has agreed yet.
   */
  readonly changed?: readonly string[] | undefined;
  /** The whole question as one line of text, which is not escaped for HTML. It says if it is too long to show all arguments. */
  readonly text: string;
}

/** Characters of the reason that are shown; a text of the model or the author may have four times as many. */
const maxShown = 500;
const maxListed = 10;

/** Creates the question about a request. */
export function createQuestion(
  { skill, ...request }: ApprovalRequest,
  about: Pick<ApprovalQuestion, 'digest' | 'changed' | 'reason'>,
): ApprovalQuestion {
  const { id: source, scope } = skill.source;
  const allowedTools = approvableTools(skill);
  const question = { ...request, skill: distinctName(skill), source, scope, allowedTools, ...about };
  return { ...question, text: describeQuestion(question) };
}

/** Puts text from a model or an author in backticks, so that it can neither end the quotation nor push the rest out of sight. */
function quote(text: string, limit = 4 * maxShown): string {
  return `\`${shortLine(text, limit).replaceAll('`', '\\u0060')}\``;
}

/** Shows each character of what the model wrote, also spaces and invisible ones, and says if the text is cut. */
function quoteExactly(text: string): string {
  const limit = 4 * maxShown;
  const points = Array.from(text.slice(0, limit + 1), (point) => showText(point));
  const shown = points.join('').replace(/(?<= ) /g, '\\u{20}');
  return shown.length > limit ? `${quote(shown)} (cut, it has ${text.length} characters)` : quote(shown);
}

function quoteSome(texts: readonly string[]): string {
  return joinSome(texts, maxListed, (text) => quote(text, 100));
}

/** Adds a full stop to a reason that has none, so that it does not run into the next sentence. */
function toSentence(text: string): string {
  return /[\p{P}]$/u.test(text) ? text : `${text}.`;
}

function describeQuestion(question: Omit<ApprovalQuestion, 'text'>): string {
  const { action, skill, source, path, allowedTools, reason, digest, changed } = question;
  const name = `the skill ${quote(skill)} (from ${isWord(source) ? source : quote(source)})`;
  const given = [...(question.arguments ?? []), ...(question.input === undefined ? [] : ['<', question.input])];
  const what = {
    activate: `Let the model follow ${name}?`,
    read: `Let the model ${path === undefined ? 'list the files' : `read ${quoteExactly(path)}`} of ${name}?`,
    run: `Run ${quoteExactly([path ?? '', ...given.map((text) => JSON.stringify(text))].join(' '))} of ${name}?`,
  }[action];
  const tools = allowedTools.length === 0 ? [] : [`It wants to use ${quoteSome(allowedTools)}.`];
  return [
    what,
    ...(action === 'activate' ? tools : []),
    ...(reason === undefined ? [] : [toSentence(shortLine(reason, maxShown))]),
    ...(changed === undefined ? [] : [`Changed since a person agreed: ${quoteSome(changed)}.`]),
    `Its files: ${digest}.`,
  ].join(' ');
}
