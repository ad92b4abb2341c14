// `skillful validate -`: one `SKILL.md` from the standard input.

import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from '../command.ts';

const from = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) });

describe('validate -', () => {
  it('checks the standard input like a file, but compares its name with no directory', async () => {
    const { skillfulIn } = await makePlace();
    const wrong = await skillfulIn(from(skillText('PDF')), 'validate', '-', '--json');
    expect([wrong.code, JSON.parse(wrong.stdout)]).toEqual([
      1,
      {
        ok: false,
        profile: 'strict',
        skills: [
          {
            location: '-',
            name: 'PDF',
            ok: false,
            diagnostics: [expect.objectContaining({ code: 'name-uppercase', location: '-', line: 2, column: 7 })],
          },
        ],
      },
    ]);
    const right = await skillfulIn(from(skillText('pdf')), 'validate', '-');
    expect([right.code, right.stdout.split('\n')[0], right.stdout.split('\n').at(-2)]).toEqual([
      0,
      'ok      -',
      '1 skill checked with the strict profile: 1 ok, 0 invalid.',
    ]);
  });

  it('checks it beside paths, once, and names it in every format', async () => {
    const { work, skillfulIn } = await makePlace();
    await writeTree(work, { 's/doc/SKILL.md': skillText('doc') });
    const input = () => from(skillText('PDF'));
    const both = await skillfulIn(input(), 'validate', '-', 's', '-', '--json');
    const names = (JSON.parse(both.stdout) as { skills: { name: string }[] }).skills.map(({ name }) => name);
    expect([both.code, names]).toEqual([1, ['PDF', 'doc']]);
    const annotated = await skillfulIn(input(), 'validate', '-', '--format', 'github');
    expect(annotated.stdout.split(',')[0]).toBe('::error file=-');
    const log = JSON.parse((await skillfulIn(input(), 'validate', '-', '--format', 'sarif')).stdout);
    expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('-');
  });

  it('prints a fix as a diff, and refuses to write it', async () => {
    const { skillfulIn } = await makePlace();
    const advice = (await skillfulIn(from(skillText('PDF')), 'validate', '-')).stdout;
    expect(advice.match(/`--fix.*`/gu)).toEqual(['`--fix --dry-run`', '`--fix --dry-run`']);
    const diff = await skillfulIn(from(skillText('PDF')), 'validate', '-', '--fix', '--dry-run');
    expect([diff.code, diff.stdout.match(/^[-+]name.*$/gmu)]).toEqual([1, ['-name: PDF', '+name: pdf']]);
    const { code, stdout, stderr } = await skillfulIn(from(skillText('PDF')), 'validate', '--fix', '-');
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([
      2,
      '',
      "error: option '--fix' cannot write to the standard input; add '--dry-run' to get a diff",
    ]);
  });

  it('reads no more than a skill may have, because the input may have no end, and takes none for an empty one', async () => {
    const { skillful, skillfulIn } = await makePlace();
    let chunks = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; ; chunks += 1) yield Buffer.from(chunks === 0 ? skillText('pdf') : 'x'.repeat(65_536));
    }
    const codes = ({ stdout }: { stdout: string }): readonly string[] =>
      JSON.parse(stdout).skills[0].diagnostics.map(({ code }: { code: string }) => code);
    const { stdout } = await skillfulIn({ stdin: endless() }, 'validate', '-');
    expect(stdout).toContain('`SKILL.md` has over 524288 bytes, expected at most 524288. (skill-too-large)');
    expect(chunks).toBe(8);
    expect(codes(await skillful('validate', '-', '--json'))).toEqual(['frontmatter-missing']);
  });

  it('says that the standard input cannot be read: exit code 2', async () => {
    const { work, skillfulIn } = await makePlace();
    const stdin = createReadStream(work);
    expect(await skillfulIn({ stdin }, 'validate', '-')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: The standard input cannot be read: illegal operation on a directory.\n',
    });
  });
});
