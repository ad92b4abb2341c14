// Holds every session with every contender and counts what the models were given.

import * as aiSdk from './ai-sdk.ts';
import { type CacheFigures, measureCache } from './cache.ts';
import type { Contender, ModelCall } from './contender.ts';
import * as langchain from './langchain.ts';
import * as mastra from './mastra.ts';
import { holdLongSession, holdSession, type LongCall, repeatingSession, restartAt, shortSession } from './sessions.ts';
import { type BenchSkill, type SkillDirectory, writeSkills } from './skills.ts';
import { copiesOf, countEnumerated, countTokens, measureCall } from './tokens.ts';

/** What a model call is told about skills before any of them is activated. */
export interface CatalogFigures {
  readonly contender: Contender;
  /** One entry for each of `catalogSizes`. */
  readonly sizes: readonly {
    readonly system: number;
    readonly definitions: number;
    /** What of the definitions spells out the names that the tool takes. */
    readonly enumerated: number;
    /** Descriptions that are there in full. */
    readonly described: number;
  }[];
}

/** What an activation costs. */
export interface ActivationFigures {
  readonly contender: Contender;
  /** What one activation adds to the next model call: the call of the tool, its result and whatever else comes with it. */
  readonly first: number;
  /** What a second activation of the same skill adds. */
  readonly second: number;
  /** What the tool answered; empty for a library that gives the instructions elsewhere. */
  readonly text: string;
  /** Copies of the body in the last model call of a session that activates it four times. */
  readonly copies: number;
}

/** What a session costs. */
export interface SessionFigures {
  readonly contender: Contender;
  readonly calls: number;
  /** Tokens of all prompts. */
  readonly prompt: number;
  /** Those that are there because of skills. */
  readonly skills: number;
}

/** What a long session costs, and what is left of the active skills in it. */
export interface LongFigures extends SessionFigures {
  /** Bodies that ought to be in the prompts; each in each model call counts. */
  readonly due: number;
  /** Bodies that were there in full. */
  readonly whole: number;
  /** Bodies that were there more than once. */
  readonly doubled: number;
  /** Bodies that were missing in the calls from the restart on, of how many. */
  readonly missingAfterRestart: number;
  readonly dueAfterRestart: number;
  /** How many of the two active bodies are in the last model call. */
  readonly last: number;
}

export interface Measurements {
  readonly catalogSizes: readonly number[];
  /** Tokens of all names and descriptions, without a word around them. */
  readonly bareCatalogs: readonly number[];
  readonly catalogs: readonly CatalogFigures[];
  readonly bareBody: number;
  readonly activations: readonly ActivationFigures[];
  readonly short: readonly SessionFigures[];
  readonly repeating: readonly SessionFigures[];
  readonly long: readonly LongFigures[];
  /** The same with a model that activates again whatever the call before lacked. */
  readonly reloading: readonly LongFigures[];
  /** With the agents that have no skills. */
  readonly cache: readonly CacheFigures[];
}

const contenders: readonly Contender[] = [...langchain.contenders, ...aiSdk.contenders, ...mastra.contenders];
const bare: readonly Contender[] = [langchain.bare, aiSdk.bare, mastra.bare];
const catalogSizes = [5, 25, 100];
const sessionSkills = 25;

/** Measures everything; a minute or two. */
export async function measure(): Promise<Measurements> {
  const directories = await Promise.all(catalogSizes.map(writeSkills));
  const directory = await writeSkills(sessionSkills);
  const body = directory.skills.find(({ name }) => name === 'csv-report')?.body ?? '';
  return {
    catalogSizes,
    bareCatalogs: directories.map(({ skills }) =>
      skills.reduce((sum, { name, description }) => sum + countTokens(name) + countTokens(description), 0),
    ),
    catalogs: await each([...contenders, ...aiSdk.variants], (entry) => measureCatalog(entry, directories)),
    bareBody: countTokens(body),
    activations: await each(contenders, (entry) => measureActivation(entry, directory.path, body)),
    short: await each(contenders, (entry) => measureSession(entry, directory.path, shortSession)),
    repeating: await each(contenders, (entry) => measureSession(entry, directory.path, repeatingSession)),
    long: await each(contenders, (entry) => measureLong(entry, directory, false)),
    reloading: await each(contenders, (entry) => measureLong(entry, directory, true)),
    cache: await each([...bare, ...contenders], (entry) => measureCache(entry, directory.path)),
  };
}

/** One after the other: some of the libraries keep what they find in the process. */
async function each<Figures>(
  entries: readonly Contender[],
  figuresOf: (contender: Contender) => Promise<Figures>,
): Promise<readonly Figures[]> {
  const figures: Figures[] = [];
  for (const entry of entries) figures.push(await figuresOf(entry));
  return figures;
}

async function measureCatalog(contender: Contender, directories: readonly SkillDirectory[]): Promise<CatalogFigures> {
  const sizes = [];
  for (const { path, skills } of directories) {
    const [call = []] = (await holdSession(contender, path, shortSession.slice(0, 1))).flat();
    const { system, definitions } = measureCall(call);
    const described = skills.filter((skill) => isDescribed(skill, call)).length;
    sizes.push({ system, definitions, enumerated: countEnumerated(call), described });
  }
  return { contender, sizes };
}

function isDescribed({ description }: BenchSkill, call: ModelCall): boolean {
  return copiesOf(description, call) > 0;
}

async function measureActivation(contender: Contender, path: string, body: string): Promise<ActivationFigures> {
  const turns = await holdSession(contender, path, repeatingSession);
  assertActivated(contender, turns, body);
  const [first = 0, second = 0] = turns.map((calls) => {
    const [before = 0, after = 0] = calls.slice(-2).map((call) => measureCall(call).skills);
    return after - before;
  });
  const [text = ''] = (turns[0]?.at(-1) ?? [])
    .filter((segment) => segment.kind === 'result' && copiesOf(body, [segment]) > 0)
    .map((segment) => segment.text);
  return { contender, first, second, text, copies: copiesOf(body, turns.at(-1)?.at(-1) ?? []) };
}

/** Makes sure that the skill was activated; a session without it would look cheap. */
function assertActivated({ library }: Contender, turns: readonly (readonly ModelCall[])[], body: string): void {
  const missing = turns.findIndex((calls) => copiesOf(body, calls.at(-1) ?? []) === 0);
  if (missing !== -1) throw new Error(`${library} did not give the instructions in turn ${missing + 1}.`);
}

async function measureSession(contender: Contender, path: string, turns: typeof shortSession): Promise<SessionFigures> {
  return { contender, ...sum((await holdSession(contender, path, turns)).flat()) };
}

function sum(calls: readonly ModelCall[]): Omit<SessionFigures, 'contender'> {
  const tokens = calls.map(measureCall);
  const total = (part: 'prompt' | 'skills'): number => tokens.reduce((sum, call) => sum + call[part], 0);
  return { calls: calls.length, prompt: total('prompt'), skills: total('skills') };
}

async function measureLong(contender: Contender, directory: SkillDirectory, reloads: boolean): Promise<LongFigures> {
  const held = await holdLongSession(contender, directory.path, directory.skills, reloads);
  const all = held.flatMap(copiesDue);
  const afterRestart = held.filter(({ turn }) => turn >= restartAt).flatMap(copiesDue);
  return {
    contender,
    ...sum(held.map(({ call }) => call)),
    due: all.length,
    whole: all.filter((copies) => copies > 0).length,
    doubled: all.filter((copies) => copies > 1).length,
    missingAfterRestart: afterRestart.filter((copies) => copies === 0).length,
    dueAfterRestart: afterRestart.length,
    last: held
      .slice(-1)
      .flatMap(copiesDue)
      .filter((copies) => copies > 0).length,
  };
}

function copiesDue({ call, due }: LongCall): readonly number[] {
  return due.map((body) => copiesOf(body, call));
}
