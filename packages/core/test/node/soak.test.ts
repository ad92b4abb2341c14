import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { fileSource, loadSettings, setSkillEnabled, writeSkill } from '../../src/node/index.ts';
import { settingsPath } from '../../src/node/manage/settings.ts';
import { startProgram } from './process.ts';
import { createRandom } from './random.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** Rounds of four processes with 40 operations each, half of which are killed; `SKILLFUL_SOAK=100` for the long run. */
const rounds = Number(process.env.SKILLFUL_SOAK ?? 3);
const seed = Number(process.env.SKILLFUL_SEED ?? 1);

/** What one process reported of its own names: `there`, `gone`, or `unsure` if it was killed at work. */
type Claims = Map<string, 'there' | 'gone' | 'unsure'>;

function readClaims(output: string, own: string): Claims {
  const claims: Claims = new Map();
  for (const line of output.split('\n').slice(0, -1)) {
    const [word, kind, name = '', state] = line.split(' ');
    if (!name.startsWith(own) && !name.startsWith(`user:${own}`)) continue;
    if (word === 'begin') claims.set(`${kind} ${name}`, 'unsure');
    else if (state === 'there' || state === 'gone') claims.set(`${kind} ${name}`, state);
  }
  return claims;
}

async function run(home: string, own: string, programSeed: number, killAfter: number | undefined): Promise<Claims> {
  const program = startProgram(new URL('./soak-program.ts', import.meta.url), home, own, `${programSeed}`, '40');
  let output = '';
  const ready = new Promise<void>((resolve) => {
    program.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready')) resolve();
    });
  });
  const close = once(program, 'close') as Promise<[number | null]>;
  if (killAfter !== undefined) {
    await Promise.race([ready, close]);
    await setTimeout(killAfter);
    program.kill('SIGKILL');
  }
  const [code] = await close;
  // Only the kill may end a process early.
  expect(code).toBeOneOf(killAfter === undefined ? [0] : [0, null]);
  return readClaims(output, own);
}

const leftoversIn = (directory: string): readonly string[] =>
  readdirSync(directory).filter((name) => /^\..*\.(?:tmp|trash)$/.test(name));

it(`I10, I13, X13, L08: several processes that are killed at work leave whole skills and valid settings, seed ${seed}`, {
  timeout: 60_000 + rounds * 30_000,
}, async () => {
  const home = await makeTemporaryDirectory();
  const root = join(home, 'skills');
  const options = { home, environment: {} };
  const directory = join(settingsPath(options), '..');
  const random = createRandom(seed);
  const expected: Claims = new Map();
  let kills = 0;

  for (let round = 0; round < rounds; round += 1) {
    const processes = [0, 1, 2, 3].map((index) => {
      const killAfter = index < 2 ? random(250) : undefined;
      if (killAfter !== undefined) kills += 1;
      return run(home, `p${index}`, random(2 ** 31), killAfter);
    });
    for (const claims of await Promise.all(processes)) for (const [name, claim] of claims) expected.set(name, claim);

    for (const path of [settingsPath(options), `${settingsPath(options)}.backup`]) {
      if (existsSync(path)) expect(JSON.parse(readFileSync(path, 'utf8'))).toBeTypeOf('object');
    }
    await setSkillEnabled('user:after', round % 2 === 0, options);

    const settings = await loadSettings(options);
    const { skills, rejected, diagnostics } = await loadCatalog([fileSource(root, { scope: 'user' })]);
    expect([settings.diagnostics, rejected, diagnostics]).toEqual([[], [], []]);
    for (const skill of skills) {
      const text = new TextDecoder().decode(await skill.source.readFile(skill, 'SKILL.md'));
      expect([skill.name, text.endsWith(`${'x'.repeat(20_000)}end\n`)]).toEqual([skill.name, true]);
    }
    const names = new Set(skills.map(({ name }) => name));
    for (const [claimed, claim] of expected) {
      const [kind, name = ''] = claimed.split(' ');
      const isThere = kind === 'skill' ? names.has(name) : settings.isEnabled(name);
      if (claim !== 'unsure') expect([claimed, isThere ? 'there' : 'gone']).toEqual([claimed, claim]);
    }
    // A killed process leaves at most the one file that it was writing.
    expect(leftoversIn(root).length + leftoversIn(directory).length).toBeLessThanOrEqual(kills);
    expect(readdirSync(directory).filter((name) => name.includes('.lock'))).toEqual([]);
  }

  for (const place of [root, directory]) for (const name of leftoversIn(place)) utimesSync(join(place, name), 0, 0);
  await writeSkill(root, { name: 'last', description: 'd' });
  await setSkillEnabled('user:last', false, options);
  expect([leftoversIn(root), leftoversIn(directory)]).toEqual([[], []]);
});
