import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillEntry, SkillSource } from '../../src/skill/source.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { memorySource } from '../../src/sources/memory.ts';

interface Listed {
  readonly name: string;
  readonly identity: string | undefined;
}

const skillFile = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\n`;

/** A source of which each entry has a directory of its own. */
function createSource(id: string, listed: readonly Listed[]): SkillSource {
  const entries = listed.map(({ name, identity }, index): SkillEntry => {
    const head = new TextEncoder().encode(skillFile(name));
    const directory = `${id}-${index}`;
    return { directory, location: `${directory}/SKILL.md`, identity, head, bytes: head.length };
  });
  return { ...memorySource({}, { id }), list: async () => ({ entries, diagnostics: [] }) };
}

/** Who has which name, one entry after the other. Names in another case are the same. */
function decide(sources: readonly (readonly Listed[])[]) {
  const winners = new Map<string, string>();
  const shadowed: string[] = [];
  const identities = new Set<string>();
  for (const [source, listed] of sources.entries()) {
    for (const [index, { name, identity }] of listed.entries()) {
      if (identity !== undefined && identities.has(identity)) continue;
      if (identity !== undefined) identities.add(identity);
      const key = name.toLowerCase();
      const directory = `${source}-${index}`;
      if (winners.has(key)) shadowed.push(`${directory} by ${winners.get(key)}`);
      else winners.set(key, directory);
    }
  }
  return { winners: [...winners.values()].sort(), shadowed };
}

it('decides for sources that have nothing in common as for all others', async () => {
  const listed = fc.record({
    name: fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B'), minLength: 1, maxLength: 3 }),
    identity: fc.option(fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'), { nil: undefined }),
  });
  const sources = fc.array(fc.array(listed, { maxLength: 4 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(sources, async (given) => {
      const made = given.map((each, index) => createSource(`${index}`, each));
      const { skills, shadowed, diagnostics } = await loadCatalog(made);
      const expected = decide(given);
      expect(skills.map(({ directory }) => directory).sort()).toEqual(expected.winners);
      expect(shadowed.map(({ skill, by }) => `${skill.directory} by ${by.directory}`)).toEqual(expected.shadowed);
      expect(skills.map(({ name }) => name)).toEqual(skills.map(({ name }) => name).sort());
      const locations = diagnostics.filter(({ code }) => code === 'skill-shadowed').map(({ location }) => location);
      expect(locations).toEqual(shadowed.map(({ skill }) => skill.location));
    }),
    { numRuns: 1_000 },
  );
});

it('counts a source that is given twice once', async () => {
  const source = cacheSource(memorySource({ 'a/SKILL.md': skillFile('a'), 'b/SKILL.md': skillFile('b') }));
  const { skills, shadowed } = await loadCatalog([source, source]);
  expect([skills.map(({ name }) => name), shadowed.map(({ skill }) => skill.name)]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});
