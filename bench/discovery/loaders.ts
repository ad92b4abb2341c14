// The loaders that are compared, each called in the way that its documentation shows.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a loader returned for one root. */
export interface Answer {
  /** Names of the directories whose skill was read; called after the measurement. */
  readonly directories: () => readonly string[];
  /** Everything that an application would keep of the answer. */
  readonly kept: unknown;
  /** Loads again. Only loaders that can reuse an earlier answer have it. */
  reload?(): Promise<unknown>;
}

/** Imports the loader and returns the function that reads a root. */
export type Loader = () => Promise<(root: string) => Promise<Answer> | Answer>;

/** Two passes over the files without understanding them, Skillful, and the loaders of other projects. */
export const loaders: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  [
    'raw',
    async () => (root) => {
      const names = readdirSync(root).filter((name) => readFileSync(join(root, name, 'SKILL.md')).length >= 0);
      return { directories: () => names, kept: undefined };
    },
  ],
  [
    'stat',
    async () => (root) => {
      const names = readdirSync(root).filter((name) => statSync(join(root, name, 'SKILL.md')).size >= 0);
      return { directories: () => names, kept: undefined };
    },
  ],
  [
    'skillful',
    async () => {
      const { loadCatalog } = await import('./core/index.js');
      const { fileSource } = await import('./core/node/index.js');
      return async (root) => {
        const sources = [fileSource(root)];
        const catalog = await loadCatalog(sources);
        return {
          // A skill that lost a name collision was read like any other.
          directories: () =>
            [...catalog.skills, ...catalog.shadowed.map(({ skill }) => skill)].map(({ directory }) =>
              basename(directory),
            ),
          kept: catalog,
          reload: () => loadCatalog(sources, { previous: catalog }),
        };
      };
    },
  ],
  [
    '@mastra/core',
    async () => {
      const { LocalFilesystem, Workspace } = await import('@mastra/core/workspace');
      return async (root) => {
        const filesystem = new LocalFilesystem({ basePath: root, readOnly: true });
        const workspace = new Workspace({ filesystem, skills: ['.'] });
        const skills = (await workspace.skills?.list()) ?? [];
        return { directories: () => skills.map(({ path }) => basename(path)), kept: [workspace, skills] };
      };
    },
  ],
  [
    'deepagents',
    async () => {
      const { listSkills } = await import('deepagents');
      return (root) => {
        const skills = listSkills({ projectSkillsDir: root });
        return { directories: () => skills.map(({ path }) => basename(dirname(path))), kept: skills };
      };
    },
  ],
  [
    'bash-tool',
    async () => {
      const { experimental_createSkillTool: createSkillTool } = await import('bash-tool');
      return async (root) => {
        const toolkit = await createSkillTool({ skillsDirectory: root });
        return { directories: () => toolkit.skills.map(({ localPath }) => basename(localPath)), kept: toolkit };
      };
    },
  ],
  [
    'skills-ref',
    async () => {
      const { readProperties } = await import('skills-ref');
      return async (root) => {
        const skills = new Map<string, unknown>();
        for (const name of readdirSync(root)) {
          // It throws for a skill that it cannot read.
          await readProperties(join(root, name)).then(
            (properties) => skills.set(name, properties),
            () => {},
          );
        }
        return { directories: () => [...skills.keys()], kept: skills };
      };
    },
  ],
  [
    '@skillkit/core',
    async () => {
      const { discoverSkills } = await import('@skillkit/core');
      return (root) => {
        const skills = discoverSkills(root);
        return { directories: () => skills.map(({ path }) => basename(path)), kept: skills };
      };
    },
  ],
]);
