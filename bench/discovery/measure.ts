// Runs one loader once in a process of its own and prints what that took; `main.ts` starts it, in plain JavaScript.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What one run of one loader took; times in milliseconds, memory in bytes. */
export interface Measurement {
  /** Skills that the loader answered with. */
  readonly skills: number;
  readonly importing: number;
  readonly loading: number;
  /** Time of all processor cores, which other programs disturb less than the clock. */
  readonly processor: number;
  /** The longest time that the event loop was held. */
  readonly held: number;
  readonly peak: number;
  /** What the answer holds after garbage collection. */
  readonly retained: number;
  /** Loading again with nothing changed, where the loader can. */
  readonly reloading?: number;
}

/** What a loader gives: how many skills, the answer itself, and how to ask again. */
interface Answer {
  readonly skills: number;
  readonly kept: unknown;
  reload?(): Promise<unknown>;
}

/** Imports what a loader needs and gives the way to ask it. */
type Loader = () => Promise<(root: string) => Promise<Answer> | Answer>;

const loaders: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  [
    'raw',
    async () => (root) => {
      const files = readdirSync(root).map((name) => readFileSync(join(root, name, 'SKILL.md')).length);
      return { skills: files.length, kept: undefined };
    },
  ],
  [
    'stat',
    async () => (root) => {
      const sizes = readdirSync(root).map((name) => statSync(join(root, name, 'SKILL.md')).size);
      return { skills: sizes.length, kept: undefined };
    },
  ],
  [
    'skillful',
    async () => {
      const { loadCatalog } = await import('./core/index.js');
      const { fileSource } = await import('./core/node/index.js');
      return async (root) => {
        const sources = [fileSource(root)];
        const previous = await loadCatalog(sources);
        const reload = (): Promise<unknown> => loadCatalog(sources, { previous });
        return { skills: previous.skills.length, kept: previous, reload };
      };
    },
  ],
  [
    '@mastra/core',
    async () => {
      const { LocalFilesystem, Workspace } = await import('@mastra/core/workspace');
      return async (root) => {
        const filesystem = new LocalFilesystem({ basePath: root, readOnly: true });
        const workspace = new Workspace({ filesystem, skills: ['.'] });
        const skills = await workspace.skills?.list();
        return { skills: skills?.length ?? 0, kept: [workspace, skills] };
      };
    },
  ],
  [
    'deepagents',
    async () => {
      const { listSkills } = await import('deepagents');
      return (root) => {
        const skills = listSkills({ projectSkillsDir: root });
        return { skills: skills.length, kept: skills };
      };
    },
  ],
  [
    'bash-tool',
    async () => {
      const { experimental_createSkillTool: createSkillTool } = await import('bash-tool');
      return async (root) => {
        const toolkit = await createSkillTool({ skillsDirectory: root });
        return { skills: toolkit.skills.length, kept: toolkit };
      };
    },
  ],
  [
    'skills-ref',
    async () => {
      const { readProperties } = await import('skills-ref');
      return async (root) => {
        const skills: unknown[] = [];
        for (const name of readdirSync(root)) skills.push(await readProperties(join(root, name)));
        return { skills: skills.length, kept: skills };
      };
    },
  ],
  [
    '@skillkit/core',
    async () => {
      const { discoverSkills } = await import('@skillkit/core');
      return (root) => {
        const skills = discoverSkills(root);
        return { skills: skills.length, kept: skills };
      };
    },
  ],
]);

/** Watches how long the loop is held, by a timer of a millisecond that should never come late. */
function watchLoop(): () => Promise<number> {
  let [longest, last] = [0, performance.now()];
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  };
  const timer = setInterval(tick, 1);
  return async () => {
    // What was held to the very end is seen by the next tick only.
    await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(timer);
    return longest;
  };
}

/** Bytes that are held. Code that was needed only to start goes after several collections, so they come first. */
async function heap(): Promise<number> {
  for (let round = 0; round < 10; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function timed<Result>(work: () => Result): Promise<[milliseconds: number, Awaited<Result>]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

const [name = '', root = ''] = process.argv.slice(2);
const loader = loaders.get(name);
if (loader === undefined) throw new Error(`There is no loader \`${name}\`.`);

// Some loaders print a line for every file that they skip.
for (const method of ['log', 'warn', 'error'] as const) console[method] = () => {};
const [importing, load] = await timed(loader);
const before = await heap();
const used = process.cpuUsage();
const endWatch = watchLoop();
// A turn between the start of the timer and the load, so that the first gap is the load's.
await new Promise((resolve) => setTimeout(resolve, 3));
const [loading, answer] = await timed(() => load(root));
const { user, system } = process.cpuUsage(used);
const peak = process.resourceUsage().maxRSS * 1024;
const held = await endWatch();
const reloading = answer.reload === undefined ? undefined : (await timed(answer.reload))[0];
const retained = (await heap()) - before;
const measurement: Measurement = {
  skills: answer.skills,
  importing,
  loading,
  processor: (user + system) / 1000,
  held,
  peak,
  retained: answer.kept === undefined ? 0 : retained,
  ...(reloading === undefined ? {} : { reloading }),
};
process.stdout.write(JSON.stringify(measurement));
