// Writes docs/fleet-benchmarks.md from what was measured.

import { median } from '../discovery/probes.ts';
import { count, milliseconds } from '../figures.ts';
import type { Agent, Percentiles } from './agent.ts';

export interface Fleet {
  readonly date: string;
  readonly cores: number;
  readonly load: number;
  readonly node: string;
  readonly server: string;
  readonly sharedCount: number;
  readonly tenants: number;
  readonly each: number;
  readonly first: number;
  readonly unchanged: number;
  readonly one: number;
  readonly allTenants: number;
  readonly size: number;
  readonly agents: readonly Agent[];
  readonly notified: readonly number[];
  readonly failing: number;
  readonly kept: number;
  readonly recovered: number;
  readonly lagging: number;
}

const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`;
const megabytes = (value: number): string => `${count(value)} MB`;

function describeLoad({ load, cores }: Fleet): string {
  if (load < 2 * cores) return 'Nothing else ran.';
  return `The load of the machine\nwas ${load.toFixed(0)}, so other work took its time as well: read the milliseconds as upper bounds.`;
}

export function formatReport(fleet: Fleet): string {
  const { sharedCount, tenants, each, agents } = fleet;
  const of = (pick: (agent: Agent) => number): number => median(agents.map(pick));
  const both = (pick: (agent: Agent) => Percentiles): string =>
    `${milliseconds(of((agent) => pick(agent).p50))} | ${milliseconds(of((agent) => pick(agent).p95))}`;
  const visible = of(({ skills }) => skills);
  return `# Benchmarks of a fleet

This page shows what it costs to keep the skills of many agents in PostgreSQL, with [\`@skillful/postgres\`](../packages/postgres). It was measured on
${fleet.date} on a machine with ${fleet.cores} cores, on which the server ran, too, with PostgreSQL ${fleet.server}, Node ${fleet.node}. ${describeLoad(fleet)}

${count(tenants)} tenants share ${count(sharedCount)} skills, and each has ${count(each)} of its own, so each tenant sees ${count(visible)}. The skills are generated, about 1.5 KB each.

| publishing | time |
|---|---|
| ${count(sharedCount)} skills for all tenants | ${seconds(fleet.first)}, ${count((sharedCount / fleet.first) * 1000)} a second |
| the same again | ${seconds(fleet.unchanged)} |
| the same with one change | ${seconds(fleet.one)} |
| ${count(each)} skills for each of ${count(tenants)} tenants | ${seconds(fleet.allTenants)}, ${count(((each * tenants) / fleet.allTenants) * 1000)} a second |
| size of the database | ${megabytes(fleet.size)} |

| an agent process | cost |
|---|---|
| loading a cold catalog of ${count(visible)} skills | ${seconds(of(({ loading }) => loading))} |
| memory that the catalog takes | ${megabytes(of(({ heap }) => heap))} |
| peak memory of the process | ${megabytes(of(({ peak }) => peak))} |
| the catalog of one more tenant in the same process | ${milliseconds(of(({ another }) => another))}, ${megabytes(of(({ anotherHeap }) => anotherHeap))} |
| loading a tenant's own skills again, unchanged | ${milliseconds(of(({ reloading }) => reloading))} |

The shared skills are behind one \`cacheSource\`, which these figures include. The figures are medians of ${agents.length} fresh process${agents.length === 1 ? '' : 'es'}.

| one of ${count(of(({ queries }) => queries))}, over ${count(visible)} skills | p50 | p95 |
|---|---|---|
| reading the instructions of a skill | ${both(({ reads }) => reads)} |
| search, 6 words | ${both(({ short }) => short)} |
| search, 30 words | ${both(({ long }) => long)} |
| search, 7 words, 8 at once | ${both(({ atOnce }) => atOnce)} |

| changes and outages | figure |
|---|---|
| a version is published: until a running process has loaded it | ${milliseconds(median(fleet.notified))} |
| the server is killed: until a read fails | ${milliseconds(fleet.failing)} |
| the server is gone for 5 seconds: skills that the process still has | ${count(fleet.kept)} |
| the server is back, with a new version: until the process has it | ${milliseconds(fleet.recovered)} |
| a table is locked, with a timeout of 2 seconds: until a read fails | ${milliseconds(fleet.lagging)} |

A hundred tenants with 100,000 skills of their own each, ten million in all, were not measured.

This page is written by \`npm start\` in \`bench/fleet\`, after \`npx -y pnpm@12 run build\`. It needs Debian's \`postgresql\`.
`;
}
