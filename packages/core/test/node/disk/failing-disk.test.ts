import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeErrno } from '../../../src/node/disk/file-system.ts';
import { finishProgram, startProgram } from '../process.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

/** The result of an action in which one call that changes the disk failed. */
interface Report {
  readonly failing: string;
  readonly errno: string;
  readonly error: string;
  readonly skills: readonly string[];
  readonly disabled: readonly string[];
  readonly problems: number;
  readonly left: readonly string[];
  readonly readme: number;
}

const errnos = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'];
const unchanged = 'existing files are unchanged.';
const unsynced = 'the change is made, but a power cut may undo it.';
const littered = 'the skill is gone, but some of its files are left behind.';

const stateOf = ({ skills, disabled, readme }: Report) => ({ skills, disabled, readme: readme > 0 });
const nothing = { skills: [], disabled: [], readme: false };

it.each([
  ['create', nothing, { ...nothing, skills: ['x 5033'] }],
  ['remove', { ...nothing, skills: ['x 5033'] }, nothing],
  ['file', nothing, { ...nothing, readme: true }],
  ['disable', { ...nothing, disabled: ['user:old'] }, { ...nothing, disabled: ['user:new', 'user:old'] }],
])(
  'X09, X10, X12: %s: says what happened to the disk whichever call fails, and leaves it old or new',
  { timeout: 60_000 },
  async (action, before, after) => {
    const base = join(await makeTemporaryDirectory(), 'disk');
    const output = await finishProgram(
      startProgram(new URL('./failing-program.ts', import.meta.url), base, action, ...errnos),
    );
    const reports = JSON.parse(output) as readonly Report[];
    expect(reports.length).toBeGreaterThanOrEqual(4 * errnos.length);
    for (const report of reports) {
      const { failing, errno, error, problems, left } = report;
      const isReleased = action === 'disable' && failing === 'rm';
      const start = `write-failed: Writing to the disk failed: ${describeErrno(errno)}; `;
      expect(error.startsWith(isReleased ? '' : start)).toBe(true);
      const outcome = isReleased ? unsynced : error.slice(start.length);
      expect([failing, outcome, stateOf(report)]).toBeOneOf([
        [failing, unchanged, before],
        [failing, unsynced, after],
        ['rm', littered, after],
      ]);
      expect(problems).toBe(0);
      // Only what could not be removed is left.
      if (action !== 'remove' && !isReleased) expect([failing, left]).toEqual([failing, []]);
    }
  },
);
