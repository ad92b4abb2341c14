// What only the process of the command does: it reports its own crashes.

import { expect, it } from 'vitest';
import { binary, makePlace, runProcess } from './command.ts';

it('a crash prints where it happened, and nothing that controls a terminal', async () => {
  const { home, work } = await makePlace();
  const broken = `JSON.parse = () => { throw new Error('a \\u001b[2J\\u009b b'); };`;
  const flags = ['--conditions=skillful-source', `--import=data:text/javascript,${encodeURIComponent(broken)}`];
  const { code, stdout, stderr } = await runProcess(process.execPath, [...flags, binary, 'list'], work, { HOME: home });
  expect({ code, stdout, lines: stderr.split('\n').slice(0, 3) }).toEqual({
    code: 2,
    stdout: '',
    lines: [
      'skillful crashed. This is a bug; please report it with the output below:',
      'Error: a \\u{1b}[2J\\u{9b} b',
      expect.stringMatching(/^ {4}at .+:1:/u),
    ],
  });
});
