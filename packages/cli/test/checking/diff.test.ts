import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatDiff } from '../../src/checking/diff.ts';
import { makePlace, runProcess } from '../command.ts';

it('shows what changed, with three lines around it', () => {
  const lines = (...changed: readonly string[]): string =>
    ['1', '2', '3', '4', ...changed, '6', '7', '8', '9'].join('\n');
  expect(formatDiff('a b/SKILL.md', lines('5'), lines('five', 'V'))).toBe(
    '--- a/a b/SKILL.md\t\n+++ b/a b/SKILL.md\t\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+V\n 6\n 7\n 8\n',
  );
  expect(formatDiff('a', lines('5'), lines('5'))).toBe('');
});

it('is what `git apply` takes', async () => {
  const { work } = await makePlace();
  const parts = ['a\n', 'b\n', 'c\r\n', '\n', 'd'];
  const texts = Array.from({ length: 40 }, (_, row) =>
    Array.from(
      { length: 1 + (row % 25) },
      (_each, index) => parts[(row * 7 + index * index * 3 + (row % 3) * index) % 5],
    ).join(''),
  );
  const path = join(work, 'a b.md');
  for (const [index, before] of texts.entries()) {
    const after = texts[(index * 11 + 3) % texts.length] ?? '';
    if (after === before) continue;
    await writeFile(path, before);
    await writeFile(join(work, 'p.diff'), formatDiff('a b.md', before, after));
    const environment = { PATH: process.env['PATH'] ?? '', HOME: work };
    const outcome = await runProcess('git', ['apply', '--whitespace=nowarn', 'p.diff'], work, environment);
    expect({ ...outcome, text: await readFile(path, 'utf8') }).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
      text: after,
    });
  }
});
