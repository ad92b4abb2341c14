// Uses two copies of the library in one process, each with objects of the other, and writes the results.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Core from '../../../src/index.ts';
import type * as Node from '../../../src/node/index.ts';

const [, , firstPath = '', secondPath = '', root = ''] = process.argv;
const before = Reflect.ownKeys(globalThis).length;

async function load(path: string): Promise<{ readonly core: typeof Core; readonly node: typeof Node }> {
  const core = (await import(pathToFileURL(join(path, 'index.ts')).href)) as typeof Core;
  const node = (await import(pathToFileURL(join(path, 'node/index.ts')).href)) as typeof Node;
  return { core, node };
}

const one = await load(firstPath);
const two = await load(secondPath);
const source = two.core.renameSource(one.node.fileSource(root), (name) => `x-${name}`);
const first = await one.core.loadCatalog([source]);
const [skill] = first.skills;
if (skill === undefined) throw new Error('Nothing was found.');
const second = await two.core.loadCatalog([source], { previous: first });
const error: unknown = await one.node
  .fileSource(root)
  .readFile(skill, '../SKILL.md')
  .catch((reason: unknown) => reason);
const toolkits = [one, two].map(({ core }) => core.createToolkit(first));
const [mine, theirs] = await Promise.all(toolkits.map((toolkit) => toolkit.prepare([])));
const settings = { home: root, environment: {} };
await Promise.all(
  ['user:a', 'user:b', 'user:c', 'user:d'].map((id, n) =>
    (n % 2 === 0 ? one : two).node.setSkillEnabled(id, false, settings),
  ),
);

process.stdout.write(
  JSON.stringify({
    isSameClass: one.core.SkillError === two.core.SkillError,
    recognised: [one.core.isSkillError(error), two.core.isSkillError(error), two.core.isSkillError(new Error())],
    isSameCatalog: second === first,
    name: skill.name,
    body: (await two.core.activateSkill(skill)).body,
    saysTheSame: mine?.system === theirs?.system && mine?.system !== '',
    disabled: (await two.node.loadSettings(settings)).disabled,
    globals: Reflect.ownKeys(globalThis).length - before,
  }),
);
