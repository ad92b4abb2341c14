// The table of what earlier systems did: every row names a test that exists.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDocument } from './documents.ts';
import { root } from './workspace.ts';

it('names a test for each of the 46 rows', () => {
  const rows = [...readDocument('docs/origins.md').matchAll(/^\| (\d+) \|.*? \| (\[.+\)) \|$/gmu)];
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 46 }, (_, index) => index + 1));
  const missing = rows.flatMap(([, number, tests = '']) => {
    const links = [...tests.matchAll(/\[([^\]]+)\]\(([^)]+)\)(?:, |$)/gu)];
    if (links.map(([link]) => link).join('') !== tests) return [`${number}: ${tests}`];
    const wrong = links.filter(([, title = '', link = '']) => {
      const path = join(root, 'docs', link);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
    });
    return wrong.map(([, title]) => `${number}: ${title}`);
  });
  expect(missing, 'These tests have other titles now: change them in docs/origins.md, too.').toEqual([]);
});
