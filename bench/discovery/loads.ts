// Puts single heavy loads on the core and prints what they took; `main.ts` starts it, in plain JavaScript.

import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Times in milliseconds, memory in bytes. */
export interface Loads {
  readonly sparse: { readonly loading: number; readonly grown: number; readonly skills: number };
  readonly crowded: {
    readonly files: number;
    readonly loading: number;
    readonly listing: number;
    readonly held: number;
    readonly listed: number;
    readonly truncated: boolean;
  };
  readonly activations: {
    readonly count: number;
    readonly time: number;
    readonly errors: number;
    readonly descriptorsLeft: number;
  };
  readonly catalog: {
    readonly skills: number;
    readonly planning: number;
    readonly rendering: number;
    readonly characters: number;
  };
}

const { activateSkill, loadCatalog, planCatalog, renderCatalog } = await import('./core/index.js');
const { fileSource } = await import('./core/node/index.js');
const [root = '', base = ''] = process.argv.slice(2);
const now = (): number => performance.now();

function writeSkill(directory: string, name: string): string {
  const path = join(directory, name, 'SKILL.md');
  mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(path, `---\nname: ${name}\ndescription: Stands under a heavy load.\n---\n\nDo it.\n`);
  return path;
}

async function loadSparse(): Promise<Loads['sparse']> {
  const directory = join(base, 'sparse', 'skills');
  writeSkill(directory, 'small');
  truncateSync(writeSkill(directory, 'huge'), 2 ** 30);
  const before = process.memoryUsage().rss;
  const start = now();
  const { skills } = await loadCatalog([fileSource(directory)]);
  const loading = now() - start;
  return { loading, grown: process.memoryUsage().rss - before, skills: skills.length };
}

async function loadCrowded(): Promise<Loads['crowded']> {
  const directory = join(base, 'crowded', 'skills');
  writeSkill(directory, 'crowded');
  const files = 120_000;
  for (let index = 0; index < files; index += 1) writeFileSync(join(directory, 'crowded', `file-${index}.md`), '');
  const start = now();
  const { skills } = await loadCatalog([fileSource(directory)]);
  const loading = now() - start;
  let [held, last] = [0, now()];
  const timer = setInterval(() => {
    held = Math.max(held, now() - last - 1);
    last = now();
  }, 1);
  const begin = now();
  const skill = skills[0];
  const listing = skill === undefined ? undefined : await skill.source.listFiles(skill);
  const time = now() - begin;
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  rmSync(join(base, 'crowded'), { recursive: true });
  return {
    files,
    loading,
    listing: time,
    held,
    listed: listing?.files.length ?? 0,
    truncated: listing?.truncated ?? false,
  };
}

function openDescriptors(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
}

const sparse = await loadSparse();
const crowded = await loadCrowded();

const catalog = await loadCatalog([fileSource(root)]);
let start = now();
const plan = planCatalog(catalog, { budget: { tokens: 8000 } });
const planning = now() - start;
start = now();
const text = renderCatalog(plan);
const rendering = now() - start;

const count = 10_000;
const before = openDescriptors();
start = now();
const results = await Promise.allSettled(catalog.skills.slice(0, count).map((skill) => activateSkill(skill)));
const time = now() - start;
const errors = results.filter(({ status }) => status === 'rejected').length;
const activations = { count: results.length, time, errors, descriptorsLeft: openDescriptors() - before };

const loads: Loads = {
  sparse,
  crowded,
  activations,
  catalog: { skills: catalog.skills.length, planning, rendering, characters: text.length },
};
process.stdout.write(JSON.stringify(loads));
