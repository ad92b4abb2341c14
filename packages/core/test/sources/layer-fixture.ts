// A source of three skills, one without a name of its own, and what a catalog says of its skills.

import { loadCatalog } from '../../src/catalog/catalog.ts';
import type { SkillEntry, SkillSource } from '../../src/skill/source.ts';
import { type MemorySourceOptions, memorySource } from '../../src/sources/memory.ts';

/** Writes a `SKILL.md`. */
export const skill = (name: string, description = `About ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody of ${name}.\n`;

/** Loads sources and lists the skills with their descriptions. */
export async function describeSkills(...sources: readonly SkillSource[]): Promise<readonly string[]> {
  const { skills } = await loadCatalog(sources);
  return skills.map(({ name, description }) => `${name}: ${description}`);
}

export const source: SkillSource = memorySource({
  'pdf/SKILL.md': skill('pdf'),
  'docs/SKILL.md': skill('docs'),
  'unnamed/SKILL.md': '---\ndescription: Has no name.\n---\n',
});

/** A source whose files can be replaced, and which hands over only the heads that are not known. */
export interface StampedSource {
  readonly source: SkillSource;
  files: Readonly<Record<string, string>>;
  /** The directories whose head was handed over or read since this was asked last. */
  readonly read: () => readonly string[];
}

/** Creates such a source; the stamp of a skill is the length of its `SKILL.md`. */
export function stampedSource(
  files: Readonly<Record<string, string>>,
  options: MemorySourceOptions = {},
): StampedSource {
  let read: string[] = [];
  const current = (): SkillSource => memorySource(stamped.files, options);
  const stamped: StampedSource = {
    files,
    source: {
      ...memorySource({}, options),
      async list({ known } = {}) {
        const { entries, diagnostics } = await current().list();
        const listed = entries.map((entry): SkillEntry => {
          const stamp = String(entry.bytes);
          if (known?.get(entry.directory)?.stamp === stamp)
            return withoutSidecar({ ...entry, stamp, head: new Uint8Array() });
          read.push(entry.directory);
          return { ...entry, stamp };
        });
        return { entries: listed, diagnostics };
      },
      listFiles: (...input) => current().listFiles(...input),
      async readFile(directory, path, readOptions) {
        if (path === 'SKILL.md') read.push(directory.directory);
        return current().readFile(directory, path, readOptions);
      },
    },
    read: () => {
      const since = read;
      read = [];
      return since;
    },
  };
  return stamped;
}

function withoutSidecar({ sidecar: _, ...entry }: SkillEntry): SkillEntry {
  return entry;
}
