// A catalog without skills says where it looked, because an agent without skills looks healthy.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { clientPreset, fileSource, packageSources, pluginSource } from '../../src/node/index.ts';
import type { SkillSource } from '../../src/skill/source.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { memorySource } from '../../src/sources/memory.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../node/temporary-directory.ts';

async function report(...sources: readonly SkillSource[]): Promise<readonly string[]> {
  const { diagnostics } = await loadCatalog(sources);
  return diagnostics.map(({ code, severity, source, message }) => `${severity} ${code} ${source}: ${message}`);
}

it('names the directory of a source that exists and has no skills', async () => {
  const root = await makeTemporaryDirectory();
  const { diagnostics } = await loadCatalog([fileSource(root)]);
  expect(diagnostics).toEqual([
    {
      code: 'skills-not-found',
      severity: 'warning',
      message: `No skills were found in \`${root}\`.`,
      hint: 'Put a directory with a `SKILL.md` into one of these, or name another place. After a deployment: ship the skills with it.',
      source: 'project',
      location: root,
    },
  ]);
});

it('names a missing directory and every other source, through layers, too', async () => {
  const root = join(await makeTemporaryDirectory(), 'skills');
  const layered = cacheSource(filterSource(fileSource(root), () => true));
  expect(await report(layered, memorySource({}, { id: 'generated' }))).toEqual([
    'info root-missing project: The directory does not exist.',
    `warning skills-not-found project: No skills were found in \`${root}\`, \`generated\`.`,
  ]);
});

it('is about a directory, even if a source in memory has a higher precedence', async () => {
  const root = await makeTemporaryDirectory();
  const { diagnostics } = await loadCatalog([memorySource({}, { id: 'generated' }), fileSource(root)]);
  expect(diagnostics.map(({ source, location }) => [source, location])).toEqual([['project', root]]);
});

it('names the directory of plugins, and that of a package', async () => {
  const top = await makeTemporaryDirectory();
  await writeTree(top, {
    'package.json': '{ "dependencies": { "lint": "1.0.0" } }',
    'node_modules/lint/package.json': '{ "version": "1.0.0" }',
    'node_modules/lint/skills/README.md': 'No skill yet.',
  });
  const plugins = join(top, 'plugins');
  const skills = join(top, 'node_modules/lint/skills');
  expect(await report(pluginSource(plugins), ...(await packageSources({ cwd: top })))).toEqual([
    `warning skills-not-found plugin: No skills were found in \`${plugins}\`, \`${skills}\`.`,
  ]);
});

it('names where packages were searched if none has skills, such as in another working directory', async () => {
  const top = await makeTemporaryDirectory();
  const at = async (cwd: string) => report(...(await packageSources({ cwd })));
  const message = (directory: string) =>
    `warning skills-not-found packages: No skills were found in \`${join(directory, 'node_modules')}\`.`;
  expect(await at(top)).toEqual([message(top)]);
  await writeTree(top, {
    'package.json': '{ "dependencies": { "lint": "1.0.0" } }',
    'src/index.js': '',
    '.git/HEAD': '',
  });
  expect(await at(join(top, 'src'))).toEqual([message(top)]);
});

it('names every directory that a preset looked for, whether it exists or not', async () => {
  const top = await makeTemporaryDirectory();
  await mkdir(join(top, 'work'), { recursive: true });
  const options = { cwd: join(top, 'work'), environment: { HOME: join(top, 'home') }, trusted: true };
  const places = [join(top, 'work/.agents/skills'), join(top, 'home/.agents/skills')];
  const message = (...found: readonly string[]) =>
    `No skills were found in ${found.map((each) => `\`${each}\``).join(', ')}.`;
  expect(await report(...(await clientPreset('agents', options)))).toEqual([
    `warning skills-not-found agents: ${message(...places)}`,
  ]);
  expect((await loadCatalog(await clientPreset('agents', options))).diagnostics[0]?.location).toBe(places[0]);
  await mkdir(join(top, 'home/.agents/skills'), { recursive: true });
  expect(await report(...(await clientPreset('agents', options)))).toEqual([
    `warning skills-not-found user:~/.agents/skills: ${message(...places)}`,
  ]);
  await writeTree(join(top, 'home/.agents/skills'), { 'a/SKILL.md': skillText('a') });
  expect(await report(...(await clientPreset('agents', options)))).toEqual([]);
});

it('adds nothing if there is a skill, a broken skill, a problem that explains it, or no source', async () => {
  const top = await makeTemporaryDirectory();
  await writeTree(top, { 'good/a/SKILL.md': skillText('a'), 'bad/b/SKILL.md': 'No frontmatter.' });
  const codes = async (...sources: readonly SkillSource[]) =>
    (await loadCatalog(sources)).diagnostics.map(({ code }) => code);
  expect(await codes(fileSource(join(top, 'good')), memorySource({}))).toEqual([]);
  expect(await codes(fileSource(join(top, 'bad')))).not.toContain('skills-not-found');
  expect(await codes(fileSource(join(top, 'good'), { trusted: false }))).toEqual(['source-untrusted']);
  expect(await codes()).toEqual([]);
});

it('says it once more when the catalog is loaded again, and not once there is a skill', async () => {
  const root = await makeTemporaryDirectory();
  const empty = await loadCatalog([fileSource(root)]);
  const again = await loadCatalog([fileSource(root)], { previous: empty });
  expect(again).toBe(empty);
  await writeTree(root, { 'a/SKILL.md': skillText('a') });
  expect((await loadCatalog([fileSource(root)], { previous: again })).diagnostics).toEqual([]);
});
