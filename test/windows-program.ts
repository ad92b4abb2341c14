// What `@skillful/core/node` does on Windows, where paths have backslashes, and letter case does not count.

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { activateSkill, createToolkit, loadCatalog, loadScriptPlan, type Skill, watchCatalog } from '@skillful/core';
import {
  fileSource,
  loadSettings,
  localEnvironment,
  processRunner,
  removeSkill,
  setProjectTrusted,
  writeSkill,
} from '@skillful/core/node';

const top = realpathSync.native(mkdtempSync(join(tmpdir(), 'skillful-')));
const root = join(top, 'skills');
const guide = join(root, 'guide');
writeFiles('guide', { 'SKILL.md': '---\r\nname: guide\r\ndescription: Guides.\r\n---\r\nRead {baseDir}/refs/way.md.' });
writeFiles('guide/refs', { 'way.md': 'This way.' });
writeFiles('guide/scripts', {
  'tell.mjs': "import os from 'node:os'; console.log(JSON.stringify([os.homedir(), os.tmpdir()]));",
});
writeFiles('', { 'secret.md': 'secret', '../tool.exe': '' });

const sources = [fileSource(root, { scope: 'user' })];
const catalog = await loadCatalog(sources);
const codes = catalog.diagnostics.map(({ code }) => code);
const [skill] = catalog.skills as [Skill];
const { text } = await activateSkill(skill);
const instructions = text.split('\n').find((line) => line.startsWith('Read '));

const read = createToolkit(catalog).tools.find(({ name }) => name === 'read_skill_resource');
const reads: Record<string, string> = {};
for (const path of [
  ...['refs/way.md', 'refs\\way.md', `${guide}\\refs\\way.md`, `${guide.replaceAll('\\', '/')}/REFS/way.md`],
  ...['../secret.md', `${guide}\\..\\secret.md`, 'refs/way.md:stream', 'refs/way.md.', 'refs/con'],
]) {
  const { text } = (await read?.execute({ skill: 'guide', path })) ?? {};
  reads[path] = text?.includes('This way.') ? 'read' : 'refused';
}

const plan = await loadScriptPlan(skill, { path: 'scripts/tell.mjs', arguments: [] });
const { output } = await processRunner().run(plan);
const places: readonly string[] = JSON.parse(output);
const hasOwnHome = places.every((place) => place.startsWith(`${tmpdir()}\\skillful-`));
const environment = localEnvironment({ environment: { Path: top } });

const names: (readonly string[])[] = [];
const watch = await watchCatalog(sources, {
  interval: Number.POSITIVE_INFINITY,
  onChange: (changed) => void names.push(changed.skills.map(({ name }) => name)),
});
mkdirSync(join(root, 'own'));
const draft = { name: 'own', description: 'Is written and removed.' };
await writeSkill(root.toUpperCase(), draft, { within: top.toLowerCase() });
await watch.check();
watch.close();
const own = (await loadCatalog(sources)).skills.find(({ name }) => name === 'own') as Skill;
await removeSkill(own);
const missing = await writeSkill('Q:\\skills', draft, { within: 'Q:\\' }).catch(String);

const options = { name: 'windows', home: join(top, 'home'), environment: {} };
await Promise.all([root, guide].map((project) => setProjectTrusted(project.toUpperCase(), true, options)));
const { trustedProjects } = await loadSettings(options);

const told = {
  codes,
  instructions,
  reads,
  hasOwnHome,
  hasProgram: environment.hasProgram?.('tool'),
  names,
  left: readdirSync(root),
  missing,
  trustedProjects,
};
const spellings = [top.replaceAll('\\', '\\\\'), top.replaceAll('\\', '/')];
process.stdout.write(spellings.reduce((text, spelling) => text.replaceAll(spelling, '…'), JSON.stringify(told)));

function writeFiles(below: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(root, below), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, below, path), content);
}
