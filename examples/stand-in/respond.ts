// Plays the model: decides by what it is really given, remembers nothing and knows no skill by name.

import { type CatalogEntry, readActivation, readCatalog, readResource } from './disclosure.ts';
import { findHeading, findPointer, findPoints } from './instructions.ts';
import type { OfferedTool, Reply, Turn } from './turn.ts';
import { pickBest, sharedStems } from './words.ts';

/** How the frameworks and the examples say that a person refused a call. */
const refusal = /execution-denied|not approved by the user|The user said no/;

/**
 * Answers a turn: activates the skill that fits the request, reads the file that its instructions point to, and tells
 * what it has learned. Throws if the catalog or a tool is missing, or if a tool does not do its work.
 */
export function respond(turn: Turn): Reply {
  const catalog = readCatalog(turn.system);
  const activate = findTool(turn.tools, ['name'], /skill/i);
  const read = findTool(turn.tools, ['path', 'skill'], /read/i);

  const activation = turn.results.find(({ tool }) => tool === activate.name);
  if (activation === undefined) {
    const skill = pickSkill(catalog, turn.request);
    if (skill === undefined) return delegate(turn);
    return { tool: activate.name, input: { name: skill.name } };
  }

  if (refusal.test(activation.text)) return { text: 'I go on without the skill.' };
  const skill = readInput(activation.input, 'name');
  const { body, files } = readActivation(activation.text, skill);
  const path = findPointer(body, turn.request);
  if (path === undefined) return { text: tell(skill, body) };
  if (!files.includes(path)) throw new Error(`${skill} points to ${path}, which is not among its files.`);

  const resource = turn.results.find(({ tool }) => tool === read.name);
  if (resource === undefined) return { tool: read.name, input: { skill, path } };
  return { text: `${tell(skill, body)}\n\n${quote(path, readResource(resource.text, path), 3)}` };
}

/** Hands a request that no skill covers to the tool whose description fits, if that takes a task. */
function delegate({ tools, request, results }: Turn): Reply {
  const able = tools.filter((tool) => requiredInputs(tool).join(' ') === 'task');
  const helper = pickBest(able, ({ description }) => sharedStems(request, description).length);
  if (helper === undefined) return { text: 'I have no skill for that.' };
  const answer = results.find(({ tool }) => tool === helper.name);
  return answer === undefined ? { tool: helper.name, input: { task: request } } : { text: answer.text };
}

/** Picks the skill that shares the most words with the request; a word that many skills share counts for little. */
function pickSkill(catalog: readonly CatalogEntry[], request: string): CatalogEntry | undefined {
  const matches = catalog.map((entry) => ({
    entry,
    stems: sharedStems(request, `${entry.name} ${entry.description}`),
  }));
  const weigh = (stem: string): number => 1 / matches.filter(({ stems }) => stems.includes(stem)).length;
  return pickBest(matches, ({ entry, stems }) => {
    const named = sharedStems(request, entry.name);
    return [...stems, ...named].reduce((sum, stem) => sum + weigh(stem), 0);
  })?.entry;
}

/** Finds a tool by what it requires and what it is for, so that it may have any name. */
function findTool(tools: readonly OfferedTool[], required: readonly string[], purpose: RegExp): OfferedTool {
  const found = tools.find(
    (tool) =>
      purpose.test(`${tool.name} ${tool.description}`) && requiredInputs(tool).join(' ') === [...required].join(' '),
  );
  if (found !== undefined) return found;
  const names = tools.map((tool) => tool.name).join(', ') || 'none';
  throw new Error(`No tool takes ${required.join(' and ')}. The tools are: ${names}.`);
}

function requiredInputs({ inputSchema }: OfferedTool): string[] {
  if (typeof inputSchema !== 'object' || inputSchema === null || !('required' in inputSchema)) return [];
  const { required } = inputSchema;
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string').sort() : [];
}

function readInput(input: unknown, key: string): string {
  const value = new Map<string, unknown>(Object.entries(input ?? {})).get(key);
  if (typeof value !== 'string') throw new Error(`The call in the conversation has lost its ${key}.`);
  return value;
}

function tell(skill: string, body: string): string {
  return `I follow the skill ${skill}. ${quote(findHeading(body), body, 6)}`;
}

function quote(source: string, markdown: string, limit: number): string {
  const heading = findHeading(markdown);
  const title = source === heading ? `“${heading}”` : `${source}, “${heading}”`;
  return [`${title} says:`, ...findPoints(markdown, limit).map((point, index) => `${index + 1}. ${point}`)].join('\n');
}
