// Writes docs/benchmarks.md from what was measured.

import type { AdapterStart } from './adapters.ts';
import type { Measurement } from './measure.ts';
import type { Steps } from './steps.ts';

/** The medians of one loader at one size. */
export type Row = Measurement & { readonly loader: string };

/** What was measured with one tree. */
export interface Size {
  readonly count: number;
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly steps: Steps | undefined;
  readonly cold: Cold | undefined;
}

/** Milliseconds with nothing in the page cache. */
export interface Cold {
  readonly raw: number;
  readonly skillful: number;
}

export interface Benchmark {
  readonly date: string;
  readonly cores: number;
  readonly node: string;
  readonly versions: ReadonlyMap<string, string>;
  readonly sizes: readonly Size[];
  readonly adapters: readonly AdapterStart[];
  /** What `load-suite.ts` printed. */
  readonly loads: string | undefined;
}

const names: ReadonlyMap<string, string> = new Map([
  ['raw', 'raw read'],
  ['stat', 'stat pass'],
  ['skillful', '**Skillful**'],
]);

const asked: ReadonlyMap<string, string> = new Map([
  ['raw', '`readdirSync`, then `readFileSync` of each file'],
  ['stat', '`readdirSync`, then `statSync` of each file'],
  ['skillful', '`loadCatalog([fileSource(root)])`'],
  ['@mastra/core', '`new Workspace({ filesystem, skills }).skills.list()`'],
  ['deepagents', '`listSkills({ projectSkillsDir })`'],
  ['bash-tool', '`experimental_createSkillTool({ skillsDirectory })`'],
  ['skills-ref', '`readProperties(directory)` of each directory, for it lists none'],
  ['@skillkit/core', '`discoverSkills(root)`'],
]);

const number = (value: number): string => Math.round(value).toLocaleString('en');
const ratio = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_cell, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function find(size: Size, loader: string): Row {
  const row = size.rows.find((each) => each.loader === loader);
  if (row === undefined) throw new Error(`\`${loader}\` was not measured with ${size.count} skills.`);
  return row;
}

function loaderTable(size: Size): string {
  const raw = find(size, 'raw');
  const rows = size.rows.map((row) => [
    names.get(row.loader) ?? row.loader,
    row.skills === size.count ? number(row.skills) : `${number(row.skills)} (!)`,
    number(row.loading),
    ratio(row.loading / raw.loading),
    ratio(row.processor / raw.processor),
    megabytes(row.peak),
    row.retained === 0 ? '–' : megabytes(row.retained),
    number(row.held),
  ]);
  const head = ['loader', 'skills', 'ms', '× raw', 'processor, × raw', 'peak MB', 'kept MB', 'loop held, ms'];
  return `## ${number(size.count)} skills\n\nMedians of ${size.rounds} rounds.\n\n${table(head, rows)}`;
}

interface Target {
  readonly what: string;
  readonly limit: number;
  readonly value: number;
  /** True where the value has to be at least the limit. */
  readonly least?: boolean;
  readonly show: (value: number) => string;
}

function targetsOf({ sizes, adapters }: Benchmark): readonly Target[] {
  const times = (value: number): string => `${value.toFixed(1)} ×`;
  const mega = (value: number): string => `${megabytes(value)} MB`;
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  const targets: Target[] = sizes.map((size) => ({
    what: `${number(size.count)} skills, against the raw read`,
    limit: size.count === 100 ? 5 : 3,
    value: find(size, 'skillful').loading / find(size, 'raw').loading,
    show: times,
  }));
  const importing = sizes.find(({ count }) => count === 10_000);
  if (importing !== undefined) {
    targets.push({
      what: 'import, over bare Node',
      limit: 25,
      value: find(importing, 'skillful').importing,
      show: milliseconds,
    });
  }
  for (const size of sizes.filter(({ count }) => count >= 10_000)) {
    const ours = find(size, 'skillful');
    const rivals = size.rows.filter(({ loader }) => !names.has(loader));
    const count = number(size.count);
    if (rivals.length > 0) {
      const fastest = Math.min(...rivals.map(({ loading }) => loading));
      // What skills-ref answers with is less: no list, and of each skill its properties alone.
      const sameAnswer = rivals.filter(({ loader }) => loader !== 'skills-ref');
      const leanest = Math.min(...sameAnswer.map(({ retained }) => retained));
      targets.push(
        {
          what: `${count}, the fastest peer against it`,
          limit: 2.5,
          value: fastest / ours.loading,
          least: true,
          show: times,
        },
        {
          what: `${count}, kept against the leanest peer that lists`,
          limit: 0.6,
          value: ours.retained / leanest,
          show: times,
        },
        { what: `${count}, peak memory`, limit: 130e6, value: ours.peak, show: mega },
      );
    }
    const kept = (ours.retained / size.count) * 10_000;
    const reload = (ours.reloading ?? Number.NaN) / find(size, 'stat').loading;
    targets.push(
      { what: `${count}, kept for each 10,000`, limit: 10e6, value: kept, show: mega },
      { what: `${count}, event loop held`, limit: 50, value: ours.held, show: milliseconds },
      { what: `${count}, reload with nothing changed, against the stat pass`, limit: 2, value: reload, show: times },
    );
    if (size.cold !== undefined) {
      const value = size.cold.skillful / size.cold.raw;
      targets.push({ what: `${count}, nothing in the page cache, against the raw read`, limit: 1, value, show: times });
    }
  }
  for (const { steps } of sizes) {
    if (steps === undefined) continue;
    const text = Math.max(steps.whole, steps.cut) / 1000;
    const count = number(steps.skills);
    targets.push(
      { what: `text of a catalog of ${count} skills`, limit: 5, value: text, show: milliseconds },
      {
        what: 'activation, against a contained read by promises',
        limit: 1.5,
        value: steps.activating / steps.readingByPromises,
        show: times,
      },
      {
        what: 'activation, against our own contained read',
        limit: 1.5,
        value: steps.activating / steps.reading,
        show: times,
      },
    );
  }
  const slowest = Math.max(...adapters.map(({ adapter }) => adapter));
  targets.push({ what: 'start of an adapter, over its framework', limit: 10, value: slowest, show: milliseconds });
  return targets;
}

function targetTable(benchmark: Benchmark): string {
  const rows = targetsOf(benchmark).map(({ what, limit, value, least = false, show }) => {
    const met = least ? value >= limit : value <= limit;
    return [what, `${least ? '≥' : '≤'} ${show(limit)}`, show(value), met ? 'met' : '**missed**'];
  });
  return table(['what', 'target', 'measured', ''], rows);
}

function importTable(size: Size): string {
  const rows = size.rows
    .filter(({ loader }) => loader !== 'raw' && loader !== 'stat')
    .map(({ loader, importing }) => [names.get(loader) ?? loader, number(importing)]);
  return table(['what is imported', 'ms over bare Node'], rows);
}

function adapterTable({ adapters }: Benchmark): string {
  const rows = adapters.map(({ name, framework, adapter }) => [
    name.replace('adapter-', '@skillful/'),
    number(framework),
    ratio(adapter),
  ]);
  return table(['adapter', 'framework, ms', 'adapter, ms'], rows);
}

function stepsSection(sizes: readonly Size[]): string {
  const { steps } = sizes.find((size) => size.steps !== undefined) ?? {};
  const { cold } = sizes.find((size) => size.cold !== undefined) ?? {};
  if (steps === undefined) return '';
  const milliseconds = (value: number): string => `${(value / 1000).toFixed(1)} ms`;
  const files =
    cold === undefined
      ? ''
      : `- With nothing in the page cache 10,000 skills take ${number(cold.skillful)} ms, the raw read ${number(cold.raw)} ms.\n`;
  return `
## The steps after it

${files}- The catalog of ${number(steps.skills)} skills is planned and written in ${milliseconds(steps.whole)} where it fits, in ${milliseconds(steps.cut)} where every description is cut; the first time in a process in ${milliseconds(steps.first)}.
- A \`SKILL.md\` is read in ${number(steps.reading)} µs, under the same proof by promises in ${number(steps.readingByPromises)} µs, and a skill activated in ${number(steps.activating)} µs.
`;
}

/** Writes the page; the same measurement always gives the same text. */
export function formatReport(benchmark: Benchmark): string {
  const { date, cores, node, versions, sizes, loads } = benchmark;
  const largest = sizes.at(-1);
  const withPeers = sizes.filter(({ rows }) => rows.some(({ loader }) => !names.has(loader))).at(-1);
  if (largest === undefined || withPeers === undefined) throw new Error('Nothing was measured.');
  const askedTable = table(
    ['loader', 'version', 'asked by'],
    [...asked].map(([loader, how]) => [names.get(loader) ?? loader, versions.get(loader) ?? '', how]),
  );
  return `# Benchmarks

How long it takes to find skills and to read their names and descriptions, and what that holds. Measured on ${date} on a
machine with ${cores} cores, Node ${node}. Machines differ and are disturbed; the ratios carry over, the milliseconds do not.

Every figure is a median of runs in fresh processes, in which the loaders take turns. The files are generated: each is
\`<name>/SKILL.md\`, has 7.5 KB on average and is valid for every loader; 92 of 100 have a frontmatter of plain lines, the
others escapes, a map, a text of two paragraphs or a list of maps, and for 1 of 1,000 Skillful needs its YAML parser, as for
7 of 8,467 public ones. They are in the page cache. Skillful is the core as it is published, with every check of its reads,
and the import of a loader is not part of its time. *Raw read* is what plain code needs to read the
same files whole without understanding anything. *Processor* is the time of all cores, which other programs disturb less;
it counts what the compiler and the garbage collector do beside the program, too.

${askedTable}

## Targets

${targetTable(benchmark)}

What stands in the way of the targets:

- Each skill costs six system calls, the raw read four: one more asks the kernel which file was really opened, and one looks
  for \`agents/openai.yaml\`. No check is left out for speed.
- A reload looks at two files of each skill, its \`SKILL.md\` and the sidecar: twice the calls of a stat pass.
- With 100 skills most of the time is code that runs for the first time.
- An activation also lists the skill's files, which alone takes longer than the read, and makes the digest, the parts and the
  text. Our own read is synchronous, which makes it many times faster than one by promises, and the ratio to it high.
- What is kept differs: skills-ref keeps the properties alone and is left out of the comparison of memory; Skillful keeps also
  the paths and stamps by which a skill is found again and recognised as unchanged.
- To read each skill's directory in order to know whether it holds more than its \`SKILL.md\` would take another half of a raw
  read. It is not done; a toolkit asks 64 skills at most for it before a model call.

${sizes.map(loaderTable).join('\n\n')}

A \`(!)\` marks a loader that did not answer with every skill.

## Import

${importTable(withPeers)}

The adapters start on top of their frameworks:

${adapterTable(benchmark)}
${stepsSection(sizes)}${loads === undefined ? '' : `\n## Single loads\n\n${loads}`}
This page is written by \`npm install && npm start\` in \`bench/discovery\`, which takes some minutes.
\`node main.ts 1000\` stops at 1,000 skills and only prints. \`node load-suite.ts\` puts all heavy loads on the core, one of
which takes an hour.
`;
}
