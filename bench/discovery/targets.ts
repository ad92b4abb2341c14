// The targets of performance, and whether what was measured meets them.

import { megabytes, milliseconds, table, times } from '../figures.ts';
import type { Benchmark } from './benchmark.ts';
import { ownLoaders, type Row, type Tree } from './measure-tree.ts';

interface Target {
  readonly what: string;
  readonly limit: number;
  readonly value: number;
  /** True if the value has to be at least the limit. */
  readonly least?: boolean;
  readonly show: (value: number) => string;
}

/** Loaders that are part of an agent framework and, like Skillful, list skills and check them. */
const frameworkLoaders: readonly string[] = ['deepagents', '@mastra/core', 'bash-tool'];

/** Returns the row of a loader. */
export function find({ rows, title }: Tree, loader: string): Row {
  const row = rows.find((each) => each.loader === loader);
  if (row === undefined) throw new Error(`\`${loader}\` was not measured with ${title}.`);
  return row;
}

/** Returns the row of the fastest loader of another project, or of another framework. */
export function findFastest({ rows }: Tree, among?: readonly string[]): Row | undefined {
  const others = rows.filter(({ loader }) => among?.includes(loader) ?? !ownLoaders.includes(loader));
  return others.sort((a, b) => a.loading - b.loading)[0];
}

/** Formats every target beside the measured value. */
export function formatTargets(benchmark: Benchmark): string {
  const rows = [...realTargets(benchmark), ...generatedTargets(benchmark), ...stepTargets(benchmark)].map(
    ({ what, limit, value, least = false, show }) => {
      const isMet = least ? value >= limit : value <= limit;
      return [what, `${least ? '≥' : '≤'} ${show(limit)}`, show(value), isMet ? 'met' : '**missed**'];
    },
  );
  return table(['what', 'target', 'measured', ''], rows);
}

function realTargets({ real: [all, byPeople, common] }: Benchmark): readonly Target[] {
  const targets: Target[] = [];
  if (all !== undefined) {
    const what = 'all real files';
    targets.push(againstRaw(what, all, 5), ...againstFrameworks(what, all, 3));
    targets.push({ what: `${what}: peak memory`, limit: 130e6, value: find(all, 'skillful').peak, show: megabytes });
    targets.push(blocked(what, all));
  }
  if (byPeople !== undefined) {
    const what = 'files that people wrote';
    targets.push(againstRaw(what, byPeople, 4), ...againstFrameworks(what, byPeople, 4));
  }
  if (common !== undefined) {
    const what = 'files that every loader reads';
    targets.push(againstRaw(what, common, 4), reload(what, common), retained(what, common));
  }
  return targets;
}

function generatedTargets({ generated }: Benchmark): readonly Target[] {
  return generated.map((tree) => {
    const count = tree.count.toLocaleString('en');
    return againstRaw(`${count} generated files`, tree, tree.count === 100 ? 6 : 3);
  });
}

function stepTargets({ steps, adapters, generated: [largest] }: Benchmark): readonly Target[] {
  const tenants = 'one more tenant over a `cacheSource` of 10,000';
  const adapter = Math.max(...adapters.map((each) => each.adapter));
  const text = Math.max(steps.first, steps.whole, steps.cut);
  const importing = largest === undefined ? Number.NaN : find(largest, 'skillful').importing;
  const activation = steps.activating / steps.readingByPromises;
  return [
    { what: `${tenants}: time`, limit: 10, value: steps.tenant, show: milliseconds },
    { what: `${tenants}: memory`, limit: 1e6, value: steps.tenantRetained, show: megabytes },
    { what: 'text of a catalog of 1,000 skills', limit: 10, value: text, show: milliseconds },
    { what: 'activation ÷ the same read by promises', limit: 0.5, value: activation, show: times },
    { what: 'import of the core, over bare Node', limit: 25, value: importing, show: milliseconds },
    { what: 'import of an adapter, over its framework', limit: 10, value: adapter, show: milliseconds },
  ];
}

function againstRaw(what: string, tree: Tree, limit: number): Target {
  const value = find(tree, 'skillful').loading / find(tree, 'raw').loading;
  return { what: `${what} ÷ raw read`, limit, value, show: times };
}

function againstFrameworks(what: string, tree: Tree, limit: number): readonly Target[] {
  const fastest = findFastest(tree, frameworkLoaders);
  if (fastest === undefined) return [];
  const value = fastest.loading / find(tree, 'skillful').loading;
  return [
    { what: `${what}: ${fastest.loader}, the fastest framework, ÷ Skillful`, limit, value, least: true, show: times },
  ];
}

function reload(what: string, tree: Tree): Target {
  const value = (find(tree, 'skillful').reloading ?? Number.NaN) / find(tree, 'stat').loading;
  return { what: `${what}: reload after no change ÷ stat pass`, limit: 2, value, show: times };
}

function retained(what: string, tree: Tree): Target {
  const value = (find(tree, 'skillful').retained / tree.count) * 10_000;
  return { what: `${what}: retained memory for each 10,000`, limit: 10e6, value, show: megabytes };
}

function blocked(what: string, tree: Tree): Target {
  return { what: `${what}: event loop blocked`, limit: 50, value: find(tree, 'skillful').blocked, show: milliseconds };
}
