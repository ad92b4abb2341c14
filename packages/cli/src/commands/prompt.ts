// `skillful prompt` prints the exact text for the system prompt, and what was cut to make it fit.

import {
  type Catalog,
  type CatalogFormat,
  createToolkit,
  type DisclosureMode,
  estimateTokens,
  type PlanCatalogOptions,
  planCatalog,
} from '@skillful/core';
import { type Command, Option } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addSkillOptions, type JsonOptions, parsePositive } from '../loading/options.ts';
import { type LoadedSkills, loadSkills } from '../loading/skills.ts';
import { writeProblems } from '../terminal/diagnostics.ts';
import { writeJson, writeText } from '../terminal/output.ts';

interface PromptOptions extends JsonOptions {
  readonly format: CatalogFormat;
  readonly mode: DisclosureMode;
  readonly budget?: number;
}

const formats = ['markdown', 'xml', 'json'] as const satisfies readonly CatalogFormat[];
const modes = ['tool', 'awareness', 'direct'] as const satisfies readonly DisclosureMode[];

/** Defines the command `prompt`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(command)
    .addOption(new Option('--format <format>', 'format of the catalog').choices(formats).default('markdown'))
    .addOption(new Option('--mode <mode>', 'how the skills reach the model').choices(modes).default('tool'))
    .option('--budget <tokens>', 'limit for the text (default: 8000, or 25000 with --mode direct)', parsePositive)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful prompt --mode awareness --budget 2000')
    .action(async (options: PromptOptions) => answer(await prompt(options, io)));
}

async function prompt(options: PromptOptions, io: CommandLine): Promise<ExitCode> {
  const loaded = await loadSkills(options, io);
  const { text, plan } = await render(options, loaded);
  writeProblems(loaded, { roots: options.root, isBrief: true }, io);
  const tokens = estimateTokens(text);
  const { budget = tokens } = options;
  if (tokens > budget) {
    io.stderr.write(`The text has ${tokens} tokens, because it cannot be cut to the budget of ${budget}.\n`);
  }
  if (options.json === true) writeJson({ text, tokens, plan: describePlan(loaded.catalog, plan) }, io);
  else writeText(text, io);
  return 0;
}

/** Renders the text. Its sentences about the tools count, too, so the catalog gets what they leave of the budget. */
async function render(
  options: PromptOptions,
  loaded: LoadedSkills,
  catalogTokens: number | undefined = options.budget,
): Promise<{ readonly text: string; readonly plan: PlanCatalogOptions }> {
  const { format, mode, budget } = options;
  const { catalog, policy, reasonAgainst } = loaded;
  const plan: PlanCatalogOptions = {
    format,
    locations: mode === 'awareness',
    show: (skill) => (reasonAgainst(skill) === undefined ? undefined : 'hidden'),
    ...(catalogTokens === undefined ? {} : { budget: { tokens: catalogTokens } }),
  };
  const { system: text } = await createToolkit(catalog, { mode, plan, policy }).prepare([]);
  if (budget === undefined || !catalogTokens) return { text, plan };
  const excess = estimateTokens(text) - budget;
  return excess <= 0 ? { text, plan } : render(options, loaded, Math.max(0, catalogTokens - excess));
}

/** Returns the plan as JSON, without the skills themselves, which `list` describes. */
function describePlan(catalog: Catalog, options: PlanCatalogOptions): Readonly<Record<string, unknown>> {
  const { skills, format, locations, tokens } = planCatalog(catalog, options);
  return {
    format,
    locations,
    tokens,
    skills: skills.map(({ skill, showing, description, tokens: cost, cut }) => {
      return { name: skill.name, showing, description, tokens: cost, cut: cut ?? null };
    }),
  };
}
