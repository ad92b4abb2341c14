// What `@skillful/core/node` does with files and processes that Bun and Deno could handle differently from Node.

import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalog, loadScriptPlan, readSkillResource, type ScriptPlan, watchCatalog } from '@skillful/core';
import {
  bubblewrapRunner,
  containment,
  fileSource,
  loadSettings,
  ownSkillsDirectory,
  processRunner,
  removeSkill,
  setProjectTrusted,
  writeSkill,
} from '@skillful/core/node';

const [directory = ''] = process.argv.slice(2);
const root = join(directory, 'skills');
writeFileSync(join(directory, 'secret.md'), 'secret');
writeFiles('guide', { 'SKILL.md': '---\nname: guide\ndescription: Guides.\n---\nGo.\n', 'way.md': 'This way.' });
writeFiles('guide/scripts', { 'go.sh': 'echo "$1"; exit 3', 'wait.sh': 'echo waiting; sleep 60' });
writeFiles('guide/scripts', { 'tell.mjs': 'console.log(process.argv[2]);' });
symlinkSync(join(directory, 'secret.md'), join(root, 'guide/link.md'));
execFileSync('mkfifo', [join(root, 'guide/pipe.md')]);
writeFiles('broken', { 'SKILL.md': 'No frontmatter.' });
writeFiles('outside', {});
symlinkSync(join(directory, 'secret.md'), join(root, 'outside/SKILL.md'));

const sources = [fileSource(root)];
const { skills, diagnostics } = await loadCatalog(sources);
const [guide] = skills;
if (guide === undefined) throw new Error('The skill was not found.');

/** Reads a file of the skill, or says why that failed. */
const read = (path: string) => readSkillResource(guide, path).then(({ text = '' }) => text, String);

const reads: string[] = [];
for (const path of ['way.md', 'link.md', 'pipe.md', '../broken/SKILL.md', 'no.md']) reads.push(await read(path));

const runs: unknown[] = [];
for (const [path, timeout] of [
  ['scripts/go.sh', 10_000],
  ['scripts/tell.mjs', 10_000],
  ['scripts/wait.sh', 1000],
] as const) {
  const plan = await loadScriptPlan(guide, { path, arguments: ['a b'] });
  for (const createRunner of [processRunner, bubblewrapRunner]) runs.push(await run(createRunner, plan, timeout));
}

const names: (readonly string[])[] = [];
const watch = await watchCatalog(sources, {
  interval: Number.POSITIVE_INFINITY,
  onChange: (catalog) => void names.push(catalog.skills.map(({ name }) => name)),
});
writeFiles('new', { 'SKILL.md': '---\nname: new\ndescription: Is new.\n---\n' });
await watch.check();
watch.close();

const options = { name: 'runtimes', home: join(directory, 'home'), environment: {} };
const projects = Array.from({ length: 20 }, (_, index) => join(directory, `project-${index}`));
await Promise.all(projects.map((project) => setProjectTrusted(project, true, options)));
const { trustedProjects } = await loadSettings(options);
const own = ownSkillsDirectory('user', options);
const { location } = await writeSkill(own, { name: 'own', description: 'Is written and removed.' });
for (const skill of (await loadCatalog([fileSource(own, { scope: 'user' })])).skills) await removeSkill(skill);
const left = await loadCatalog([fileSource(own)]);

renameSync(join(root, 'guide'), join(root, 'moved'));
writeFiles('guide', { 'way.md': 'Another way.' });
const replaced = await read('way.md');

const problems = diagnostics.map(({ code, message }) => [code, message]);
const written = [location, left.skills.length, trustedProjects.length];
const told = { containment: containment(), problems, reads, runs, names, written, replaced };
process.stdout.write(JSON.stringify(told).replaceAll(directory, ''));

function writeFiles(below: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(root, below), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, below, path), text);
}

/** Runs a script, or says why that failed, such as without `bwrap`. */
async function run(createRunner: typeof processRunner, plan: ScriptPlan, timeout: number): Promise<unknown> {
  try {
    return await createRunner({ timeout }).run(plan);
  } catch (error) {
    return String(error);
  }
}
