// Proves that checks cannot pass by accident: what did not run counts as failed, and CI runs only pinned actions.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { temporaryDirectory } from './temporary.ts';
import { listFiles, root } from './workspace.ts';

describe('the last line of the checks', () => {
  const green = { numPassedTests: 3, numFailedTests: 0, testResults: [] };
  const broken = { ...green, testResults: [{ status: 'failed', assertionResults: [] }] };
  const red = {
    ...green,
    numFailedTests: 2,
    testResults: [{ status: 'failed', assertionResults: [{ status: 'failed' }] }],
  };

  it.each([
    ['counts the tests', green, [], '3 passed, 0 failed', 0],
    ['counts failed tests once, although their check is red, too', red, ['test'], '3 passed, 2 failed', 1],
    ['counts a test file that could not be loaded', broken, ['test'], '3 passed, 1 failed', 1],
    ['counts every other red check', red, ['test', 'lint', 'knip'], '3 passed, 4 failed', 1],
    ['counts tests that never ran as one failure', undefined, ['test'], '0 passed, 1 failed', 1],
  ])('%s', async (_, report, gates, line, code) => {
    const file = join(temporaryDirectory(), 'report.json');
    if (report !== undefined) writeFileSync(file, JSON.stringify(report));
    const finished = await run(process.execPath, [join(root, 'scripts/count-tests.mjs'), file, ...gates], root);
    expect({ code: finished.code, stdout: finished.stdout }).toEqual({ code, stdout: `${line}\n` });
  });
});

describe('workflows', () => {
  it.each(listFiles('.github/workflows/*.yml'))(
    '%s pins every action to a commit and says which version that is',
    (file) => {
      const actions = readFileSync(join(root, file), 'utf8').match(/uses: .*/gu) ?? [];
      expect(actions.length).toBeGreaterThan(0);
      expect(actions.filter((action) => !/^uses: [\w/-]+@[0-9a-f]{40} # v[\d.]+$/u.test(action))).toEqual([]);
    },
  );
});
