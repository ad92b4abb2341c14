// Writes docs/benchmarks.md from what was measured: real files first.

import type { Benchmark } from './benchmark.ts';
import { count, megabytes, milliseconds, ratio, table, times } from './format.ts';
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
- Activating a skill: ${count(steps.activating * 1000)} µs. Reading the same file by promises, confined to its skill: ${count(steps.readingByPromises * 1000)} µs.
- ${count(activations.skills)} activations at once with 256 open files at most: ${milliseconds(activations.time)}, ${activations.failed} failed, event loop blocked for ${milliseconds(activations.blocked)}.
- ${switches.processes} processes that switch ${switches.each} skills off each in the same settings: 99 of 100 changes take less than ${milliseconds(switches.p99)}.

${table(['adapter', 'import of its framework', 'import of the adapter'], starts)}`;
}

/** Writes the page; the same measurement always gives the same text. */
export function formatReport(benchmark: Benchmark): string {
  const { date, cores, node, versions, real, generated } = benchmark;
  const called = [...calls].map(([loader, call]) => [nameOf(loader), versions.get(loader) ?? '', call]);
  const imports = (generated[0]?.rows ?? []).filter(({ loader }) => loader !== 'raw' && loader !== 'stat');
  return `# Benchmarks

How long discovery takes, that is finding skills and reading their names and descriptions, and how much memory that takes.
Measured on ${date} on a machine with ${cores} cores, Node ${node}. Milliseconds depend on the machine; ratios carry over.
A [fleet](fleet-benchmarks.md) with its skills in PostgreSQL and [the quality of search](search-quality.md) have pages of their own.

## Targets

${formatTargets(benchmark)}

## How it is measured

Each figure is a median of runs in fresh processes in which the loaders take turns; a slow loader gets fewer rounds. All files
are \`<name>/SKILL.md\` below one root and in the page cache. Skillful is the published build with every safety check; the time
of an import is listed separately. *Raw read* reads the same files whole and does nothing with them. *Processor* is the time of all
cores, including the compiler and the garbage collector.

The real files are 10,000 public ones, good and bad; they are not part of this repository. A number is added to a name
that is taken, and a file that has no usable name gets the directory that it comes from. A loader that skips what it cannot read does
less work, and one that keeps a single skill of each name counts the others as unread; in the third table every loader reads
every file. @skillkit/core makes up a description for a file that has none. The generated files are valid for every loader,
and 92 of 100 have plain lines only.

${table(['loader', 'version', 'call'], called)}

Where the time goes:

- Each skill costs eight system calls, the raw read four. The others ask the kernel which file was really opened and whether its
  directory is still the same, and look for \`agents/openai.yaml\` and a \`skill.md\`. No check is left out for speed.
- A reload asks about a \`SKILL.md\` and its directory: two calls, where a stat pass has one. It asks about the other files only if
  something was added to the directory, or removed.
- With 100 skills, most of the time is code that runs for the first time.
- An activation also lists the skill's files, which takes longer than reading the file.
- What is retained differs: skills-ref keeps the properties only. Skillful also keeps the paths and stamps that recognise an
  unchanged skill.

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
