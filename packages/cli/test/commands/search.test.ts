// `skillful search`, `explain` and `instructions`.

import { join } from 'node:path';
import { diagnosticCodes, explainDiagnostic } from '@skillful/core/authoring';
import { describe, expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from '../command.ts';

describe('search', () => {
  it('prints the best matches first, up to the limit', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/pdf-forms/SKILL.md': skillText('pdf-forms', 'Fills forms in PDF files.'),
      's/pdf-text/SKILL.md': skillText('pdf-text', 'Reads the text of PDF files.'),
      's/weather/SKILL.md': skillText('weather', 'Tells the weather.'),
    });
    const all = await skillful('search', 'fill pdf forms', '--root', 's', '--json');
    const one = await skillful('search', 'fill', 'pdf', 'forms', '-n', '1', '--root', 's', '--json');
    const none = await skillful('search', 'quantum', '--root', 's', '--json');
    expect(JSON.parse(all.stdout)).toEqual([
      { name: 'pdf-forms', description: 'Fills forms in PDF files.', score: expect.any(Number) },
      { name: 'pdf-text', description: 'Reads the text of PDF files.', score: expect.any(Number) },
    ]);
    expect(JSON.parse(one.stdout).map(({ name }: { name: string }) => name)).toEqual(['pdf-forms']);
    expect([none.code, JSON.parse(none.stdout)]).toEqual([0, []]);
  });

  it('finds only what `find_skills` would: no skill that is kept from models, and none that hardly matches', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/private/SKILL.md':
        '---\nname: private\ndescription: Deletes invoices.\ndisable-model-invocation: true\n---\nGo.\n',
      's/public/SKILL.md': skillText('public', 'Sends invoices.'),
      's/privacy/SKILL.md': skillText('privacy', 'Checks a feature against the GDPR.'),
    });
    const found = async (query: string) => {
      const { stdout } = await skillful('search', query, '--root', 's', '--json');
      return JSON.parse(stdout).map(({ name }: { name: string }) => name);
    };
    expect(await found('invoices')).toEqual(['public']);
    expect(await found('is the weather ok for a long walk tomorrow, or against it')).toEqual([]);
  });
});

it('search prints results, and only counts what is wrong with other skills', async () => {
  const { work, skillful } = await makePlace();
  const broken = Array.from({ length: 29 }, (_, index) => [`s/broken-${index}/SKILL.md`, 'No frontmatter.\n']);
  await writeTree(work, {
    ...Object.fromEntries(broken),
    's/pdf/SKILL.md': skillText('pdf', 'Reads PDF files.'),
    's/csv/SKILL.md': skillText('other', 'Reads CSV files.'),
  });
  const search = await skillful('search', 'pdf', '--root', 's');
  expect([search.stdout.split('\n').length, search.stderr]).toEqual([
    3,
    '29 problems with other folders. Run `skillful validate s` for details.\n',
  ]);
  const { stderr } = await skillful('list', '--root', 's');
  expect([
    stderr.match(/frontmatter-missing/gu)?.length,
    stderr.match(/hint/gu)?.length,
    stderr.split('\n').at(-2),
  ]).toEqual([
    5,
    1,
    '24 more problems with other folders and 1 warning in loaded skills. Run `skillful validate s` for details.',
  ]);
});

describe('explain', () => {
  it('prints the page of a code', async () => {
    const { skillful } = await makePlace();
    const page = explainDiagnostic('name-missing');
    expect(await skillful('explain', 'name-missing')).toEqual({ code: 0, stdout: page, stderr: '' });
  });

  it('suggests what was probably meant', async () => {
    const { skillful } = await makePlace();
    const { stderr } = await skillful('explain', 'name-mising');
    expect(stderr).toBe('error: Unknown code `name-mising`. Did you mean `name-missing`?\n');
  });

  it.each([
    ['sidecar', 'all that contain it', 'Did you mean ', '?', (code: string) => code.includes('sidecar')],
    ['root-gone', 'all with its first word', 'Did you mean ', '?', (code: string) => code.startsWith('root-')],
    ['nothing-alike', 'all', 'Known codes: ', '.', () => true],
  ])('answers the unknown code %s with %s', async (unknown, _, start, end, isNamed) => {
    const { skillful } = await makePlace();
    const codes = diagnosticCodes().filter(isNamed);
    expect(await skillful('explain', unknown)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: Unknown code \`${unknown}\`. ${start}${codes.map((code) => `\`${code}\``).join(', ')}${end}\n`,
    });
  });
});

describe('instructions', () => {
  it('lists the chain, general to specific', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(home, { '.agents/AGENTS.md': 'Mine.\n' });
    await writeTree(work, { '.git/HEAD': '', 'AGENTS.md': 'Ours.\n', 'packages/one/CLAUDE.md': 'This one.\n' });
    const { code, stdout } = await skillful('instructions', '--cwd', 'packages/one', '--trust', '--json');
    expect({ code, output: JSON.parse(stdout) }).toEqual({
      code: 0,
      output: [
        { location: join(home, '.agents/AGENTS.md'), scope: 'user', bytes: 6 },
        { location: join(work, 'AGENTS.md'), scope: 'project', bytes: 6 },
        { location: join(work, 'packages/one/CLAUDE.md'), scope: 'project', bytes: 10 },
      ],
    });
  });

  it('does not read those of an untrusted project, and says so', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'AGENTS.md': 'Hostile words.\n' });
    const { code, stdout, stderr } = await skillful('instructions');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'SCOPE    BYTES  LOCATION\nproject  15     AGENTS.md\n' });
    expect(stderr).toContain('(source-untrusted)');
  });
});
