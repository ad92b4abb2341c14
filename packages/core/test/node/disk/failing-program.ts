// Repeats one action, and each time the next call that changes the disk fails; writes the results.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [, , base = '', action = '', ...errnos] = process.argv;
const real = { ...fs };
let calls = Number.POSITIVE_INFINITY;
let failing: string | undefined;
let errno = '';

/** Wraps a call so that it can fail once. Afterwards the disk works again, as when space is freed. */
function guard<Input extends readonly unknown[], Output>(name: string, call: (...input: Input) => Output) {
  return (...input: Input): Output => {
    calls -= 1;
    if (calls === 0) {
      failing = name;
      throw Object.assign(new Error(`${errno}: injected, '/host/path'`), { code: errno });
    }
    return call(...input);
  };
}

const openGuarded = guard('open', real.openSync);
Object.assign(fs, {
  mkdirSync: guard('mkdir', real.mkdirSync),
  // Files are opened for reading with numeric flags; that changes nothing on the disk.
  openSync: (path: string, flags: string | number, mode?: number) =>
    typeof flags === 'number' ? real.openSync(path, flags, mode) : openGuarded(path, flags, mode),
  writeSync: guard('write', real.writeSync),
  fsyncSync: guard('sync', real.fsyncSync),
  renameSync: guard('rename', real.renameSync),
  unlinkSync: guard('unlink', real.unlinkSync),
  rmSync: guard('rm', real.rmSync),
});
syncBuiltinESMExports();

const { replaceFile } = await import('../../../src/node/disk/write.ts');
const { writeSkill } = await import('../../../src/node/manage/create-skill.ts');
const { removeSkill } = await import('../../../src/node/manage/remove-skill.ts');
const { loadSettings, setSkillEnabled } = await import('../../../src/node/manage/settings.ts');
const { fileSource } = await import('../../../src/node/discovery/file-source.ts');
const { loadCatalog } = await import('../../../src/catalog/catalog.ts');
const { isSkillError } = await import('../../../src/skill/error.ts');

const root = join(base, 'skills');
const options = { home: base, environment: {} };
const load = () => loadCatalog([fileSource(root, { scope: 'user' })]);
const create = (name: string) => writeSkill(root, { name, description: 'd', instructions: 'x'.repeat(5000) });

async function prepare(): Promise<() => Promise<unknown>> {
  real.rmSync(base, { recursive: true, force: true });
  real.mkdirSync(base);
  switch (action) {
    case 'create':
      return () => create('x');
    case 'file':
      return () => replaceFile(join(root, 'README.md'), 'About skills.');
    case 'remove': {
      await create('x');
      const [skill] = (await load()).skills;
      if (skill === undefined) throw new Error('The skill is missing.');
      return () => removeSkill(skill);
    }
    default:
      await setSkillEnabled('user:old', false, options);
      return () => setSkillEnabled('user:new', false, options);
  }
}

const reports: unknown[] = [];

/** Makes one call fail and reports the result; returns false if there are not that many calls. */
async function tryWithFailure(call: number): Promise<boolean> {
  const work = await prepare();
  failing = undefined;
  calls = call;
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  calls = Number.POSITIVE_INFINITY;
  if (failing === undefined) return false;
  const { skills, rejected } = await load();
  const { disabled, diagnostics } = await loadSettings(options);
  reports.push({
    failing,
    errno,
    error: isSkillError(error) ? `${error.code}: ${error.message}` : String(error ?? ''),
    skills: skills.map(({ name, bytes }) => `${name} ${bytes}`),
    disabled,
    problems: rejected.length + diagnostics.length,
    left: real.readdirSync(base, { recursive: true }).filter((path) => /\.(?:tmp|trash|lock)$/.test(String(path))),
    readme: real.existsSync(join(root, 'README.md')) ? real.readFileSync(join(root, 'README.md'), 'utf8').length : 0,
  });
  return true;
}

for (errno of errnos) for (let call = 1; await tryWithFailure(call); call += 1);
real.writeSync(1, JSON.stringify(reports));
