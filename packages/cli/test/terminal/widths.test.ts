// What a person sees in a real terminal, at three widths: tables that hold, names that are whole, and frames that fit.

import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { binary, makePlace, type Place, skillText, writeTree } from '../command.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux && process.env['CI'] === 'true') throw new Error('tmux is NOT INSTALLED: apt-get install tmux');
if (!hasTmux) process.stderr.write('tmux is NOT INSTALLED, so the tests in a real terminal are SKIPPED.\n');

/** Runs commands one after the other in a terminal, and returns what it shows of each, as lines that it did not break. */
async function show(place: Place, columns: number, ...commands: readonly string[]): Promise<readonly string[][]> {
  const socket = join(place.home, 'tmux');
  const tmux = (...args: string[]): string => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' });
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const node = `HOME='${place.home}' NO_COLOR=1 '${process.execPath}' --conditions=skillful-source '${binary}'`;
  const script = commands.map(
    (command) => `clear; printf '\\033[3J'; ${node} ${command}; tmux -S '${socket}' wait-for -S done; read -r next`,
  );
  await writeFile(join(place.home, 'script'), `cd '${place.work}'\n${script.join('\n')}\n`);
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-s',
    's',
    '-x',
    `${columns}`,
    '-y',
    '100',
    `bash '${place.home}/script'`,
  );
  return commands.map(() => {
    tmux('wait-for', 'done');
    const lines = tmux('capture-pane', '-p', '-J', '-t', 's').trimEnd().split('\n');
    tmux('send-keys', '-t', 's', 'Enter');
    return lines.map((line) => line.trimEnd());
  });
}

const long = `${'a-long-name-'.repeat(5)}end`;
const description = 'Reads the text of PDF files, page by page, and keeps tables as tables. Use when asked.';

describe.runIf(hasTmux)('in a real terminal', () => {
  it.each([
    [
      50,
      [
        'NAME      SCOPE    DESCRIPTION',
        long,
        '          project  Reads the text of PDF files, p…',
        'pdf       project  Reads the text of PDF files, p…',
        '読み取り  project  長い説明です。長い説明です。長…',
      ],
    ],
    [
      80,
      [
        'NAME      SCOPE    DESCRIPTION',
        long,
        '          project  Reads the text of PDF files, page by page, and keeps tables…',
        'pdf       project  Reads the text of PDF files, page by page, and keeps tables…',
        '読み取り  project  長い説明です。長い説明です。長い説明です。長い説明です。長い…',
      ],
    ],
    [
      120,
      [
        'NAME      SCOPE    DESCRIPTION',
        long,
        `          project  ${description}`,
        `pdf       project  ${description}`,
        `読み取り  project  ${'長い説明です。'.repeat(7)}長…`,
      ],
    ],
  ])('of %d columns, tables hold and findings fit', async (columns, table) => {
    const place = await makePlace();
    await writeTree(place.work, {
      [`s/${long}/SKILL.md`]: skillText(long, description),
      's/pdf/SKILL.md': skillText('pdf', description),
      's/読み取り/SKILL.md': skillText('読み取り', '長い説明です。'.repeat(20)),
      't/far/SKILL.md': `---\nname: far\ndescription: ${'word '.repeat(122)}Use: it.\n---\nGo.\n`,
    });
    const [list = [], search = [], validate = []] = await show(
      place,
      columns,
      'list --root s',
      'search --root s pdf text',
      'validate t',
    );
    expect(list).toEqual(table);
    expect([search.join('\n'), search.filter((line) => line.length > columns && line !== long)]).toEqual([
      expect.stringContaining(long),
      [],
    ]);
    expect(validate.filter((line) => line.length > columns)).toEqual([]);
    const mark = validate.findIndex((line) => /^ +\| +\^$/u.test(line));
    const column = validate[mark]?.indexOf('^') ?? 0;
    expect(validate[mark - 1]?.slice(column - 3, column + 5)).toBe('Use: it.');
  });
});
