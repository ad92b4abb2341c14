// Runs the validators on npm over every file of the corpus and writes their verdicts down for docs/conformance.md.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
import { parseSkill } from '@skill-tools/core';
import { validate } from 'skills-ref';
import { readFormatCorpus } from '../../packages/testing/src/format-corpus.ts';
import { installedVersion } from '../peers.ts';

interface Validator {
  readonly name: string;
  readonly call: string;
  /** Whether it accepts the skill; it may also throw. */
  readonly accepts: (root: string, directory: string) => Promise<boolean>;
}

const validators: readonly Validator[] = [
  {
    name: 'skills-ref',
    call: 'validate(directory)',
    accepts: async (root, directory) => (await validate(join(root, directory))).length === 0,
  },
  {
    name: '@mastra/core',
    call: 'new Workspace({ filesystem, skills }).skills.list()',
    accepts: async (root) => {
      const filesystem = new LocalFilesystem({ basePath: root, readOnly: true });
      const skills = await new Workspace({ filesystem, skills: ['.'] }).skills?.list();
      return skills?.length === 1;
    },
  },
  {
    name: '@skill-tools/core',
    call: 'parseSkill(path)',
    accepts: async (root, directory) => {
      const { ok, diagnostics } = await parseSkill(join(root, directory, 'SKILL.md'));
      return ok && diagnostics.every(({ severity }) => severity !== 'error');
    },
  },
];

// Some of them print what they skip.
const print = console.log;
for (const method of ['log', 'warn', 'error'] as const) console[method] = () => {};

const { cases } = await readFormatCorpus();
const verdicts: Record<string, Record<string, string>> = {};
for (const { id, directory, bytes } of cases) {
  const root = mkdtempSync(join(tmpdir(), 'skillful-conformance-'));
  const path = join(root, directory, 'SKILL.md');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const answers = validators.map(async ({ name, accepts }) => {
    const verdict = await accepts(root, directory).then(
      (accepted) => (accepted ? 'accepts' : 'refuses'),
      () => 'crash',
    );
    return [name, verdict] as const;
  });
  verdicts[id] = Object.fromEntries(await Promise.all(answers));
  rmSync(root, { recursive: true, force: true });
}
const about = validators.map(
  ({ name, call }) => [name, { version: installedVersion(import.meta.dirname, name), call }] as const,
);
const found = { validators: Object.fromEntries(about), verdicts };
writeFileSync(join(import.meta.dirname, 'verdicts.json'), `${JSON.stringify(found, undefined, 2)}\n`);
print('Wrote verdicts.json. Run `npx -y pnpm@12 exec node scripts/conformance.ts` to update docs/conformance.md.');
