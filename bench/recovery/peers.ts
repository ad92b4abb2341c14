// The loaders of other projects, each called in the way that its documentation shows.

import { join } from 'node:path';
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
import { experimental_createSkillTool as createSkillTool } from 'bash-tool';
import { listSkills } from 'deepagents';
import { readProperties } from 'skills-ref';
import { filesSkippedBySkills } from '../peers.ts';

/** A skill on disk: `root/directory/SKILL.md`. */
export interface LaidOut {
  readonly id: string;
  readonly root: string;
  readonly directory: string;
}

/** A loader; `load` returns the ids of the skills that it loads, and how many it threw for. */
export interface Peer {
  readonly name: string;
  readonly how: string;
  load(skills: readonly LaidOut[], base: string): Promise<{ loaded: ReadonlySet<string>; exceptions: number }>;
}

function eachBy(load: (skill: LaidOut) => Promise<boolean> | boolean): Peer['load'] {
  return async (skills) => {
    const loaded = new Set<string>();
    let exceptions = 0;
    for (const skill of skills) {
      try {
        if (await load(skill)) loaded.add(skill.id);
      } catch {
        exceptions += 1;
      }
    }
    return { loaded, exceptions };
  };
}

export const peers: readonly Peer[] = [
  {
    name: '@mastra/core',
    how: '`new Workspace({ skills }).skills.list()`',
    load: eachBy(async ({ root }) => {
      const filesystem = new LocalFilesystem({ basePath: root, readOnly: true });
      const workspace = new Workspace({ filesystem, skills: ['.'] });
      const skills = await workspace.skills?.list();
      return (skills?.length ?? 0) > 0;
    }),
  },
  {
    name: 'deepagents',
    how: '`listSkills({ projectSkillsDir })`',
    load: eachBy(({ root }) => listSkills({ projectSkillsDir: root }).length > 0),
  },
  {
    name: 'bash-tool',
    how: '`experimental_createSkillTool({ skillsDirectory })`',
    load: eachBy(async ({ root }) => (await createSkillTool({ skillsDirectory: root })).skills.length > 0),
  },
  {
    name: 'skills-ref',
    how: '`readProperties(directory)`',
    load: eachBy(async ({ root, directory }) => {
      const { name, description } = await readProperties(join(root, directory));
      return typeof name === 'string' && typeof description === 'string';
    }),
  },
  {
    name: 'skills',
    how: '`skills add DIR --list --full-depth`, everything except what it reports as skipped',
    load: async (skills, base) => {
      const skipped = filesSkippedBySkills(import.meta.dirname, base);
      const loaded = skills.filter(({ root, directory }) => !skipped.has(join(root, directory, 'SKILL.md')));
      return { loaded: new Set(loaded.map(({ id }) => id)), exceptions: 0 };
    },
  },
];
