// What a person at a terminal sees: colour, widths, and escaped control characters.

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type OutputStream, run } from '../../src/index.ts';
import { guardTerminal } from '../../src/terminal/guard.ts';
import { withProgress } from '../../src/terminal/progress.ts';
import { makePlace, type Place, skillText, writeTree } from '../command.ts';

interface Screen {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process, with streams that say that they are a terminal of 60 columns. */
async function atTerminal(
  { home, work }: Place,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Screen> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): OutputStream => ({
    isTTY: true,
    columns: 60,
    write: (chunk) => {
      written[name] += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    },
  });
  const io = {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    cwd: work,
    environment: { HOME: home, ...environment },
  };
  return { code: await run(args, io), ...written };
}

/** Runs the command with both streams in one, and returns what they show in their order. */
async function printed({ home, work }: Place, args: readonly string[]): Promise<string> {
  let written = '';
  const stream: OutputStream = { write: (chunk) => (written += String(chunk)) };
  await run(args, { stdout: stream, stderr: stream, cwd: work, environment: { HOME: home } });
  return written;
}

describe('at a terminal', () => {
  it('a table is coloured and cut to the width', async () => {
    const place = await makePlace();
    await writeTree(place.work, { 's/pdf/SKILL.md': skillText('pdf', 'Reads '.repeat(30).trim()) });
    expect(await atTerminal(place, ['list', '--root', 's'])).toEqual({
      code: 0,
      stdout:
        '\u001b[2mNAME  SCOPE    DESCRIPTION\u001b[22m\npdf   project  Reads Reads Reads Reads Reads Reads Reads Re…\n',
      stderr: '',
    });
  });

  it('a table counts and cuts what a terminal shows as one character', async () => {
    const place = await makePlace();
    const text = '👨‍👩‍👧 e\u0301 \u1112\u1161\u11ab 字 🇩🇪 ';
    await writeTree(place.work, { 's/pdf/SKILL.md': skillText('pdf', text.repeat(9)) });
    const { stdout } = await atTerminal(place, ['list', '--root', 's'], { NO_COLOR: '1', COLUMNS: '44' });
    expect(stdout.split('\n')[1]).toBe(`pdf   project  ${text}${text.trimEnd()}…`);
  });

  it('sentences are broken between words, whatever colours they have', async () => {
    const place = await makePlace();
    await writeTree(place.work, { 's/pdf/SKILL.md': skillText('PDF'), 's/Größe 1/SKILL.md': skillText('A') });
    const [list, doctor] = [
      await atTerminal(place, ['list', '--root', 's'], { COLUMNS: '40', NO_COLOR: '1' }),
      await atTerminal(place, ['doctor', '--root', 's'], { COLUMNS: '32' }),
    ];
    expect(list.stderr.split('\n')).toEqual([
      '4 warnings in loaded skills. Run',
      '  `skillful validate s` for details.',
      '',
    ]);
    expect(doctor.stdout.split('\n').slice(0, 2)).toEqual([
      '\u001b[32moffered    \u001b[39m  A  \u001b[2ms/Größe',
      '  1/SKILL.md\u001b[22m',
    ]);
  });

  it('help keeps its two columns on a narrow terminal', async () => {
    const { stdout } = await atTerminal(await makePlace(), ['--help'], { COLUMNS: '50' });
    expect(stdout).toContain(
      '  show <name>          show what the model gets\n                       when it activates a skill\n',
    );
  });

  it('COLUMNS overrides the width, and anything but a number does not', async () => {
    const place = await makePlace();
    await writeTree(place.work, { 's/pdf/SKILL.md': skillText('pdf', 'Reads '.repeat(30).trim()) });
    const widths = ['90', '0', 'wide', ''].map(async (columns) => {
      const { stdout } = await atTerminal(place, ['list', '--root', 's'], { COLUMNS: columns, NO_COLOR: '1' });
      return Math.max(...stdout.split('\n').map((line) => line.length));
    });
    expect(await Promise.all(widths)).toEqual([90, 60, 60, 60]);
  });

  it('no byte of a file controls the terminal, and no name of a directory does', async () => {
    const place = await makePlace();
    const evil = '\u001b[31m\u009b2J\u001b]0;x\u0007';
    await writeTree(place.work, {
      's/pdf/SKILL.md': skillText('pdf', 'Reads PDF files.'),
      's/pdf/a.txt': `a${evil}\n`,
      [`s/x${evil}/SKILL.md`]: 'no frontmatter',
    });
    const shown = '\\u{1b}[31m\\u{9b}2J\\u{1b}]0;x\\u{7}';
    expect((await atTerminal(place, ['read', 'pdf', 'a.txt', '--root', 's'])).stdout).toBe(`a${shown}\n`);
    for (const command of ['doctor', 'validate', 'list', 'prompt']) {
      const { stdout, stderr } = await atTerminal(
        place,
        [command, ...(command === 'validate' ? ['s'] : ['--root', 's'])],
        {
          NO_COLOR: '1',
        },
      );
      expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    }
  });

  it('the page of a code is broken between words', async () => {
    const { stdout } = await atTerminal(await makePlace(), ['explain', 'block-header-text']);
    expect(stdout).toContain(
      '\n> Text follows *header* on the line of *field*; it was read\n  as part of the value.\n',
    );
  });

  it('what was fixed in several files is said after the findings', async () => {
    const place = await makePlace();
    await writeTree(place.work, { 's/a/SKILL.md': skillText('A'), 's/b/SKILL.md': skillText('B') });
    const written = await printed(place, ['validate', 's', '--fix']);
    expect(written.split('\n').slice(-3)).toEqual([
      '2 skills checked with the strict profile: 2 ok, 0 invalid.',
      'Fixed 2 findings in 2 files.',
      '',
    ]);
  });

  it('problems of other folders are counted after the matches of a search', async () => {
    const place = await makePlace();
    await writeTree(place.work, { 's/pdf/SKILL.md': skillText('pdf'), 's/none/SKILL.md': 'None.\n' });
    const written = await printed(place, ['search', 'pdf', '--root', 's']);
    expect(written).toMatch(
      /^NAME .*\npdf .*\n1 problem with other folders\. Run `skillful validate s` for details\.\n$/u,
    );
  });

  it('a command to copy stays on one line', () => {
    let written = '';
    const stream = guardTerminal({ isTTY: true, columns: 36, write: (chunk) => (written += String(chunk)) });
    stream.write('It is used from now on; `skillful untrust` ends that.');
    expect(written).toBe('It is used from now on;\n  `skillful untrust` ends that.');
  });

  it('what a script prints keeps its lines, so that they can be copied, but controls no terminal', async () => {
    const place = await makePlace();
    const line = `{"text": "${'long '.repeat(20)}"}`;
    await writeTree(place.work, {
      's/pdf/SKILL.md': skillText('pdf'),
      's/pdf/scripts/show.sh': `printf '%s\\n' '${line}'; printf '\\033[2J' >&2\n`,
    });
    const args = ['run', 'pdf', 'scripts/show.sh', '--root', 's', '--runner', 'process', '--yes'];
    expect(await atTerminal(place, args)).toEqual({ code: 0, stdout: `${line}\n`, stderr: '\\u{1b}[2J' });
  });

  it('does not break lines of a terminal that says it has no columns, as one without a window does', () => {
    let written = '';
    const stream = guardTerminal({ isTTY: true, columns: 0, write: (chunk) => (written += String(chunk)) });
    stream.write('one two three\n');
    expect([written, stream.columns]).toEqual(['one two three\n', undefined]);
  });

  it('only the colours of this program reach the terminal, whatever a text contains', () => {
    let written = '';
    const stream = guardTerminal({ isTTY: true, write: (chunk) => (written += String(chunk)) });
    stream.write('\u001b[2ma\u001b[22m\u001b[2Jb\u001b]0;x\u0007\n\r\u001b[K');
    expect(written).toBe('\u001b[2ma\u001b[22m\\u{1b}[2Jb\\u{1b}]0;x\\u{7}\n\r\u001b[K');
  });

  it.each([
    [['::error::a\n', ' ::b::\n', 'x::y ##[debug]z'], ':\\u{3a}error::a\n :\\u{3a}b::\nx::y ##\\u{5b}debug]z'],
    [[':', ':error::a'], ':\\u{3a}error::a'],
    [['a\n', ' \n\t', ':', ':error::a'], 'a\n \n\t:\\u{3a}error::a'],
    [['\u0085::error::a\n\u0085', '::b::'], '\u0085:\\u{3a}error::a\n\u0085:\\u{3a}b::'],
    [['a', '::error::', ' :', ':b', ':::'], 'a::error:: ::b:::'],
    [['a#', '#', '[debug]#', '[b'], 'a##\\u{5b}debug]#[b'],
  ])('the log of a workflow gets no command, even if it is written in pieces: %j', (pieces, expected) => {
    let written = '';
    const stream = guardTerminal({ write: (chunk) => (written += String(chunk)) }, { GITHUB_ACTIONS: 'true' });
    for (const piece of pieces) stream.write(piece);
    expect(written).toBe(expected);
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('there is no colour with %j', async (environment) => {
    const place = await makePlace();
    await writeTree(place.work, { 's/Bad/SKILL.md': skillText('Bad'), 's/none/SKILL.md': 'None.\n' });
    const outcomes = [
      await atTerminal(place, ['validate', 's'], environment),
      await atTerminal(place, ['list', '--root', 's'], environment),
      await atTerminal(place, ['doctor', '--root', 's'], environment),
    ];
    expect(outcomes.map(({ code }) => code)).toEqual([1, 0, 1]);
    for (const { stdout, stderr } of outcomes) expect(stdout + stderr).not.toContain('\u001b');
  });

  it('the severity of a diagnostic is coloured', async () => {
    const place = await makePlace();
    await writeTree(place.work, { 's/none/SKILL.md': 'None.\n' });
    const { stderr } = await atTerminal(place, ['list', '--root', 's']);
    expect(stderr).toMatch(/\u001b\[31ms\/none\/SKILL\.md:1:1 error: .*\u001b\[39m\n/u);
  });

  it('control characters in the body of a skill are escaped', async () => {
    const place = await makePlace();
    await writeTree(place.work, { 's/pdf/SKILL.md': skillText('pdf', 'Reads.', 'a\u001b[2Jb\r\n\tc\u202e\rd\n') });
    const { code, stdout } = await atTerminal(place, ['show', 'pdf', '--root', 's'], { NO_COLOR: '1' });
    expect(code).toBe(0);
    expect(stdout).toContain('a␛[2Jb\r\n\tc\nd\n');
    expect(stdout).not.toMatch(/[\u001b\u202e]/u);
  });
});

describe('work that takes more than a second', () => {
  it('is announced at a terminal until it is done, and nowhere else', async () => {
    const watch = async (isTTY: boolean, TERM: string): Promise<readonly string[]> => {
      const written: string[] = [];
      const stderr: OutputStream = { isTTY, write: (chunk) => written.push(String(chunk)) };
      const io = { stdout: stderr, stderr, cwd: '/', environment: { TERM } };
      await withProgress('Looking', io, new Promise<void>((done) => setTimeout(done, 1200)));
      return written;
    };
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const watched = Promise.all([watch(true, 'xterm'), watch(true, 'dumb'), watch(false, 'xterm')]);
    await vi.advanceTimersByTimeAsync(1200);
    expect(await watched).toEqual([['Looking …', '\r\u001b[K'], ['Looking …', '\n'], []]);
  });
});
