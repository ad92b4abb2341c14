// Catalogs made of nothing but names and descriptions, for tests of what is shown of them.

import { completeProperties } from '../../src/format/write/write.ts';
import { type Catalog, memorySource, type Skill, type SkillProperties } from '../../src/index.ts';

/** Creates a skill that was never read from anywhere. */
export function fakeSkill(name: string, description: string, properties: Partial<SkillProperties> = {}): Skill {
  return {
    name,
    description,
    properties: completeProperties({ name, description, ...properties }),
    source: memorySource({}),
    directory: name,
    location: `${name}/SKILL.md`,
    bytes: 0,
  };
}

/** Creates a catalog of skills that were never read from anywhere. */
export function fakeCatalog(skills: readonly Skill[]): Catalog {
  return { skills, shadowed: [], rejected: [], withheld: [], diagnostics: [] };
}
