// Measures the steps after discovery and prints what they cost; in a process of its own, as plain JavaScript.

import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { median, memoryInUse, timed } from './probes.ts';

/** Medians in milliseconds, memory in bytes. */
export interface Steps {
  readonly skills: number;
  /** Loading one more catalog, of a `cacheSource` that another one has filled and a skill of its own, and the memory that it adds. */
  readonly tenant: number;
  readonly tenantRetained: number;
  /** Planning and rendering the catalog text: the first time in a process, within the budget, and beyond it. */
  readonly first: number;
  readonly whole: number;
  readonly cut: number;
  readonly activating: number;
  /** Reading the same files by promises, each confined to its skill. */
  readonly readingByPromises: number;
}

const { activateSkill, cacheSource, loadCatalog, memorySource, planCatalog, renderCatalog } = await import(
  './core/index.js'
);
const { fileSource } = await import('./core/node/index.js');
const [root = '', small = ''] = process.argv.slice(2);

async function medianOf(rounds: number, work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push((await timed(() => work(round)))[0]);
  // The first half is for the compiler.
  return median(times.slice(rounds / 2));
}

const catalog = await loadCatalog([fileSource(small)]);
const { skills } = catalog;
const write = (tokens: number) => renderCatalog(planCatalog(catalog, { budget: { tokens } }));
const [first] = await timed(() => write(20_000));
const whole = await medianOf(60, () => write(1_000_000));
const cut = await medianOf(60, () => write(20_000));

function skillAt(round: number): (typeof skills)[number] {
  const skill = skills[round % skills.length];
  if (skill === undefined) throw new Error('No skill was found.');
  return skill;
}

async function readByPromises(directory: string): Promise<Uint8Array> {
  const file = await open(await realpath(join(directory, 'SKILL.md')), constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await readlink(`/proc/self/fd/${file.fd}`);
    if (!opened.startsWith(`${directory}/`)) throw new Error('The file is outside the skill.');
    if (!(await file.stat()).isFile()) throw new Error('It is not a regular file.');
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const readingByPromises = await medianOf(2000, (round) => readByPromises(skillAt(round).directory));
const activating = await medianOf(2000, (round) => activateSkill(skillAt(round)));

const shared = cacheSource(fileSource(root), { maxAge: 3_600_000 });
const own = { 'own/SKILL.md': '---\nname: own\ndescription: Knows what only this tenant does.\n---\n' };
const load = () => loadCatalog([memorySource(own), shared]);
const tenants = [await load()];
// The memory apart from the time, because collecting all garbage before a load makes it slower.
const times: number[] = [];
for (let round = 0; round < 5; round += 1) {
  const [time, tenant] = await timed(load);
  tenants.push(tenant);
  times.push(time);
}
const memory: number[] = [];
for (let round = 0; round < 5; round += 1) {
  const before = await memoryInUse();
  tenants.push(await load());
  memory.push((await memoryInUse()) - before);
}
const steps: Steps = {
  skills: catalog.skills.length,
  tenant: median(times),
  tenantRetained: median(memory),
  first,
  whole,
  cut,
  activating,
  readingByPromises,
};
process.stdout.write(JSON.stringify(steps));
