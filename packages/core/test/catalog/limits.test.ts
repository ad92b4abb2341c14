// Limits hold when skills are found, so that what cannot be activated is never offered.

import { describe, expect, it } from 'vitest';
import { createToolkit, loadCatalog, memorySource, type SkillProfile, type SkillSource } from '../../src/index.ts';

const profiles: readonly SkillProfile[] = ['lenient', 'strict', 'portable'];
const file = (...lines: readonly string[]): string => `---\nname: x\n${lines.join('\n')}\n---\nBody.\n`;

async function load(text: string, profile?: SkillProfile) {
  const catalog = await loadCatalog([memorySource({ 'x/SKILL.md': text })], { profile });
  return { catalog, codes: catalog.diagnostics.map(({ code }) => code), skill: catalog.skills[0] };
}

describe('a file that can never be activated', () => {
  it.each(profiles)('is not offered if it is too large, in the profile %s', async (profile) => {
    const { catalog, codes } = await load(file('description: d') + 'x'.repeat(512 * 1024), profile);
    expect({ skills: catalog.skills, codes }).toEqual({ skills: [], codes: ['skill-too-large'] });
    expect(catalog.rejected.map(({ name }) => name)).toEqual(['x']);
  });

  it('is not offered either if only the beginning of it was read', async () => {
    const inner = memorySource({ 'x/SKILL.md': file(`description: ${'d '.repeat(400)}`) });
    const source: SkillSource = {
      ...inner,
      list: async (options) => {
        const { entries, diagnostics } = await inner.list(options);
        const large = entries.map((entry) => ({ ...entry, head: entry.head.subarray(0, 100), bytes: 600_000 }));
        return { entries: large, diagnostics };
      },
    };
    const { skills, diagnostics } = await loadCatalog([source]);
    expect({ skills, codes: diagnostics.map(({ code }) => code) }).toEqual({ skills: [], codes: ['skill-too-large'] });
  });

  it('is offered up to the limit, and then can be activated', async () => {
    const text = file('description: d');
    const { catalog, codes } = await load(text + 'x'.repeat(512 * 1024 - text.length));
    expect(codes).toEqual([]);
    const answer = await createToolkit(catalog).tools[0]?.execute({ name: 'x' });
    expect(answer?.isError).toBe(false);
  });
});

describe('what is kept of a skill', () => {
  it.each(profiles)('has a limit for the name in the profile %s', async (profile) => {
    const { catalog, codes } = await load(`---\nname: ${'n'.repeat(257)}\ndescription: d\n---\n`, profile);
    expect(catalog.skills).toEqual([]);
    expect(codes).toContain('name-unsafe');
  });

  it('has a limit for the description', async () => {
    const { skill, codes } = await load(file(`description: ${'😀'.repeat(3_000)}`));
    expect({ codes, length: skill?.description.length }).toEqual({ codes: ['description-too-long'], length: 6_000 });
    const longer = await load(file(`description: ${'d'.repeat(4_097)}`));
    expect(longer).toMatchObject({ codes: ['description-cut'], skill: { description: 'd'.repeat(4_096) } });
    expect((await load(file(`description: ${'d'.repeat(4_097)}`), 'strict')).catalog.skills).toEqual([]);
  });

  it('has limits for the entries of the metadata, their keys and their values', async () => {
    const entries = Array.from({ length: 65 }, (_, index) => `  k${index}: "v"`);
    const many = await load(file('description: d', 'metadata:', ...entries));
    expect(many.codes).toEqual(['metadata-too-many']);
    expect(Object.keys(many.skill?.properties.metadata ?? {}).length).toBe(64);
    const long = await load(
      file('description: d', 'metadata:', `  ${'k'.repeat(65)}: v`, `  v: ${'v'.repeat(4_097)}`, '  ok: "v"'),
    );
    expect(long.codes).toEqual(['metadata-too-long', 'metadata-too-long']);
    expect({ ...long.skill?.properties.metadata }).toEqual({ ok: 'v' });
    const nested = await load(file('description: d', 'metadata:', `  a: [${'v'.repeat(4_097)}]`));
    expect(nested.codes).toContain('metadata-too-long');
  });

  it.each([
    ['description-cut', [`description: ${'d'.repeat(4_097)}`]],
    ['metadata-too-long', ['description: d', 'metadata:', `  ${'k'.repeat(65)}: v`]],
    ['metadata-too-long', ['description: d', 'metadata:', `  v: ${'v'.repeat(4_097)}`]],
    ['metadata-too-many', ['description: d', 'metadata:', ...Array.from({ length: 65 }, (_, n) => `  k${n}: v`)]],
  ])('has each limit as an error in `strict` and `portable`: %s', async (code, lines) => {
    for (const profile of ['strict', 'portable'] as const) {
      const { catalog, codes } = await load(file(...lines), profile);
      expect({ skills: catalog.skills, codes }).toEqual({ skills: [], codes: [code] });
    }
  });
});

describe('the text of a catalog', () => {
  it('C29 has at most 1,024 characters of a description, and 1,536 with its hint', async () => {
    const { catalog, codes } = await load(file(`description: ${'d'.repeat(1_025)}`));
    expect(codes).toEqual(['description-too-long']);
    const { system } = await createToolkit(catalog).prepare([]);
    expect(system).toMatch(/\n- x: d{1023}…$/);
    expect((await load(file(`description: ${'d'.repeat(1_025)}`), 'strict')).catalog.skills).toEqual([]);
    const hinted = await load(file(`description: ${'d'.repeat(900)}`, `when_to_use: ${'w'.repeat(900)}`));
    expect((await createToolkit(hinted.catalog).prepare([])).system).toMatch(/\n- x: d{900} w{634}…$/);
  });

  it('says how many skills it leaves out, and how to find them', async () => {
    const files = Array.from({ length: 30 }, (_, index) => [
      `s${index}/SKILL.md`,
      `---\nname: s${index}\ndescription: d\n---\n`,
    ]);
    const catalog = await loadCatalog([memorySource(Object.fromEntries(files))]);
    const plan = { budget: { count: 10 } };
    expect((await createToolkit(catalog, { plan }).prepare([])).system).toContain(
      ' 20 skills are not listed. Find unlisted skills with find_skills.\n',
    );
    expect((await createToolkit(catalog, { plan, mode: 'awareness' }).prepare([])).system).toContain(
      ' 20 skills are not listed.\n',
    );
    expect(createToolkit(catalog, { plan, placement: 'tool' }).tools[0]?.description).toMatch(
      /\n\n20 skills are not listed\. Find unlisted skills with find_skills\.$/,
    );
    expect((await createToolkit(catalog).prepare([])).system).not.toContain('not listed');
  });
});
