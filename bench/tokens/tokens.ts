// Counts a model call with a real tokenizer, and how much of it is there because of skills.

import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { applicationPrompt, lookup, type ModelCall, type Segment } from './contender.ts';

const counted = new Map<string, number>();

/** Counts the tokens of a text in o200k_base. */
export function countTokens(text: string): number {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const count = encode(text).length;
  counted.set(text, count);
  return count;
}

/** The tokens of one model call by kind. What a provider puts around messages is not counted. */
export interface CallTokens {
  /** Everything. */
  readonly prompt: number;
  /** The system text without the application's own. */
  readonly system: number;
  /** The definitions of the library's tools: name, description and schema as JSON. */
  readonly definitions: number;
  /** Calls of the library's tools and their results. */
  readonly results: number;
  /** Instructions that were added to the messages of users. */
  readonly added: number;
  /** All that is there because of skills: the four above. */
  readonly skills: number;
}

/** Counts a model call part by part. */
export function measureCall(call: ModelCall): CallTokens {
  const sum = (chosen: (segment: Segment) => boolean): number =>
    call.filter(chosen).reduce((total, { text }) => total + countTokens(text), 0);
  const prompt = sum(() => true);
  const system = sum(({ kind }) => kind === 'system') - countTokens(applicationPrompt);
  const definitions = sum((segment) => segment.kind === 'definition' && segment.tool !== lookup.name);
  const results = sum(
    (segment) => (segment.kind === 'call' || segment.kind === 'result') && segment.tool !== lookup.name,
  );
  const added = call
    .filter(({ kind }) => kind === 'user')
    .flatMap(({ text }) => text.match(instructions) ?? [])
    .reduce((total, text) => total + countTokens(text), 0);
  return { prompt, system, definitions, results, added, skills: system + definitions + results + added };
}

/** Only Skillful adds any. */
const instructions = /<skill_content [\s\S]*?<\/skill_content>/g;

/** Counts what the lists of allowed values in the definitions of tools cost. */
export function countEnumerated(call: ModelCall): number {
  return call
    .filter(({ kind }) => kind === 'definition')
    .reduce((total, { text }) => total + countTokens(text) - countTokens(text.replace(/,"enum":\[[^\]]*\]/, '')), 0);
}

/**
 * Counts how often a body is in a model call with all its lines.
 *
 * A library may number or indent lines, or write them as JSON: the words of a line have to be there, in order.
 */
export function copiesOf(body: string, call: ModelCall): number {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  return call.reduce((copies, { kind, text }) => copies + (kind === 'call' ? 0 : copiesIn(text, lines)), 0);
}

function copiesIn(text: string, lines: readonly string[]): number {
  let copies = 0;
  for (let from = 0; ; copies++) {
    for (const line of lines) {
      const plain = text.indexOf(line, from);
      const written = JSON.stringify(line).slice(1, -1);
      const start = plain === -1 ? text.indexOf(written, from) : plain;
      if (start === -1) return copies;
      from = start + (plain === -1 ? written.length : line.length);
    }
  }
}
