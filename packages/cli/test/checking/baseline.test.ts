// `skillful validate --baseline`: only new findings count.

import { execFileSync } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from '../command.ts';

describe('validate --baseline', () => {
  it('leaves out what an earlier report has, wherever the skills are now, and whatever else has changed in them', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/pdf/SKILL.md': skillText('PDF'),
      's/doc/SKILL.md': '---\nname: doc\ndescription: Documents.\ncolour: red\n---\nGo.\n',
    });
    await writeFile(join(work, 'known.json'), (await skillful('validate', 's', '--json')).stdout);
    await rename(join(work, 's'), join(work, 'moved'));
    const moved = skillText('PDF').replace('name', '# A comment that moves each line.\nname');
    await writeTree(work, { 'moved/pdf/SKILL.md': moved });
    const same = await skillful('validate', 'moved', '--baseline', 'known.json');
    expect([same.code, same.stderr, same.stdout.split('\n').filter((line) => !line.startsWith('Took'))]).toEqual([
      0,
      '',
      ['Left out 3 findings of the baseline.', '2 skills checked with the strict profile: 2 ok, 0 invalid.', ''],
    ]);
    await writeTree(work, { 'moved/new/SKILL.md': skillText('New') });
    const { code, stdout } = await skillful('validate', 'moved', '--baseline', 'known.json', '--json');
    const found = (JSON.parse(stdout) as Report).skills.map(({ name, ok, diagnostics }) => [
      name,
      ok,
      diagnostics.map((diagnostic) => diagnostic.code),
    ]);
    expect([code, found]).toEqual([
      1,
      [
        ['doc', true, []],
        ['New', false, ['name-uppercase', 'name-directory-mismatch']],
        ['PDF', true, []],
      ],
    ]);
  });

  it('shows all findings of one code if there are more of them than before', async () => {
    const { work, skillful } = await makePlace();
    const text = (...fields: readonly string[]) =>
      `---\nname: doc\ndescription: Documents.\n${fields.map((field) => `${field}: red\n`).join('')}---\nGo.\n`;
    await writeTree(work, { 's/doc/SKILL.md': text('colour') });
    await writeFile(join(work, 'known.json'), (await skillful('validate', 's', '--json')).stdout);
    const codes = async () => {
      const { stdout } = await skillful('validate', 's', '--baseline', 'known.json', '--json');
      return (JSON.parse(stdout) as Report).skills.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    };
    expect(await codes()).toEqual([]);
    await writeTree(work, { 's/doc/SKILL.md': text('colour', 'shape') });
    expect(await codes()).toEqual(['field-unknown', 'field-unknown']);
  });

  it('knows the folders of a report from Windows, also in the encoding of its PowerShell', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': skillText('PDF') });
    const report = (await skillful('validate', 's', '--json')).stdout;
    const fromWindows = report.replaceAll(JSON.stringify(join(work, 's/pdf/SKILL.md')), '"C:\\\\s\\\\pdf\\\\SKILL.md"');
    await writeFile(join(work, 'known.json'), `\ufeff${fromWindows}`, 'utf16le');
    expect((await skillful('validate', 's', '--baseline', 'known.json')).code).toBe(0);
  });

  it('compares with all folders of a name, also if only one of them has changed', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'a/pdf/SKILL.md': skillText('PDF'), 'b/pdf/SKILL.md': skillText('PDF') });
    await writeFile(join(work, 'known.json'), (await skillful('validate', '.', '--json')).stdout);
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a'];
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      [...identity, 'commit', '-qm', 'begin'],
    ])
      execFileSync('git', args, { cwd: work });
    await writeTree(work, { 'a/pdf/SKILL.md': `${skillText('PDF')}\n`, 'c/pdf/SKILL.md': skillText('PDF') });
    const { stdout } = await skillful('validate', '.', '--changed', '--baseline', 'known.json', '--json');
    expect((JSON.parse(stdout) as Report).skills.map(({ ok }) => ok)).toEqual([false, false]);
  });

  it.runIf(process.platform !== 'win32')('reads no more of a file without an end than a report may have', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/a/SKILL.md': skillText('a'), 'known.json': { link: '/dev/zero' } });
    const { code, stderr } = await skillful('validate', 's', '--baseline', 'known.json');
    expect([code, stderr]).toEqual([2, expect.stringContaining('has more than 64 MiB')]);
  });

  it.each([
    ['nowhere.json', 'cannot be read'],
    ['list.json', 'is not a report'],
    ['text.json', 'is not a report'],
  ])('refuses %s before it checks anything: exit code 2', async (file, why) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/doc/SKILL.md': skillText('doc'), 'list.json': '[{}]', 'text.json': 'known' });
    expect(await skillful('validate', 's', '--baseline', file)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: The baseline \`${file}\` ${why}. Create it with \`skillful validate --json\`.\n`,
    });
  });

  it('still reports a path without skills', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/readme.md': '' });
    await writeFile(join(work, 'known.json'), (await skillful('validate', 's', '--json')).stdout);
    expect((await skillful('validate', 's', '--baseline', 'known.json')).code).toBe(1);
  });
});

interface Report {
  readonly skills: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly diagnostics: readonly { readonly code: string }[];
  }[];
}
