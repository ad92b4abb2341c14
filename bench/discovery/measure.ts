// Runs one loader once over one root and prints what that cost; in a process of its own, as plain JavaScript.

import { loaders } from './loaders.ts';
import { memoryInUse, peakMemory, timed, watchLoop } from './probes.ts';

/** The cost of one run of one loader: times in milliseconds, memory in bytes. */
export interface Measurement {
  /** Names of the directories whose skill was read. */
  readonly directories: readonly string[];
  readonly importing: number;
  readonly loading: number;
  /** Time of all processor cores; other programs disturb it less than the clock. */
  readonly processor: number;
  /** The longest time that the event loop was blocked. */
  readonly blocked: number;
  readonly peak: number;
  /** Memory that the answer retains. */
  readonly retained: number;
  /** Loading again after nothing changed. */
  readonly reloading?: number;
}

const [name = '', root = ''] = process.argv.slice(2);
const loader = loaders.get(name);
if (loader === undefined) throw new Error(`There is no loader \`${name}\`.`);

// Some loaders print a line for every file that they skip.
for (const method of ['log', 'warn', 'error'] as const) console[method] = () => {};
const [importing, load] = await timed(loader);
const before = await memoryInUse();
const stopWatch = await watchLoop();
const used = process.cpuUsage();
const [loading, answer] = await timed(() => load(root));
const { user, system } = process.cpuUsage(used);
const peak = peakMemory();
const blocked = await stopWatch();
const retained = answer.kept === undefined ? 0 : (await memoryInUse()) - before;
const reloading = answer.reload === undefined ? undefined : (await timed(answer.reload))[0];
const measurement: Measurement = {
  directories: answer.directories(),
  importing,
  loading,
  processor: (user + system) / 1000,
  blocked,
  peak,
  retained,
  ...(reloading === undefined ? {} : { reloading }),
};
process.stdout.write(JSON.stringify(measurement));
