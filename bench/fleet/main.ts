// Measures a fleet on a real server, prints the page and writes docs/fleet-benchmarks.md.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheSource, loadCatalog, memorySource, watchCatalog } from '../../packages/core/dist/index.js';
import {
  createSkillDatabase,
  postgresSource,
  publishSkills,
  setUpDatabase,
} from '../../packages/postgres/dist/index.js';
import { hasServer, Pool, startServer } from '../../packages/postgres/test/server.ts';
import type { Agent } from './agent.ts';
import { formatReport } from './report.ts';
import { createSkills } from './skills.ts';

if (!hasServer) {
  console.error('PostgreSQL is NOT INSTALLED (apt-get install postgresql), so NOTHING WAS MEASURED.');
  process.exit(1);
}

/** `node main.ts 1000 10 20` tries it with less, and writes no page. */
const [sharedCount = 100_000, tenants = 100, each = 1_000] = process.argv.slice(2).map(Number);
const isWhole = process.argv.length === 2;

async function time(name: string, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  const spent = performance.now() - start;
  console.error(`${name}: ${Math.round(spent)} ms`);
  return spent;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const server = await startServer(['shared_buffers=1GB', 'max_wal_size=8GB']);
const pool = new Pool({ ...server.connection, max: 10 });
try {
  const database = createSkillDatabase(pool, { timeout: 600_000 });
  await setUpDatabase(database);
  const load = (files: Record<string, string>) => loadCatalog([memorySource(files)]);
  const files = createSkills('', sharedCount, 1);
  const shared = await load(files);
  const first = await time('publish', () => publishSkills(database, shared));
  const unchanged = await time('publish again', () => publishSkills(database, shared));
  const [path = ''] = Object.keys(files);
  const changed = await load({ ...files, [path]: `${files[path]}\nMore.\n` });
  const one = await time('publish one change', () => publishSkills(database, changed));
  const tenant = (number: number): string => `tenant-${number}`;
  const allTenants = await time('publish the tenants', async () => {
    for (let number = 0; number < tenants; number += 1) {
      const own = await load(createSkills(`${number}-`, each, number + 2));
      await publishSkills(database, own, { tenant: tenant(number) });
    }
  });
  await pool.query('vacuum analyze');
  const [size] = (await pool.query('select pg_database_size(current_database())::float8 / 2 ^ 20 as size')).rows;

  const program = join(import.meta.dirname, 'agent.ts');
  const host = String(server.connection.host);
  const agents: Agent[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', program, host, tenant(round), tenant(round + 3)],
      { maxBuffer: 2 ** 26 },
    );
    agents.push(JSON.parse(stdout) as Agent);
    console.error(stdout);
  }

  // An outage, as a process sees it that watches one tenant.
  const agentPool = new Pool({ ...server.connection, max: 4 });
  const agentDatabase = createSkillDatabase(agentPool, { timeout: 2_000 });
  let seen = 0;
  const watch = await watchCatalog([cacheSource(postgresSource(agentDatabase, { tenant: tenant(0) }))], {
    onChange: () => {
      seen += 1;
    },
  });
  const grown = createSkills('0-', each + 1, 2);
  const shrunk = createSkills('0-', each, 2);
  const notified: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const next = await load(round % 2 === 0 ? grown : shrunk);
    await publishSkills(database, next, { tenant: tenant(0) });
    const expected = round + 1;
    notified.push(await time('until a process has a change', () => until(() => seen === expected)));
  }
  await server.kill();
  const failing = await time('until a failure is known', async () => {
    await postgresSource(agentDatabase, { tenant: tenant(0) })
      .list()
      .catch(() => {});
  });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const kept = watch.catalog().skills.length;
  await server.start();
  await publishSkills(database, await load(shrunk), { tenant: tenant(0) });
  const recovered = await time('until a process has caught up', () => until(() => seen === 6));
  const locker = await pool.connect();
  await locker.query('begin');
  await locker.query('lock table skillful.skills in access exclusive mode');
  const lagging = await time('until a lag is known', async () => {
    await postgresSource(agentDatabase, { tenant: tenant(0) })
      .list()
      .catch(() => {});
  });
  await locker.query('rollback');
  locker.release();
  watch.close();
  await agentPool.end();

  const report = formatReport({
    ...{ date: new Date().toISOString().slice(0, 10), cores: availableParallelism(), load: loadavg()[0] ?? 0 },
    ...{ node: process.version, server: String((await pool.query('show server_version')).rows[0].server_version) },
    ...{ sharedCount, tenants, each, first, unchanged, one, allTenants, size: size.size, agents },
    ...{ notified, failing, kept, recovered, lagging },
  });
  console.log(report);
  if (isWhole) writeFileSync(join(import.meta.dirname, '../../docs/fleet-benchmarks.md'), report);
} finally {
  await pool.end();
  await server.close();
}
