// Proves that the runbook for the first release reserves every package that is new, and trusts the workflow that there is.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readDocument } from './documents.ts';
import { run } from './run.ts';
import { temporaryDirectory } from './temporary.ts';
import { publishedPackages, root } from './workspace.ts';

const script = /```sh\n(.*?)```/su.exec(readDocument('docs/releasing.md'))?.[1] ?? '';

/** An npm that knows one package, and writes down what it is asked to publish and to trust. */
const npm = (log: string, known: string): string => `#!/bin/sh
if [ "$1" = view ]; then [ "$2" = "${known}" ]; exit; fi
if [ "$1" = publish ]; then echo "publish $(node -p "const p = require('$2/package.json'); p.name + '@' + p.version") $3 $4 $5 $6" >> '${log}'
else echo "$@" >> '${log}'; fi
`;

it('the runbook reserves what npm does not know, and trusts the release workflow', async () => {
  const programs = temporaryDirectory();
  const log = join(programs, 'log');
  const names = publishedPackages.map(({ manifest }) => manifest.name);
  const [known = '', ...others] = names;
  writeFileSync(join(programs, 'npm'), npm(log, known));
  chmodSync(join(programs, 'npm'), 0o755);
  const { code, stderr } = await run('env', [`PATH=${programs}:${process.env['PATH']}`, 'bash', '-euc', script], root);
  const told = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  expect({ code, stderr, told }).toEqual({
    code: 0,
    stderr: '',
    told: others.flatMap((name) => [
      `publish ${name}@0.0.0-reserved --access public --tag reserved`,
      `trust github ${name} --file release.yml --repo skillful/skillful --env npm --allow-publish --yes`,
    ]),
  });
  const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
    readonly jobs: { readonly release: { readonly environment: string } };
  };
  expect(workflow.jobs.release.environment).toBe('npm');
});
