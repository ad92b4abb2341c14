// Measures the steps after discovery and prints what they took; `main.ts` starts it, in plain JavaScript.

import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Medians in microseconds. */
export interface Steps {
  readonly skills: number;
  /** A `SKILL.md` of a skill, read whole under the proof that it is in the skill. */
  readonly reading: number;
  /** The same by promises, as plain code would have it: the file is proven to be in the skill after it was opened. */
  readonly readingByPromises: number;
  readonly activating: number;
  /** Planning and writing the catalog of all skills, where it fits and where every description is cut. */
  readonly whole: number;
  readonly cut: number;
  /** The first plan of a process, which is slower than all others. */
  readonly first: number;
}

const { activateSkill, loadCatalog, planCatalog, renderCatalog } = await import('./core/index.js');
const { fileSource } = await import('./core/node/index.js');
const [root = ''] = process.argv.slice(2);
const source = fileSource(root);
const catalog = await loadCatalog([source]);

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
}

async function median(rounds: number, work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await time(() => work(round)));
  // The first half is for the compiler.
  return times.slice(rounds / 2).sort((a, b) => a - b)[Math.floor(rounds / 4)] ?? Number.NaN;
}

async function readByPromises(directory: string): Promise<Uint8Array> {
  const file = await open(await realpath(join(directory, 'SKILL.md')), constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await readlink(`/proc/self/fd/${file.fd}`);
    if (!opened.startsWith(`${directory}/`)) throw new Error('The file is not in the skill.');
    const status = await file.stat();
    if (!status.isFile()) throw new Error('It is no file.');
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const skillAt = (round: number) => catalog.skills[round % catalog.skills.length] ?? catalog.skills[0];
const write = (tokens: number) => renderCatalog(planCatalog(catalog, { budget: { tokens } }));

const first = await time(() => write(20_000));
const steps: Steps = {
  skills: catalog.skills.length,
  first,
  whole: await median(60, () => write(1_000_000)),
  cut: await median(60, () => write(20_000)),
  reading: await median(2000, (round) => {
    const skill = skillAt(round);
    return skill?.source.readFile(skill, 'SKILL.md', {});
  }),
  readingByPromises: await median(2000, (round) => {
    const skill = skillAt(round);
    return skill === undefined ? undefined : readByPromises(skill.directory);
  }),
  activating: await median(2000, (round) => {
    const skill = skillAt(round);
    return skill === undefined ? undefined : activateSkill(skill);
  }),
};
process.stdout.write(JSON.stringify(steps));
