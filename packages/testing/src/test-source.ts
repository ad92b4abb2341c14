// The contract of a source: the same files result in the same skills, listings and refusals, wherever they are stored.

import { isSkillError, loadCatalog, type SkillSource } from '@skillful/core';
import { describe, expect, it } from 'vitest';

/** What the tests of a source provide. */
export interface SourceFixture {
  /** Name of the source, for the titles of the tests. */
  readonly name: string;
  /** Creates a source that contains these files, keyed by path: `pdf/SKILL.md`. */
  create(files: Readonly<Record<string, string | Uint8Array>>): SkillSource | Promise<SkillSource>;
}

const pdf = '---\nname: pdf\ndescription: Works with PDF files.\n---\n# PDF\n';
const files = {
  'pdf/SKILL.md': pdf,
  'pdf/scripts/fill.mjs': 'console.log(1);\n',
  'pdf/references/forms.md': '# Forms\n',
  'pdf/references/Zoom.md': '\ufeff# Zoom\r\n',
  'pdf/assets/empty.txt': '',
  'pdf/assets/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
  'pdf/nested/inner/SKILL.md': '---\nname: inner\ndescription: Not a skill of its own.\n---\n',
  'audit/SKILL.md': '---\nname: audit\ndescription: Audits.\n---\nAudit.\n',
  'pdf2/SKILL.md': '---\nname: pdf2\ndescription: Its directory begins like that of another skill.\n---\n',
  'pdf2/key.txt': 'Secret.',
  'notes.txt': 'No skill.',
};

/** Paths that can never be a file in the skill, even if a listing contains them. */
const nowhere = [
  '../audit/SKILL.md',
  '../pdf2/key.txt',
  'references/../../audit/SKILL.md',
  'references/../references/forms.md',
  '/etc/passwd',
  '',
  '.',
];

/** Paths of files that the skill does not have, though another skill has one of that name, or would if the path were decoded. */
const missing = [
  'references/missing.md',
  'key.txt',
  '2/key.txt',
  '%2e%2e/pdf2/key.txt',
  '..%2fpdf2%2fkey.txt',
  '\uff0e\uff0e/pdf2/key.txt',
];

/** Declares the tests that every source must pass. */
export function testSource(fixture: SourceFixture): void {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

  async function open(record: Readonly<Record<string, string | Uint8Array>> = files) {
    const source = await fixture.create(record);
    const { skills } = await loadCatalog([source]);
    const find = (name: string) => {
      const skill = skills.find((candidate) => candidate.name === name);
      if (skill === undefined) throw new Error(`The source did not list ${name}.`);
      return skill;
    };
    return { source, skills, find };
  }

  async function codeOf(work: Promise<unknown>): Promise<string> {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return isSkillError(error) ? error.code : `no SkillError: ${String(error)}`;
  }

  describe(`source ${fixture.name}`, () => {
    it('lists each directory with a SKILL.md, outermost only, in the same order each time', async () => {
      const { source } = await open();
      const listed = await Promise.all([source.list(), source.list()]);
      for (const { entries, diagnostics } of listed) {
        expect(entries.map(({ location }) => location.split(/[\\/]/).slice(-2).join('/'))).toEqual([
          'audit/SKILL.md',
          'pdf/SKILL.md',
          'pdf2/SKILL.md',
        ]);
        // On macOS and Windows, `fileSource` remarks that containment is not proven.
        expect(diagnostics.filter(({ code }) => code !== 'containment-best-effort')).toEqual([]);
      }
    });

    it('returns the beginning of each SKILL.md as it is stored, with its frontmatter', async () => {
      const { source } = await open();
      const { entries } = await source.list();
      const stored = [files['audit/SKILL.md'], pdf, files['pdf2/SKILL.md']];
      expect(entries.map(({ bytes }) => bytes)).toEqual(stored.map((text) => text.length));
      for (const [index, text] of stored.entries()) {
        const head = decode(entries[index]?.head ?? new Uint8Array());
        expect(text.slice(0, head.length)).toBe(head);
        expect(head).toContain('\n---\n');
      }
    });

    it('lists nothing if there is nothing', async () => {
      const { skills } = await open({ 'notes.txt': 'No skill.' });
      expect(skills).toEqual([]);
    });

    it('lists the bundled files with their sizes, sorted, without SKILL.md and nested skills', async () => {
      const { source, find } = await open();
      expect(await source.listFiles(find('pdf'))).toEqual({
        files: [
          { path: 'assets/empty.txt', bytes: 0 },
          { path: 'assets/seal.png', bytes: 6 },
          { path: 'references/Zoom.md', bytes: 11 },
          { path: 'references/forms.md', bytes: 8 },
          { path: 'scripts/fill.mjs', bytes: 16 },
        ],
        truncated: false,
      });
    });

    it.each(['assets/seal.png', 'assets/empty.txt', 'references/Zoom.md'] as const)(
      'reads the bundled file %s byte for byte',
      async (path) => {
        const { source, find } = await open();
        const stored = files[`pdf/${path}`];
        const expected = typeof stored === 'string' ? new TextEncoder().encode(stored) : stored;
        expect([...(await source.readFile(find('pdf'), path))]).toEqual([...expected]);
      },
    );

    it('keeps skills apart, even if they are read at the same time', async () => {
      const { source, find } = await open();
      const [pdf2, all, ...contents] = await Promise.all([
        source.listFiles(find('pdf2')),
        source.listFiles(find('pdf')),
        source.readFile(find('pdf2'), 'key.txt'),
        source.readFile(find('pdf'), 'references/forms.md'),
      ]);
      expect([pdf2.files, all.files.length]).toEqual([[{ path: 'key.txt', bytes: 7 }], 5]);
      expect(contents.map(decode)).toEqual(['Secret.', '# Forms\n']);
    });

    it('does not claim that a skill with files has none', async () => {
      const { skills } = await open();
      const without = skills.filter(({ hasFiles }) => hasFiles === false).map(({ name }) => name);
      expect(['audit']).toEqual(expect.arrayContaining(without));
    });

    it('lists the same skills when a catalog is loaded again', async () => {
      const source = await fixture.create(files);
      const previous = await loadCatalog([source]);
      const { skills, diagnostics } = await loadCatalog([source], { previous });
      expect(diagnostics).toEqual(previous.diagnostics);
      expect(skills.map(({ name }) => name)).toEqual(['audit', 'pdf', 'pdf2']);
    });

    it('reads only as much as it is asked for', async () => {
      const { source, find } = await open();
      expect(decode(await source.readFile(find('pdf'), 'SKILL.md', { length: 9, maxBytes: 1 }))).toBe('---\nname:');
    });

    it.each([2 ** 31, Number.POSITIVE_INFINITY])('reads a whole file if it is asked for %d bytes', async (many) => {
      const { source, find } = await open();
      for (const options of [{ maxBytes: many }, { length: many }]) {
        expect(decode(await source.readFile(find('pdf'), 'references/forms.md', options))).toBe('# Forms\n');
      }
    });

    it('refuses a file that is larger than the limit', async () => {
      const { source, find } = await open();
      expect(await codeOf(source.readFile(find('pdf'), 'references/forms.md', { maxBytes: 7 }))).toBe(
        'resource-too-large',
      );
      expect(decode(await source.readFile(find('pdf'), 'references/forms.md', { maxBytes: 8 }))).toBe('# Forms\n');
    });

    it.each(missing)('says that the skill has no file %j', async (path) => {
      const { source, find } = await open();
      expect(await codeOf(source.readFile(find('pdf'), path))).toBe('resource-unknown');
    });

    it('reads no directory', async () => {
      const { source, find } = await open();
      expect(await codeOf(source.readFile(find('pdf'), 'references'))).toMatch(/^resource-un/);
    });

    it.each([
      ...nowhere,
      '..\\audit\\SKILL.md',
      'references\\forms.md',
      'references/forms.md ',
      'references/forms.md\0.png',
      'C:/secret',
      '//server/share',
    ])('refuses the path %j', async (path) => {
      const { source, find } = await open();
      expect(await codeOf(source.readFile(find('pdf'), path))).toBe('resource-outside-skill');
    });

    it('reads every file by the path that it lists, whatever its name, and says which it leaves out', async () => {
      const odd = globalThis.process?.platform === 'win32' ? [] : ['references/a\nb.md', 'references/x:y', 'z.'];
      const stored = Object.fromEntries(odd.map((path) => [`pdf/${path}`, path]));
      const { source, find } = await open({ ...files, ...stored });
      const skill = find('pdf');
      const { files: listed, refused = [] } = await source.listFiles(skill);
      for (const { path, bytes } of listed) {
        expect([path, (await source.readFile(skill, path, { fromListing: true })).length]).toEqual([path, bytes]);
      }
      expect([...listed.map(({ path }) => path), ...refused]).toEqual(expect.arrayContaining(odd));
      for (const path of odd) expect(await codeOf(source.readFile(skill, path))).toBe('resource-outside-skill');
    });

    it.each([...nowhere, 'references/\0', '\ud800'])(
      'refuses the path %j, even if it is said to be listed',
      async (path) => {
        const { source, find } = await open();
        expect(await codeOf(source.readFile(find('pdf'), path, { fromListing: true }))).toBe('resource-outside-skill');
      },
    );

    it.each(['strict', 'portable'] as const)('reads the files of a skill that was loaded under %s', async (profile) => {
      const source = await fixture.create(files);
      const { skills } = await loadCatalog([source], { profile });
      expect(skills.map((skill) => [skill.name, skill.profile])).toContainEqual(['pdf', profile]);
      for (const skill of skills.filter(({ name }) => name === 'pdf')) {
        expect(decode(await source.readFile(skill, 'references/forms.md'))).toBe('# Forms\n');
      }
    });

    it('stops when the signal is aborted', async () => {
      const { source, find } = await open();
      const signal = AbortSignal.abort(new Error('stopped'));
      const skill = find('pdf');
      await expect(source.list({ signal })).rejects.toThrow('stopped');
      await expect(source.listFiles(skill, { signal })).rejects.toThrow('stopped');
      await expect(source.readFile(skill, 'SKILL.md', { signal })).rejects.toThrow('stopped');
    });
  });
}
