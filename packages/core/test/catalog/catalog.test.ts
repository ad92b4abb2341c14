import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../src/authoring.ts';
import {
  type Catalog,
  cacheSource,
  filterSource,
  loadCatalog,
  memorySource,
  overlaySource,
  qualifiedName,
  renameSource,
  resolveSkill,
  type Skill,
  type SkillEntry,
  type SkillListing,
  type SkillSource,
} from '../../src/index.ts';
import { fakeCatalog, fakeSkill } from './catalog-fixture.ts';

const skillFile = (name: string, description = `Does ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody of ${name}.\n`;

describe('loadCatalog', () => {
  it('has the skills of all sources, sorted by name', async () => {
    const catalog = await loadCatalog([
      memorySource({ 'pdf/SKILL.md': skillFile('pdf') }, { id: 'one' }),
      memorySource({ 'zip/SKILL.md': skillFile('zip'), 'audit/SKILL.md': skillFile('audit') }, { id: 'two' }),
    ]);
    expect(
      catalog.skills.map(({ name, description, source, location }) => [name, description, source.id, location]),
    ).toEqual([
      ['audit', 'Does audit.', 'two', 'audit/SKILL.md'],
      ['pdf', 'Does pdf.', 'one', 'pdf/SKILL.md'],
      ['zip', 'Does zip.', 'two', 'zip/SKILL.md'],
    ]);
    expect(catalog.diagnostics).toEqual([]);
  });

  it('lets the first source win a name and reports the loser', async () => {
    const project = memorySource({ 'pdf/SKILL.md': skillFile('pdf', 'Project.') }, { id: 'project', scope: 'project' });
    const user = memorySource({ 'office/PDF/SKILL.md': skillFile('PDF', 'User.') }, { id: 'user', scope: 'user' });
    const catalog = await loadCatalog([project, user]);
    expect(catalog.skills.map(({ description }) => description)).toEqual(['Project.']);
    expect(catalog.shadowed.map(({ skill, by }) => [skill.description, by.description])).toEqual([
      ['User.', 'Project.'],
    ]);
    const shadowing = catalog.diagnostics.filter(({ code }) => code === 'skill-shadowed');
    expect(shadowing.map(({ source, location, severity }) => ({ source, location, severity }))).toEqual([
      { source: 'user', location: 'office/PDF/SKILL.md', severity: 'warning' },
    ]);
    expect(shadowing[0]?.message).toContain('pdf/SKILL.md');
  });

  it('counts a directory that two sources find as one skill, which shadows nothing', async () => {
    const inner = memorySource({ 'pdf/SKILL.md': skillFile('pdf') });
    const withIdentity = (id: string): SkillSource => ({
      ...inner,
      id,
      list: async () => {
        const { entries } = await inner.list();
        return { entries: entries.map((entry) => ({ ...entry, identity: '/real/pdf' })), diagnostics: [] };
      },
    });
    const catalog = await loadCatalog([withIdentity('one'), withIdentity('two')]);
    expect(catalog.skills.map(({ source }) => source.id)).toEqual(['one']);
    expect({ shadowed: catalog.shadowed, diagnostics: catalog.diagnostics }).toEqual({ shadowed: [], diagnostics: [] });
  });

  it('keeps the other sources when one fails, and says which', async () => {
    const broken: SkillSource = {
      ...memorySource({}, { id: 'broken' }),
      list: () => Promise.reject(new Error('The disk is on fire.')),
    };
    const catalog = await loadCatalog([broken, memorySource({ 'pdf/SKILL.md': skillFile('pdf') })]);
    expect(catalog.skills.map(({ name }) => name)).toEqual(['pdf']);
    expect(catalog.diagnostics.map(({ code, source }) => [code, source])).toEqual([['source-failed', 'broken']]);
    expect(catalog.diagnostics[0]?.message).toBe('The source failed: The disk is on fire.');
  });

  it.each([[[null]], [[7]], [[{}]], [[{ code: 'source-failed' }]]])(
    'keeps the other sources when one reports %j',
    async (diagnostics) => {
      const listing: SkillListing = JSON.parse(JSON.stringify({ entries: [], diagnostics }));
      const broken: SkillSource = { ...memorySource({}, { id: 'broken' }), list: async () => listing };
      const catalog = await loadCatalog([broken, memorySource({ 'pdf/SKILL.md': skillFile('pdf') })]);
      expect(catalog.skills.map(({ name }) => name)).toEqual(['pdf']);
      expect(catalog.diagnostics.map(({ code, source }) => [code, source])).toEqual([['source-failed', 'broken']]);
    },
  );

  const part = { directory: 'a', location: 'a/SKILL.md', bytes: 3 };

  it.each([
    [undefined, 'undefined, expected a listing of entries and diagnostics'],
    [[], 'a list, expected a listing of entries and diagnostics'],
    [{ entries: [] }, 'a value of type object, expected a listing of entries and diagnostics'],
    [{ entries: [null], diagnostics: [] }, 'a skill without a directory, a location, a head or a size'],
    [{ entries: [part], diagnostics: [] }, 'a skill without a directory, a location, a head or a size'],
    [
      { entries: [{ ...part, head: '---' }], diagnostics: [] },
      'a skill without a directory, a location, a head or a size',
    ],
    ...['name', 'ownName', 'identity', 'inode', 'origin', 'plugin', 'stamp'].map((field): [unknown, string] => [
      { entries: [{ ...part, head: new Uint8Array(3), [field]: null }], diagnostics: [] },
      'a skill with an optional field that is not text',
    ]),
  ])('says what is wrong with the listing %j, also through layers', async (listing, problem) => {
    const broken = Object.assign(memorySource({}, { id: 'broken' }), { list: async () => listing });
    const layers = [
      broken,
      cacheSource(broken),
      filterSource(broken, () => true),
      renameSource(broken, (name) => name),
      overlaySource(broken, memorySource({})),
    ];
    for (const source of layers) {
      const { diagnostics } = await loadCatalog([source]);
      expect(diagnostics.map(({ message }) => message)).toEqual([`The source failed: it returned ${problem}.`]);
    }
  });

  it.each(['false', 'yes', 1, null])('takes the trust %j for none', async (trusted) => {
    const source = memorySource({ 'pdf/SKILL.md': skillFile('pdf') });
    const { skills, diagnostics } = await loadCatalog([
      Object.assign({ ...source }, JSON.parse(JSON.stringify({ trusted }))),
    ]);
    expect([skills, diagnostics.map(({ code }) => code)]).toEqual([[], ['source-untrusted']]);
  });

  it('does not read a source that is not trusted', async () => {
    let reads = 0;
    const count = async (): Promise<never> => {
      reads++;
      throw new Error('read');
    };
    const untrusted: SkillSource = {
      ...memorySource({ 'pdf/SKILL.md': skillFile('pdf') }, { id: 'project', trusted: false }),
      list: count,
      listFiles: count,
      readFile: count,
    };
    const catalog = await loadCatalog([untrusted]);
    expect(reads).toBe(0);
    expect(catalog.skills).toEqual([]);
    expect(catalog.diagnostics.map(({ code, source }) => [code, source])).toEqual([['source-untrusted', 'project']]);
  });

  it('keeps a skill that cannot be loaded as rejected, with the reason in a diagnostic', async () => {
    const catalog = await loadCatalog([
      memorySource({ 'pdf/SKILL.md': '# No frontmatter\n', 'zip/SKILL.md': skillFile('zip') }),
    ]);
    expect(catalog.skills.map(({ name }) => name)).toEqual(['zip']);
    expect(catalog.rejected.map(({ location }) => location)).toEqual(['pdf/SKILL.md']);
    expect(catalog.diagnostics.map(({ severity, location }) => [severity, location])).toEqual([
      ['error', 'pdf/SKILL.md'],
    ]);
  });

  it('reads more if the head of a file ends before its frontmatter does', async () => {
    const long = `---\nname: pdf\n# ${'x'.repeat(6000)}\ndescription: Works.\n---\n`;
    const inner = memorySource({ 'pdf/SKILL.md': long });
    const lengths: (number | undefined)[] = [];
    const source: SkillSource = {
      ...inner,
      list: async () => {
        const { entries } = await inner.list();
        return { entries: entries.map((entry) => ({ ...entry, head: entry.head.slice(0, 4096) })), diagnostics: [] };
      },
      readFile: (skill, path, options) => {
        lengths.push(options?.length);
        return inner.readFile(skill, path, options);
      },
    };
    const { skills, diagnostics } = await loadCatalog([source]);
    expect(skills.map(({ description }) => description)).toEqual(['Works.']);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(lengths).toEqual([17 * 1024]);
  });

  it('touches its own tier only: no body and no resource is read', async () => {
    const inner = memorySource({ 'pdf/SKILL.md': skillFile('pdf'), 'pdf/references/a.md': 'A' });
    const calls: string[] = [];
    const source: SkillSource = {
      ...inner,
      listFiles: async (skill) => {
        calls.push('listFiles');
        return inner.listFiles(skill);
      },
      readFile: async (skill, path, options) => {
        calls.push(`readFile ${path}`);
        return inner.readFile(skill, path, options);
      },
    };
    await loadCatalog([source]);
    expect(calls).toEqual([]);
  });

  it('rejects when the signal is aborted', async () => {
    await expect(loadCatalog([memorySource({})], { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    );
  });

  it('keeps the last good result of a source that fails, and says so', async () => {
    const inner = memorySource({ 'pdf/SKILL.md': skillFile('pdf') }, { id: 'far' });
    const partly = createDiagnostic(
      'source-failed',
      { source: 'far', location: 'far' },
      { reason: 'half of it is away' },
    );
    let works = true;
    const list: SkillSource['list'] = async () => {
      if (!works) throw new Error('no network');
      return { ...(await inner.list()), diagnostics: [partly] };
    };
    const source: SkillSource = { ...inner, list };
    const previous = await loadCatalog([source]);
    works = false;
    const kept = await loadCatalog([source], { previous });
    expect(kept.skills).toEqual(previous.skills);
    expect(kept.diagnostics.map(({ code, source: id }) => [code, id])).toEqual([['source-kept', 'far']]);
    const still = await loadCatalog([source], { previous: kept });
    expect(still.skills).toEqual(previous.skills);
    works = true;
    expect((await loadCatalog([source], { previous: still })).diagnostics).toEqual([partly]);
  });

  it('does not say of a source without an earlier result that it was kept', async () => {
    const source: SkillSource = { ...memorySource({}), list: () => Promise.reject(new Error('no network')) };
    const untrusted = await loadCatalog([{ ...source, trusted: false }]);
    const failed = await loadCatalog([source], { previous: untrusted });
    const again = await loadCatalog([source], { previous: failed });
    const codes = [untrusted, failed, again].flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    expect(codes).toEqual(['source-untrusted', 'source-failed', 'source-failed']);
  });

  it('reads again only what has changed since the catalog that it starts from', async () => {
    const stamps = new Map([
      ['a', '1'],
      ['b', '1'],
    ]);
    const source: SkillSource = {
      ...memorySource({ 'a/SKILL.md': skillFile('a'), 'b/SKILL.md': skillFile('b') }),
      list: async ({ known } = {}) => {
        const { entries } = await memorySource({
          'a/SKILL.md': skillFile('a', `A ${stamps.get('a')}.`),
          'b/SKILL.md': skillFile('b', `B ${stamps.get('b')}.`),
        }).list();
        const listed = entries.map((entry) => {
          const stamp = stamps.get(entry.directory) ?? '';
          const unchanged = known?.get(entry.directory)?.stamp === stamp;
          return unchanged ? { ...entry, stamp, head: new Uint8Array() } : { ...entry, stamp };
        });
        return { entries: listed, diagnostics: [] };
      },
    };
    const previous = await loadCatalog([source]);
    stamps.set('b', '2');
    const next = await loadCatalog([source], { previous });
    expect(next.skills.map(({ description }) => description)).toEqual(['A 1.', 'B 2.']);
    expect(next.skills[0]).toBe(previous.skills[0]);
    expect(await loadCatalog([source], { previous: next })).toBe(next);
    expect(await loadCatalog([source, memorySource({}, { id: 'more' })], { previous: next })).not.toBe(next);
    const strict = await loadCatalog([source], { previous, profile: 'strict' });
    expect(strict.skills[0]).not.toBe(previous.skills[0]);
  });

  /** A source whose one file never changes, though what it says about it may. */
  function createSource(): { readonly source: SkillSource; readonly said: Partial<SkillEntry>[] } {
    const said: Partial<SkillEntry>[] = [];
    const inner = memorySource({ 'a/SKILL.md': skillFile('a') });
    const list: SkillSource['list'] = async () => {
      const { entries, diagnostics } = await inner.list();
      return { diagnostics, entries: entries.map((entry) => ({ ...entry, stamp: '1', ...said.at(-1) })) };
    };
    return { source: { ...inner, list }, said };
  }

  it('notices that a source reports something, or no longer does, about unchanged files', async () => {
    const { source } = createSource();
    const missing = createDiagnostic('root-missing', { source: 'memory', location: 'x' });
    let reported = [missing];
    const reporting = { ...source, list: async () => ({ ...(await source.list()), diagnostics: reported }) };
    const load = (previous?: Catalog) => loadCatalog([reporting], { previous });
    const first = await load();
    reported = [];
    const second = await load(first);
    reported = [missing];
    expect([first, second, await load(second)].map(({ diagnostics }) => diagnostics)).toEqual([
      [missing],
      [],
      [missing],
    ]);
  });

  it.each<Partial<Skill> & Partial<SkillEntry>>([
    { bytes: 99 },
    { inode: 'another' },
    { plugin: 'lint' },
    { hasFiles: true },
    { origin: '1:' },
    { name: 'given' },
    { location: 'elsewhere/SKILL.md' },
  ])('notices that a source says something else about an unchanged file: %o', async (change) => {
    const { source, said } = createSource();
    const previous = await loadCatalog([source]);
    said.push(change);
    const next = await loadCatalog([source], { previous });
    expect(next.skills).toEqual([{ ...previous.skills[0], ...change }]);
    said.pop();
    expect((await loadCatalog([source], { previous: next })).skills).toEqual(previous.skills);
  });

  it('is the very same if a source gives the same name, however it is spelt, and not if no skill can have it', async () => {
    const { source, said } = createSource();
    said.push({ name: 'a' });
    const previous = await loadCatalog([source]);
    said.push({ name: 'ａ' });
    expect(await loadCatalog([source], { previous })).toBe(previous);
    said.push({ name: '' });
    const { skills, diagnostics } = await loadCatalog([source], { previous });
    expect([skills, diagnostics.map(({ code }) => code)]).toEqual([previous.skills, ['name-given-refused']]);
  });

  it('lets the application reverse the precedence of scopes', async () => {
    const of = (scope: string) => memorySource({ 'pdf/SKILL.md': skillFile('pdf', `${scope}.`) }, { id: scope, scope });
    const sources = [of('project'), of('user'), of('enterprise')];
    const winner = async (precedence?: readonly string[]) =>
      (await loadCatalog(sources, { precedence })).skills[0]?.description;
    expect([await winner(), await winner(['user']), await winner(['enterprise', 'user'])]).toEqual([
      'project.',
      'user.',
      'enterprise.',
    ]);
  });

  it('is a snapshot that cannot be changed', async () => {
    expect(Object.isFrozen(await loadCatalog([]))).toBe(true);
  });
});

describe('resolveSkill', () => {
  const load = () =>
    loadCatalog([
      memorySource(
        { 'pdf/SKILL.md': skillFile('pdf', 'Project.'), 'forms/SKILL.md': skillFile('pdf-forms') },
        { scope: 'project' },
      ),
      memorySource(
        { 'pdf/SKILL.md': skillFile('pdf', 'User.'), 'tables/SKILL.md': skillFile('csv-report') },
        { scope: 'user' },
      ),
    ]);

  it.each([
    ['an exact name, even if it is part of another', 'pdf', 'Project.'],
    ['a qualified name', 'project:pdf', 'Project.'],
    ['the qualified name of a shadowed skill', 'user:pdf', 'User.'],
    ['a name in another case', 'CSV-Report', 'Does csv-report.'],
    ['the name of the directory', 'tables', 'Does csv-report.'],
    ['a part of a name that only one skill has', 'report', 'Does csv-report.'],
    ['a name with spaces around it', ' pdf-forms ', 'Does pdf-forms.'],
    ['the words of a name, with other separators', 'pdf_forms', 'Does pdf-forms.'],
    ['a name in quotes', '`PDF forms`.', 'Does pdf-forms.'],
  ])('finds %s', async (_, name, description) => {
    const resolution = resolveSkill(await load(), name);
    expect(resolution.kind === 'found' && resolution.skill.description).toBe(description);
  });

  it('returns the candidates if a part of a name is ambiguous', async () => {
    const resolution = resolveSkill(await load(), 'f');
    expect(resolution).toEqual({ kind: 'unknown', suggestions: [] });
    const ambiguous = resolveSkill(await load(), 'df');
    expect(ambiguous.kind === 'ambiguous' && ambiguous.candidates.map(qualifiedName)).toEqual([
      'project:pdf',
      'project:pdf-forms',
    ]);
  });

  it('takes other separators for no other skill', async () => {
    const found = (names: readonly string[], wanted: string, options = {}) => {
      const resolution = resolveSkill(fakeCatalog(names.map((name) => fakeSkill(name, 'D.'))), wanted, options);
      return resolution.kind === 'found' ? resolution.skill.name : resolution.kind;
    };
    expect([found(['c++'], 'c#'), found(['c++'], 'c'), found(['c#'], '`c#`')]).toEqual(['unknown', 'unknown', 'c#']);
    expect([found(['pdf_forms'], 'pdf-forms'), found(['pdf_forms'], '"pdf forms"')]).toEqual(['unknown', 'pdf_forms']);
    expect(found(['pdf_forms'], '"pdf-forms"', { former: ['pdf-forms'] })).toBe('unknown');
    const files = { 'pdf-forms/SKILL.md': 'No frontmatter.', 'pdf_forms/SKILL.md': skillFile('pdf_forms') };
    const catalog = await loadCatalog([memorySource(files)]);
    expect(resolveSkill(catalog, '`pdf-forms`').kind).toBe('unknown');
    const others = { 'pdf_forms/SKILL.md': 'No frontmatter.', 'pdf-forms/SKILL.md': skillFile('pdf-forms') };
    expect(resolveSkill(await loadCatalog([memorySource(others)]), '`pdf_forms`').kind).toBe('unknown');
  });

  it('compares no names without words', () => {
    const catalog = fakeCatalog([fakeSkill('❤', 'D.')]);
    expect(['❤', '⭐', '"'].map((name) => resolveSkill(catalog, name).kind)).toEqual(['found', 'unknown', 'unknown']);
  });

  it.each(['csv', 'CSV'])('never finds another skill for the name %j of a broken one', async (name) => {
    const healthy = { 'csv-report/SKILL.md': skillFile('csv-report') };
    for (const broken of [
      { 'csv/SKILL.md': 'No frontmatter.' },
      { 'tables/SKILL.md': '---\nname: csv\n---\nNo description.' },
    ]) {
      const catalog = await loadCatalog([memorySource({ ...healthy, ...broken })]);
      expect(resolveSkill(catalog, name)).toEqual({ kind: 'unknown', suggestions: ['csv-report'] });
    }
  });

  it.each(['R&D  notes', 'R&D notes', 'R&amp;D notes'])('finds a name as it is, and as it is shown: %j', (name) => {
    const catalog = fakeCatalog([fakeSkill('R&D  notes', 'Takes notes.'), fakeSkill('R&D notes 2', 'Takes more.')]);
    expect(resolveSkill(catalog, name)).toMatchObject({ kind: 'found', skill: { name: 'R&D  notes' } });
  });

  it.each([
    ['lint', 'found'],
    ['p\u0430ypal', 'unknown'],
    ['lint:x', 'unknown'],
    ['project', 'unknown'],
  ])('finds a skill under the name of its plugin as in Claude Code, unless that could mislead: %j', (plugin, kind) => {
    const catalog = fakeCatalog([{ ...fakeSkill('pdf', 'D.'), plugin }]);
    expect(resolveSkill(catalog, `${plugin}:pdf`).kind).toBe(kind);
  });

  it.each([{ part: false }, { parts: 'false' }])(
    'refuses the options %j, which would find a part of a name',
    async (wrong) => {
      const catalog = await load();
      const find = () => resolveSkill(catalog, 'report', wrong as object);
      expect(find).toThrow(expect.objectContaining({ code: 'options-invalid' }));
    },
  );

  it('takes a part of a name for no skill if it was the name of another one', async () => {
    const catalog = await load();
    expect(resolveSkill(catalog, 'report', { former: ['other'] }).kind).toBe('found');
    expect(resolveSkill(catalog, 'report', { former: ['Report'] }).kind).toBe('unknown');
  });

  it('suggests a part of a name, but does not take it, if told so', async () => {
    expect(resolveSkill(await load(), 'report', { parts: false })).toEqual({
      kind: 'unknown',
      suggestions: ['csv-report'],
    });
  });

  it('suggests names that are close to an unknown one', async () => {
    expect(resolveSkill(await load(), 'csv-reprot')).toEqual({ kind: 'unknown', suggestions: ['csv-report'] });
  });

  it.each([
    ['pdf-skill', ['pdf']],
    ['The PDF skill', ['pdf']],
    ['skills/pdf/SKILL.md', ['pdf']],
    ['document-skills:pdf', ['pdf']],
    ['fill pdf forms', ['pdf-forms', 'pdf']],
    ['apdfa-skill', []],
    [':', []],
  ])('suggests for %j the skills whose whole name it contains', async (name, suggestions) => {
    expect(resolveSkill(await load(), name)).toEqual({ kind: 'unknown', suggestions });
  });

  it.each([
    ['telegram:configure', 'Telegram.'],
    ['Signal:configure', 'Signal.'],
    ['signal/configure', 'Signal.'],
    ['plugin:configure', 'Telegram.'],
    ['user:configure', undefined],
    ['team:configure', undefined],
    ['signal:other', undefined],
  ])('finds for %j the skill of that plugin, never one of another plugin', async (name, description) => {
    const inner = ['Telegram', 'Signal', 'user', 'team'].map((plugin): SkillSource => {
      const source = memorySource({ 'configure/SKILL.md': skillFile('configure', `${plugin}.`) }, { scope: 'plugin' });
      const list: SkillSource['list'] = async (options) => {
        const { entries, diagnostics } = await source.list(options);
        return { diagnostics, entries: entries.map((entry) => ({ ...entry, plugin: plugin.toLowerCase() })) };
      };
      return { ...source, list };
    });
    // The application's scope, whose skill may be denied.
    const team = memorySource({}, { id: 'team', scope: 'team' });
    const resolution = resolveSkill(await loadCatalog([...inner, team]), name);
    expect(resolution.kind === 'found' ? resolution.skill.description : undefined).toBe(description);
  });

  it('finds the skill that has a name before one that another name of it means', async () => {
    const plugin = memorySource({ 'pdf/SKILL.md': skillFile('pdf', 'Of a plugin.') }, { id: 'plugin' });
    const list: SkillSource['list'] = async () => {
      const { entries, diagnostics } = await plugin.list();
      return { diagnostics, entries: entries.map((entry) => ({ ...entry, plugin: 'acme' })) };
    };
    const renamed = renameSource(memorySource({ 'pdf/SKILL.md': skillFile('pdf', 'Renamed.') }), () => 'acme/pdf');
    const resolution = resolveSkill(await loadCatalog([{ ...plugin, list }, renamed]), 'acme/pdf');
    expect(resolution.kind === 'found' && resolution.skill.description).toBe('Renamed.');
  });

  it.each(['user:pdf', 'user\u3033pdf'])(
    'takes %j for no directory, because it looks like a qualified name',
    async (name) => {
      const catalog = await loadCatalog([memorySource({ [`${name}/SKILL.md`]: skillFile('other') })]);
      expect(resolveSkill(catalog, name).kind).toBe('unknown');
    },
  );

  it.each(['constructor', '__proto__', 'toString', ''])('knows no skill called %j', async (name) => {
    expect(resolveSkill(await load(), name).kind).toBe('unknown');
  });
});
