// The question that a person is asked before a model gets something of a skill.

import { qualifiedName } from '../catalog/resolve.ts';
import type { Skill } from '../skill/skill.ts';
import { isWord, shortLine } from '../text/neutral.ts';

/** What a model wants of a skill that a person is asked about. */
export type ApprovalAction = 'activate' | 'read' | 'run';

/** What a model wants. */
export interface ApprovalRequest {
  readonly skill: Skill;
  readonly action: ApprovalAction;
  /** The file to read, or the script to run; absent to list the files. */
  readonly path?: string | undefined;
  /** What the script is given, as the model wrote it. */
  readonly arguments?: readonly string[] | undefined;
  readonly input?: string | undefined;
}

/** A question to a person. JSON, so that it survives a store and a browser. */
export interface ApprovalQuestion extends Omit<ApprovalRequest, 'skill'> {
  /** The qualified name. */
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
  /** Files that were added, changed or removed since a person last agreed to the same; absent if nobody did. */
  readonly changed?: readonly string[] | undefined;
  /** All of it in words: one line for people. It is not escaped for HTML. */
  readonly text: string;
}

/** Limits for the characters of a question's text. */
const maxShown = 500;
const maxListed = 10;

/** Creates the question about a request. */
export function createQuestion(
  { skill, ...request }: ApprovalRequest,
  about: Pick<ApprovalQuestion, 'digest' | 'changed' | 'reason'>,
): ApprovalQuestion {
  const { id: source, scope } = skill.source;
  const { allowedTools } = skill.properties;
  const question = { ...request, skill: qualifiedName(skill), source, scope, allowedTools, ...about };
  return { ...question, text: describeQuestion(question) };
}

/** Puts what a model or an author wrote in backticks: it can neither close them nor push what follows out of sight. */
function quote(text: string, limit = 4 * maxShown): string {
  return `\`${shortLine(text, limit).replaceAll('`', '\\u0060')}\``;
}

function quoteSome(texts: readonly string[]): string {
  const more = texts.length - maxListed;
  const shown = texts.slice(0, maxListed).map((text) => quote(text, 100));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function describeQuestion(question: Omit<ApprovalQuestion, 'text'>): string {
  const { action, skill, source, path, allowedTools, reason, digest, changed } = question;
  const name = `the skill ${quote(skill)} (from ${isWord(source) ? source : quote(source)})`;
  const given = [...(question.arguments ?? []), ...(question.input === undefined ? [] : ['<', question.input])];
  const what = {
    activate: `Let the model follow ${name}?`,
    read: `Let the model ${path === undefined ? 'list the files' : `read ${quote(path)}`} of ${name}?`,
    run: `Run ${quote([path ?? '', ...given.map((text) => JSON.stringify(text))].join(' '))} of ${name}?`,
  }[action];
  const tools = allowedTools.length === 0 ? [] : [`It wants to use ${quoteSome(allowedTools)}.`];
  return [
    what,
    ...(action === 'activate' ? tools : []),
    ...(reason === undefined ? [] : [shortLine(reason, maxShown)]),
    ...(changed === undefined ? [] : [`Changed since a person agreed: ${quoteSome(changed)}.`]),
    `Its files: ${digest}.`,
  ].join(' ');
}
