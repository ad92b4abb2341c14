// Writes the figures down as docs/tokens.md; no sentence in it states a figure that was not measured just now.

import { count } from '../figures.ts';
import { cacheTurns } from './cache.ts';
import { cheaperPeers } from './cheaper.ts';
import type { Contender } from './contender.ts';
import type { CatalogFigures, LongFigures, Measurements, SessionFigures } from './measure.ts';
import { longTurns, restartAt } from './sessions.ts';

/** Renders the whole page. */
export function renderReport(measured: Measurements): string {
  return [
    '# What skills cost in tokens',
    introduction,
    '## Before anything is activated',
    catalogText,
    catalogTable(measured),
    '## One activation',
    `The body of \`csv-report\` alone is ${count(measured.bareBody)} tokens. The table counts what an activation adds to the next model call: usually the tool call and its result.`,
    activationTable(measured),
    '## Two short sessions',
    sessionText,
    sessionTable(measured),
    '## A long session under compaction',
    longText,
    longTable(measured.long),
    reloadText,
    reloadTable(measured.reloading, measured.long),
    '## What the prompt cache keeps',
    cacheText,
    cacheTable(measured),
    '## Where another library is cheaper',
    cheaperText(measured),
    '## What the figures do not say',
    limits,
    '',
  ].join('\n\n');
}

const introduction = `This page compares how many tokens skills cost with Skillful and with other libraries, and how many active instructions survive when a framework shortens a conversation.

One command makes every table: \`npm --prefix bench/tokens start\`, after \`npm --prefix bench/tokens install\` and \`npx -y pnpm@12 run build\`. It runs scripted sessions with real LangChain, AI SDK and Mastra agents on mock models. It records every prompt with its tool definitions, and counts the tokens with the tokenizer \`o200k_base\`.

All libraries get the same skills: five of this repository's examples, and as many generated skills as needed. The sixth example is left out because its description contains a colon, so no other library would offer it. Each library runs with its defaults, and with the fewest tools that let a model load a skill and read its files. Mastra's \`SkillSearchProcessor\` lists no skill, so it is compared with a catalog in which every skill is deferred to the search.`;

const catalogText = `This table shows the tokens that skills add to one model call: text in the system prompt, and tool definitions. You pay for them in every call of every conversation. The last column counts the descriptions that were in the prompt in full.`;

const sessionText = `There are 25 skills and no compaction. *Short* has three turns, one activation and one file read. *Repeated* has four turns, each of which begins with activating the same skill again. Prompt tokens are added up over the session. "For skills" is the part that would not exist without skills.`;

const longText = `${longTurns} turns, each with a call of another tool. One skill is activated in the third turn, and another in the seventh. Before turn ${restartAt + 1}, everything except the framework's own store is recreated, as in a restart. The framework shortens the conversation: LangChain by \`summarizationMiddleware\` and \`ClearToolUsesEdit\`, the AI SDK by \`pruneMessages\`, Mastra by \`lastMessages\` and \`TokenLimiterProcessor\`. The settings are the same for every library, and no library's results are protected. "Bodies in the prompts" counts how often the two bodies are in a model call after the turn of their activation.`;

const reloadText = `The next table shows the same session with an ideally attentive model. Each turn begins with activating again whatever the previous call lacked. So it shows the cost of loading lost content again.`;

const limits = `- Providers add some tokens around messages and tools, and rewrite tool definitions. These tokens are not counted.
- Paths are short, because they are in a temporary directory. Libraries that put a path into every entry pay more if paths are long.
- Libraries differ in what an activation contains: listed files, sizes, digest, directory. The activation table shows it. A digest distinguishes an activation from an older one; scripts need a directory.
- The \`read_file\` of deepagents is counted, because nothing can be loaded without it. An agent that already has file tools does not pay for it twice.
- The documentation of bash-tool does not show it without its bash tool, and its text still tells the model to run scripts with bash. It is here as the minimum that can load a skill and read a file.
- The tools differ, too. Only some can read a file in pages or by section, which needs longer definitions.`;

const cacheText = `Providers charge less for the beginning of a prompt if it is the same as in the call before. The session has ${cacheTurns} turns, each with a call of another tool. A user names two skills. With Skillful, \`/name\` activates them; elsewhere, the model calls the tool. With Skillful, the application also activates a third skill by code, which the other libraries cannot do. One time, the application removes all but the last messages. No cache survives that, so even an agent without skills has this one break. "Breaks" counts the calls that do not begin with the whole previous prompt. "Lost" counts the tokens after the first difference.`;

function catalogTable({ catalogSizes, bareCatalogs, catalogs }: Measurements): string {
  const [smallest = 0, largest = 0] = [catalogSizes.at(0), catalogSizes.at(-1)];
  const growth = (values: readonly number[]): string =>
    (((values.at(-1) ?? 0) - (values.at(0) ?? 0)) / (largest - smallest)).toFixed(1);
  const row = ({ contender, sizes }: CatalogFigures): readonly string[] => {
    const totals = sizes.map(({ system, definitions }) => system + definitions);
    const described = sizes.at(-1)?.described ?? 0;
    return [...labels(contender), ...totals.map(count), growth(totals), `${described} of ${largest}`];
  };
  return table(
    ['library', 'framework', ...catalogSizes.map((size) => `${size} skills`), 'each further', 'descriptions in full'],
    [
      ['names and descriptions alone', '', ...bareCatalogs.map(count), growth(bareCatalogs), ''],
      ...byFramework(catalogs).map(row),
    ],
  );
}

function activationTable({ activations, bareBody }: Measurements): string {
  return table(
    ['library', 'framework', 'first', 'beside the body', 'again', 'copies after four', 'it brings', 'it lacks'],
    byFramework(activations).map(({ contender, first, second, copies }) => [
      ...labels(contender),
      count(first),
      count(first - bareBody),
      count(second),
      count(copies),
      contender.brings,
      contender.lacks,
    ]),
  );
}

function sessionTable({ short, repeating }: Measurements): string {
  const columns = ({ calls, prompt, skills }: SessionFigures): string[] => [calls, prompt, skills].map(count);
  const repeated = new Map(repeating.map((figures) => [figures.contender, figures]));
  return table(
    [
      ...['library', 'framework', 'short: calls', 'prompts', 'for skills'],
      ...['repeated: calls', 'prompts', 'for skills'],
    ],
    byFramework(short).map((figures) => {
      const again = repeated.get(figures.contender);
      return [...labels(figures.contender), ...columns(figures), ...(again === undefined ? [] : columns(again))];
    }),
  );
}

function longTable(long: readonly LongFigures[]): string {
  return table(
    ['library', 'framework', 'bodies in the prompts', 'after the restart', 'in the last call', 'prompts', 'for skills'],
    byFramework(long).map((figures) => [
      ...labels(figures.contender),
      share(figures.whole, figures.due),
      share(figures.dueAfterRestart - figures.missingAfterRestart, figures.dueAfterRestart),
      `${figures.last} of 2`,
      count(figures.prompt),
      count(figures.skills),
    ]),
  );
}

function reloadTable(reloading: readonly LongFigures[], long: readonly LongFigures[]): string {
  const callsBefore = new Map(long.map(({ contender, calls }) => [contender, calls]));
  return table(
    ['library', 'framework', 'further calls', 'bodies in the prompts', 'there twice', 'prompts', 'for skills'],
    byFramework(reloading).map((figures) => [
      ...labels(figures.contender),
      count(figures.calls - (callsBefore.get(figures.contender) ?? 0)),
      share(figures.whole, figures.due),
      count(figures.doubled),
      count(figures.prompt),
      count(figures.skills),
    ]),
  );
}

function cacheTable({ cache }: Measurements): string {
  return table(
    ['library', 'framework', 'prompts', 'from the cache', 'breaks', 'lost'],
    byFramework(cache).map(({ contender, prompt, cached, breaks, lost }) => [
      ...labels(contender),
      count(prompt),
      `${((100 * cached) / prompt).toFixed(1)} %`,
      count(breaks),
      count(lost),
    ]),
  );
}

function cheaperText(measured: Measurements): string {
  const found = cheaperPeers(measured);
  const intro =
    found.length === 0
      ? 'Nowhere in this measurement: not before an activation, not with it, and not over a session.'
      : 'This list compares libraries within one framework and one kind of disclosure, by the tokens that skills add. If a library provides less, the line says what it lacks, and what Skillful would cost without it:';
  const lines = found.map(
    ({ peer, where, theirs, ours, note }) =>
      `- ${where}: ${peer.library} with ${count(theirs)} against ${count(ours)}${note === '' ? '' : `; ${note}`}.`,
  );
  return [intro, ...(lines.length === 0 ? [] : [lines.join('\n')])].join('\n\n');
}

const order: readonly Contender['framework'][] = ['LangChain', 'AI SDK', 'Mastra'];

function byFramework<Figures extends { readonly contender: Contender }>(rows: readonly Figures[]): readonly Figures[] {
  return order.flatMap((framework) => rows.filter(({ contender }) => contender.framework === framework));
}

function labels({ library, framework, own }: Contender): readonly string[] {
  return [own ? `**${library}**` : library, framework];
}

function share(part: number, whole: number): string {
  return `${part} of ${whole}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = (rows.at(-1) ?? []).map((cell) => (/^\d/.test(cell) ? '---:' : '---'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
