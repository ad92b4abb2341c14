// Writes docs/benchmarks.md from what was measured: real files first.

import { count, megabytes, milliseconds, ratio, table, times } from '../figures.ts';
import type { Benchmark } from './benchmark.ts';
import type { Tree } from './measure-tree.ts';
import { find, findFastest, formatTargets } from './targets.ts';

const names: ReadonlyMap<string, string> = new Map([
  ['raw', 'raw read'],
  ['stat', 'stat pass'],
  ['skillful', '**Skillful**'],
]);

const calls: ReadonlyMap<string, string> = new Map([
  ['raw', '`readdirSync`, then `readFileSync` of each file'],
  ['stat', '`readdirSync`, then `statSync` of each file'],
  ['skillful', '`loadCatalog([fileSource(root)])`'],
  ['@mastra/core', '`new Workspace({ filesystem, skills }).skills.list()`'],
  ['deepagents', '`listSkills({ projectSkillsDir })`'],
  ['bash-tool', '`experimental_createSkillTool({ skillsDirectory })`'],
  ['skills-ref', '`readProperties(directory)` of each directory, because it lists none'],
  ['@skillkit/core', '`discoverSkills(root)`'],
]);

const nameOf = (loader: string): string => names.get(loader) ?? loader;

function formatTree(tree: Tree): string {
  const raw = find(tree, 'raw');
  const rows = tree.rows.map((row) => [
    nameOf(row.loader),
    count(row.directories.length),
    count(row.loading),
    ratio(row.loading / raw.loading),
    ratio(row.processor / raw.processor),
    megabytes(row.peak),
    row.retained === 0 ? '–' : megabytes(row.retained),
    count(row.blocked),
    count(row.rounds),
  ]);
  const head = ['loader', 'skills', 'ms', '÷ raw', 'processor ÷ raw', 'peak', 'retained', 'loop blocked, ms', 'rounds'];
  return `### ${count(tree.count)} ${tree.title}\n\n${formatSummary(tree)}\n\n${table(head, rows)}`;
}

function formatSummary(tree: Tree): string {
  const skillful = find(tree, 'skillful');
  const peer = findFastest(tree);
  const reload = (skillful.reloading ?? Number.NaN) / find(tree, 'stat').loading;
  const lead =
    peer === undefined
      ? ''
      : `; ${nameOf(peer.loader)}, the fastest other loader, takes ${times(peer.loading / skillful.loading)} as long`;
  return `Skillful takes ${times(skillful.loading / find(tree, 'raw').loading)} the raw read${lead}. Loading again after no change takes ${times(reload)} the stat pass.`;
}

function formatSteps({ steps, loads, adapters }: Benchmark): string {
  const { activations, switches } = loads;
  const starts = adapters.map(({ name, framework, adapter }) => {
    return [name.replace('adapter-', '@skillful/'), milliseconds(framework), milliseconds(adapter)];
  });
  return `- One more tenant over a filled \`cacheSource\`: ${milliseconds(steps.tenant)}, ${megabytes(steps.tenantRetained)}.
- The catalog text of ${count(steps.skills)} skills: ${milliseconds(steps.whole)} if it fits the budget, ${milliseconds(steps.cut)} if descriptions are shortened, ${milliseconds(steps.first)} the first time in a process.
- Activating one skill: ${count(steps.activating * 1000)} µs. Reading the same file by promises, confined to its skill: ${count(steps.readingByPromises * 1000)} µs.
- ${count(activations.skills)} activations at once with 256 open files at most: ${milliseconds(activations.time)}, ${activations.failed} failed, event loop blocked for ${milliseconds(activations.blocked)}.
- ${switches.processes} processes that switch ${switches.each} skills off each, in the same settings file: 99 of 100 changes take less than ${milliseconds(switches.p99)}.

${table(['adapter', 'import of its framework', 'import of the adapter'], starts)}`;
}

/** Writes the page; the same measurement always gives the same text. */
export function formatReport(benchmark: Benchmark): string {
  const { date, cores, node, versions, real, generated } = benchmark;
  const called = [...calls].map(([loader, call]) => [nameOf(loader), versions.get(loader) ?? '', call]);
  const imports = (generated[0]?.rows ?? []).filter(({ loader }) => loader !== 'raw' && loader !== 'stat');
  return `# Benchmarks

This page shows how much time and memory discovery takes. Discovery means finding skills and reading their names and descriptions.
It was measured on ${date} on a machine with ${cores} cores, Node ${node}. Milliseconds depend on the machine; ratios carry over to others.
Two other pages are about a [fleet](fleet-benchmarks.md) with its skills in PostgreSQL, and about [the quality of search](search-quality.md).

## Targets

${formatTargets(benchmark)}

## How it is measured

Each figure is a median of runs in fresh processes, in which the loaders take turns. A slow loader gets fewer rounds. All files
are \`<name>/SKILL.md\` below one root, and in the page cache. Skillful is the published build with every safety check. The time
of an import is listed separately. *Raw read* reads the same files completely and does nothing with them. *Processor* is the time of all
cores, including the compiler and the garbage collector.

The real files are 10,000 public files, good and bad. They are not part of this repository. If a name is taken, a number is added
to it. If a file has no usable name, it gets the name of the directory that it comes from. A loader that skips files it cannot read does
less work. A loader that keeps one skill of each name counts the others as unread. In the third table, every loader reads
every file. @skillkit/core makes up a description for a file that has none. The generated files are valid for every loader,
and 92 of 100 have only plain lines.

${table(['loader', 'version', 'call'], called)}

Where the time goes:

- Skillful makes eight system calls for each skill, the raw read makes four. The other four ask the kernel which file was really opened and
  whether its directory is still the same, and look for \`agents/openai.yaml\` and a \`skill.md\`. No check is left out for speed.
- A reload makes two calls for each skill, for its \`SKILL.md\` and its directory. A stat pass makes one. The reload asks about the other
  files only if something was added to the directory or removed from it.
- With 100 skills, most of the time goes into code that runs for the first time.
- An activation also lists the skill's files, which takes longer than reading the file.
- Loaders retain different things. skills-ref keeps only the properties. Skillful also keeps the paths and stamps by which it recognises
  an unchanged skill.

## Real files

${real.length === 0 ? 'Not measured: the corpus was absent.' : real.map(formatTree).join('\n\n')}

## Generated files

${generated.map(formatTree).join('\n\n')}

## After discovery

${formatSteps(benchmark)}

## Import

${table(
  ['what is imported', 'over bare Node'],
  imports.map(({ loader, importing }) => [nameOf(loader), milliseconds(importing)]),
)}

This page is written by \`npm install && npm start\` in \`bench/discovery\`, which takes about four minutes.
`;
}
