// One agent process of the fleet: loads a catalog from the database, searches, reads, and prints what that took.

import { cacheSource, loadCatalog } from '../../packages/core/dist/index.js';
import { createPostgresIndex, createSkillDatabase, postgresSource } from '../../packages/postgres/dist/index.js';
import { Pool } from '../../packages/postgres/test/server.ts';
import { timed } from '../discovery/probes.ts';
import { createQueries } from './skills.ts';

const [host = '', tenant = '', other = '', queries = '200'] = process.argv.slice(2);

/** What a process found out, in milliseconds and megabytes. */
export interface Agent {
  readonly skills: number;
  /** How often each kind of query was measured. */
  readonly queries: number;
  readonly loading: number;
  readonly heap: number;
  readonly peak: number;
  readonly another: number;
  readonly anotherHeap: number;
  readonly reloading: number;
  readonly reads: Percentiles;
  readonly short: Percentiles;
  readonly long: Percentiles;
  readonly atOnce: Percentiles;
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

const megabytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20 + process.memoryUsage().arrayBuffers / 2 ** 20;
};

function toPercentiles(times: number[]): Percentiles {
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Times the work on each item, with so many at once. */
async function timeEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>, atOnce = 1): Promise<Percentiles> {
  const times: number[] = [];
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) times.push((await timed(() => work(item)))[0]);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return toPercentiles(times);
}

const pool = new Pool({ host, user: 'postgres', database: 'postgres', max: 10 });
const database = createSkillDatabase(pool, { timeout: 60_000 });
await pool.query('select 1');
const shared = cacheSource(postgresSource(database), { maxAge: 3_600_000 });
const load = (name: string) => loadCatalog([postgresSource(database, { tenant: name }), shared]);

const before = megabytes();
const [loading, catalog] = await timed(() => load(tenant));
const heap = megabytes() - before;
const peak = process.resourceUsage().maxRSS / 1024;
const [anotherTime, another] = await timed(() => load(other));
const anotherHeap = megabytes() - before - heap;
const [reloading] = await timed(() => loadCatalog([postgresSource(database, { tenant })], { previous: catalog }));

const index = createPostgresIndex(database, catalog.skills, { tenant });
const count = Number(queries);
const step = Math.ceil(catalog.skills.length / count);
const search = (query: string): Promise<unknown> => Promise.resolve(index.search(query));
await search('warm up');
const agent: Agent = {
  skills: catalog.skills.length,
  queries: count,
  ...{ loading, heap, peak, another: anotherTime, anotherHeap, reloading },
  reads: await timeEach(
    catalog.skills.filter((_, at) => at % step === 0),
    (skill) => postgresSource(database, skill.source === shared ? {} : { tenant }).readFile(skill, 'SKILL.md'),
  ),
  short: await timeEach(createQueries(6, count), search),
  long: await timeEach(createQueries(30, count), search),
  atOnce: await timeEach(createQueries(7, count), search, 8),
};
if (another.skills.length === 0) throw new Error('The other tenant has no skills.');
process.stdout.write(JSON.stringify(agent));
await pool.end();
