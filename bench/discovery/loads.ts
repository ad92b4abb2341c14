// Puts one heavy load on the core and prints what it cost; in a process of its own, as plain JavaScript.

import { timed, watchLoop } from './probes.ts';

/** Thousands of activations that begin at once, with few files open at a time. Milliseconds. */
export interface Activations {
  readonly skills: number;
  readonly failed: number;
  readonly time: number;
  readonly blocked: number;
}

/** What one of several processes needed for each change of the same settings, in milliseconds. */
export type Switches = readonly number[];

const { activateSkill, loadCatalog } = await import('./core/index.js');
const { fileSource, setSkillEnabled } = await import('./core/node/index.js');

async function activateAll(root: string): Promise<Activations> {
  const { skills } = await loadCatalog([fileSource(root)]);
  const stopWatch = await watchLoop();
  const [time, results] = await timed(() => Promise.allSettled(skills.map((skill) => activateSkill(skill))));
  const failed = results.filter(({ status }) => status === 'rejected').length;
  return { skills: skills.length, failed, time, blocked: await stopWatch() };
}

async function switchOff(home: string, count: number): Promise<Switches> {
  const options = { home, environment: {}, lockTimeout: 60_000 };
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    times.push((await timed(() => setSkillEnabled(`user:s${process.pid}-${n}`, false, options)))[0]);
  }
  return times;
}

const [load = '', directory = '', count = ''] = process.argv.slice(2);
const result = load === 'activations' ? await activateAll(directory) : await switchOff(directory, Number(count));
process.stdout.write(JSON.stringify(result));
