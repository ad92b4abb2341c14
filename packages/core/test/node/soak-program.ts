// Creates, removes, switches, loads and watches skills at random, beside other processes that do the same.
// It reports each change of its own before and after, so that the process that kills it knows what must be on the disk.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Catalog, loadCatalog } from '../../src/catalog/catalog.ts';
import { resolveSkill } from '../../src/catalog/resolve.ts';
import { watchCatalog } from '../../src/catalog/watch.ts';
import { replaceFile } from '../../src/node/disk/write.ts';
import { fileSource, loadSettings, removeSkill, setSkillEnabled, writeSkill } from '../../src/node/index.ts';
import { isSkillError } from '../../src/skill/error.ts';
import { createRandom } from './random.ts';

const [, , home = '', own = '', seed = '0', count = '0'] = process.argv;
const root = join(home, 'skills');
const options = { home, environment: {}, lockTimeout: 60_000 };
const sources = [fileSource(root, { scope: 'user' })];
const random = createRandom(Number(seed));
const say = (...words: readonly string[]): void => void process.stdout.write(`${words.join(' ')}\n`);
let catalog: Catalog = await loadCatalog(sources);

/** A name that only this process uses, or one that all of them fight for. */
const anyName = (): string => (random(2) === 0 ? `${own}-${random(4)}` : `shared-${random(4)}`);

/** Does something that other processes may have made impossible; accepts only the codes that say so. */
async function attempt(work: () => Promise<unknown>, ...codes: readonly string[]): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isSkillError(error) || !codes.includes(error.code)) throw error;
  }
}

async function create(): Promise<void> {
  const name = anyName();
  say('begin', 'skill', name);
  const draft = { name, description: `By ${own}.`, instructions: `${'x'.repeat(20_000)}end` };
  await attempt(() => writeSkill(root, draft), 'skill-exists');
  say('done', 'skill', name, 'there');
}

async function remove(): Promise<void> {
  catalog = await loadCatalog(sources, { previous: catalog });
  const resolution = resolveSkill(catalog, anyName());
  if (resolution.kind !== 'found') return;
  const { skill } = resolution;
  say('begin', 'skill', skill.name);
  await attempt(() => removeSkill(skill), 'skill-unknown');
  say('done', 'skill', skill.name, 'gone');
}

async function toggle(): Promise<void> {
  const id = `user:${own}-${random(4)}`;
  const enabled = random(2) === 0;
  say('begin', 'setting', id);
  await setSkillEnabled(id, enabled, options);
  say('done', 'setting', id, enabled ? 'there' : 'gone');
}

async function reload(): Promise<void> {
  catalog = await loadCatalog(sources, { previous: random(2) === 0 ? catalog : undefined });
  for (const skill of catalog.skills) {
    await attempt(
      async () => {
        const text = new TextDecoder().decode(await skill.source.readFile(skill, 'SKILL.md'));
        if (!text.endsWith('end\n')) throw new Error(`Half a skill: ${skill.location}`);
      },
      'resource-unknown',
      'resource-unreadable',
      'skill-unknown',
    );
  }
  const wrong = [...catalog.rejected, ...(await loadSettings(options)).diagnostics];
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
}

async function watch(): Promise<void> {
  const watching = await watchCatalog(sources, { interval: 5, onChange: () => {} });
  await setTimeout(random(30));
  await watching.check();
  watching.close();
}

const openDescriptors = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
const actions = [
  create,
  create,
  remove,
  toggle,
  toggle,
  reload,
  watch,
  () => replaceFile(join(root, 'README.md'), 'About skills.'),
];

await reload();
say('ready');
const before = openDescriptors();
for (let n = 0; n < Number(count); n += 1) await actions[random(actions.length)]?.();
if (openDescriptors() !== before) throw new Error(`${openDescriptors() - before} descriptors were left open.`);
