import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../src/authoring.ts';
import type { SkillSwitches } from '../../src/catalog/withhold.ts';
import {
  type Catalog,
  cacheSource,
  createSkillIndex,
  createToolkit,
  loadCatalog,
  memorySource,
  resolveSkill,
  type SkillEnvironment,
  type SkillTool,
} from '../../src/index.ts';

const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Work with ${name}.\n${more}---\nGo.`;
const source = memorySource({
  'pdf/SKILL.md': skill('pdf', 'metadata:\n  requires-bins: pdftotext\n'),
  'pdf/form.md': 'x',
  'mail/SKILL.md': skill('mail'),
});
const withoutPrograms = { hasProgram: () => false };
const off =
  (...names: readonly string[]) =>
  (): SkillSwitches => ({ isEnabled: ({ name }) => !names.includes(name) });

describe('a skill that needs what is not there, or is switched off', () => {
  it('is not looked for in the variables of a process, which are no environment', async () => {
    const environment = { PATH: '/bin' } as object;
    const message = '`environment` has none of `hasVariable`, `hasProgram`, `hasTool` and `platform`.';
    await expect(loadCatalog([source], { environment })).rejects.toThrow(message);
    class Own implements SkillEnvironment {
      readonly id = 'own';
      hasProgram(): boolean {
        return false;
      }
    }
    expect((await loadCatalog([source], { environment: new Own() })).withheld).toHaveLength(1);
  });

  it.each([
    ['needs', { environment: withoutPrograms }, 'requirement-missing'],
    ['off', { settings: off('pdf') }, 'skill-disabled'],
  ] as const)('is nowhere, and a diagnostic says why: %s', async (_, options, code) => {
    const catalog = await loadCatalog([source], options);
    expect(catalog.skills.map(({ name }) => name)).toEqual(['mail']);
    expect(catalog.withheld.map(({ skill: { name }, reason }) => [name, reason.code, reason.location])).toEqual([
      ['pdf', code, 'pdf/SKILL.md'],
    ]);
    expect(catalog.diagnostics).toEqual(catalog.withheld.map(({ reason }) => reason));
    expect(resolveSkill(catalog, 'pdf')).toEqual({ kind: 'unknown', suggestions: [] });
    expect(createSkillIndex(catalog.skills).search('pdf')).toEqual([]);
    const toolkit = createToolkit(catalog, { tools: { find: true, list: true } });
    const messages = [{ key: 'u', role: 'user', text: '/pdf' }] as const;
    const { system, edits, active } = await toolkit.prepare(messages);
    const given = Object.entries({ name: 'pdd', query: 'pdf', skill: 'pdd' });
    const inputOf = ({ inputSchema }: SkillTool) =>
      Object.fromEntries(given.filter(([key]) => key in inputSchema.properties));
    const answers = await Promise.all(toolkit.tools.map((tool) => tool.execute(inputOf(tool))));
    expect({ edits, active }).toEqual({ edits: [], active: [] });
    expect(JSON.stringify([system, toolkit.tools, answers.map(({ text }) => text)])).not.toContain('pdf');
  });

  it('is off unless the settings say that it is on, which a promise does not', async () => {
    const isEnabled = (async () => false) as unknown as () => boolean;
    const catalog = await loadCatalog([source], { settings: () => ({ isEnabled }) });
    expect(catalog.skills).toEqual([]);
  });

  it('keeps its name, and is not found by its qualified name either', async () => {
    const other = memorySource({ 'pdf/SKILL.md': skill('pdf') }, { id: 'other', scope: 'user' });
    const first = await loadCatalog([source, other], { environment: withoutPrograms });
    expect([first.skills.map(({ name }) => name), first.shadowed.map((each) => each.skill.source.scope)]).toEqual([
      ['mail'],
      ['user'],
    ]);
    expect(resolveSkill(first, `${source.scope}:pdf`).kind).toBe('unknown');
    expect(resolveSkill(first, 'user:pdf').kind).toBe('found');
    const second = await loadCatalog([other, source], { environment: withoutPrograms });
    expect([second.skills.map(({ name }) => name), second.shadowed]).toEqual([['mail', 'pdf'], []]);
  });
});

describe('settings', () => {
  it('report what is wrong with the settings', async () => {
    const [diagnostic] = (await loadCatalog([source], { settings: off('pdf') })).diagnostics;
    if (diagnostic === undefined) throw new Error('no diagnostic');
    const broken = { isEnabled: () => true, diagnostics: [diagnostic] };
    expect((await loadCatalog([source], { settings: () => broken })).diagnostics).toEqual([diagnostic]);
  });

  it('that switch off the other one of two skills of one name count for a later load', async () => {
    const cached = [source, memorySource({ 'post/SKILL.md': skill('mail') }, { id: 'other' })].map((each) =>
      cacheSource(each),
    );
    const load = (place: string, previous?: Catalog) =>
      loadCatalog(cached, { settings: () => ({ isEnabled: ({ directory }) => directory !== place }), previous });
    const first = await load('mail');
    const places = ({ withheld }: Catalog) => withheld.map((each) => each.skill.directory);
    expect([places(first), places(await load('post', first))]).toEqual([['mail'], ['post']]);
  });

  it('that a later load does not ask for leave nothing behind', async () => {
    const diagnostics = [
      createDiagnostic(
        'settings-invalid',
        { location: 'settings.json' },
        { reason: 'it is not JSON', outcome: 'every skill is switched off' },
      ),
    ];
    const settings = (): SkillSwitches => ({ isEnabled: () => true, diagnostics });
    const cached = [cacheSource(source)];
    const previous = await loadCatalog(cached, { settings });
    expect(previous).toMatchObject({ withheld: [], diagnostics });
    const plain = await loadCatalog(cached, { previous });
    expect(plain.diagnostics).toEqual([]);
    expect(await loadCatalog(cached, { previous: plain })).toBe(plain);
  });
});
