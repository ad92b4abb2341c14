// Records what a model reads about skills in any framework, and how long that takes to produce.

import { type Catalog, estimateTokens, type SkillTool, type SkillToolDetails, type SkillToolkit } from '@skillful/core';
import type { OnTurn, Turn } from '../stand-in/turn.ts';

/** One thing that a model was told, at one of the three tiers. */
export interface Disclosure {
  readonly tier: 'catalog' | 'activation' | 'resource';
  /** What was asked for: nothing for the catalog, a skill's name, or a skill's name and a path. */
  readonly subject: string;
  /** The very text. */
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
  /** What the core took for it, without the framework and the model. */
  readonly milliseconds: number;
}

/** The whole way from a request to its answer. */
export interface Story {
  readonly framework: string;
  /** Whether the stand-in played the model. */
  readonly offline: boolean;
  readonly request: string;
  readonly catalog: Catalog;
  /** In the order in which they were told; the catalog first, and once although each model call has it. */
  readonly disclosures: readonly Disclosure[];
  readonly answer: string;
}

/** Follows one run of an agent. */
export interface Recorder {
  /** Loads the catalog, on the clock. */
  load(loading: () => Promise<Catalog>): Promise<Catalog>;
  /** Gives the toolkit with a clock and a notebook in it. */
  watch(toolkit: SkillToolkit): SkillToolkit;
  /** Records what the stand-in really received, for `finish` to compare. */
  readonly hear: OnTurn;
  /** Closes the story. Throws if the stand-in received anything else than what the toolkit returned. */
  finish(answer: string): Story;
}

/** Creates the recorder of one run. */
export function createRecorder(framework: string, request: string): Recorder {
  const disclosures: Disclosure[] = [];
  const turns: Turn[] = [];
  let catalog: Catalog = { skills: [], shadowed: [], rejected: [], diagnostics: [] };
  let loading = 0;

  const note = (tier: Disclosure['tier'], subject: string, text: string, milliseconds: number): void => {
    disclosures.push({ tier, subject, text, tokens: estimateTokens(text), milliseconds });
  };
  const watchTool = (tool: SkillTool): SkillTool => ({
    ...tool,
    async execute(input, context) {
      const [result, milliseconds] = await measure(() => tool.execute(input, context));
      const named = nameDisclosure(result.details);
      if (named !== undefined) note(named.tier, named.subject, result.text, milliseconds);
      return result;
    },
  });

  return {
    async load(load) {
      [catalog, loading] = await measure(load);
      return catalog;
    },
    watch(toolkit) {
      const watched = new Map(toolkit.tools.map((tool) => [tool, watchTool(tool)]));
      return {
        ...toolkit,
        tools: [...watched.values()],
        async prepare(messages, context) {
          const [preparation, milliseconds] = await measure(() => toolkit.prepare(messages, context));
          if (disclosures.length === 0) note('catalog', '', preparation.system, loading + milliseconds);
          return preparation;
        },
      };
    },
    hear: (turn) => void turns.push(turn),
    finish(answer) {
      if (turns.length > 0) compare(framework, disclosures, turns);
      return { framework, offline: turns.length > 0, request, catalog, disclosures, answer };
    },
  };
}

async function measure<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

function nameDisclosure(details: SkillToolDetails): Pick<Disclosure, 'tier' | 'subject'> | undefined {
  if (details.kind === 'activation') return { tier: 'activation', subject: details.skill };
  if (details.kind === 'resource') return { tier: 'resource', subject: `${details.skill}/${details.path}` };
  return undefined;
}

/** Makes sure that a framework passed on every text unchanged: the catalog in each model call, the rest in the last. */
function compare(framework: string, disclosures: readonly Disclosure[], turns: readonly Turn[]): void {
  const [catalog, ...results] = disclosures.map(({ text }) => text);
  const heard = turns.at(-1)?.results.map(({ text }) => text) ?? [];
  if (catalog === undefined || turns.some(({ system }) => system.split(catalog).length !== 2)) {
    throw new Error(`${framework} did not tell the model the catalog exactly once in each call.`);
  }
  const changed = results.findIndex((text, index) => text !== heard[index]);
  if (changed !== -1)
    throw new Error(`${framework} did not tell the model ${disclosures[changed + 1]?.subject} as it is.`);
}
