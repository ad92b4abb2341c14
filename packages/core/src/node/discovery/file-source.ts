// The source for skills in directories, as every client keeps them on disk.

import { resolve } from 'node:path';
import { createDiagnostic } from '../../diagnostics/diagnostic.ts';
import { checkCounts, checkDecisions, checkKeys } from '../../skill/options.ts';
import type { SkillScope, SkillSource } from '../../skill/source.ts';
import { containment } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { type FileSystem, nodeFileSystem } from '../disk/file-system.ts';
import { canonicalPath } from '../environment/project.ts';
import { listSkillFiles } from './list-files.ts';
import { readSkillFile } from './read-file.ts';
import { checkRootPath } from './root.ts';
import { scanRoot } from './scan.ts';

export interface FileSourceOptions {
  /**
   * Names the source in diagnostics.
   * @default the scope
   */
  readonly id?: string | undefined;
  /** @default 'project' */
  readonly scope?: SkillScope | undefined;
  /**
   * If false, a catalog reads nothing below the root.
   * @default true
   */
  readonly trusted?: boolean | undefined;
  /**
   * Most directories from the root down to a skill: 1 finds `<root>/<name>/SKILL.md` only.
   * @default 4
   */
  readonly depth?: number | undefined;
  /**
   * Follows links to directories, and visits each real directory once. A link to a skill directory is always followed.
   * @default true
   */
  readonly followSymlinks?: boolean | undefined;
  /**
   * Reads a `SKILL.md` that is itself a link to a file of its skill.
   * @default true
   */
  readonly followFileLinks?: boolean | undefined;
  /**
   * Most directories without a `SKILL.md` to search; then the walk ends with a diagnostic.
   * @default 2000
   */
  readonly maxDirectories?: number | undefined;
  /**
   * Searches a child `skills` instead of the root, unless the root is called `skills` or is a skill itself. Skills next to that
   * child are reported if they are among the first 500 entries of the root.
   * @default true
   */
  readonly skillsChild?: boolean | undefined;
  /**
   * Also searches directories whose names begin with a dot, after all others, but never `.git`, `.hg` and `.svn`.
   * @default false
   */
  readonly hidden?: boolean | undefined;
  /**
   * The project that the root belongs to. Decisions about its skills are stored for this project. If the root or a link in it
   * leads out of the project, that is reported as `root-external`.
   */
  readonly project?: string | undefined;
  /**
   * If false, nothing outside the project is read, and the attempt is reported as `path-external`.
   * @default true
   */
  readonly allowExternal?: boolean | undefined;
  /**
   * Reads nothing if other users can change the root or a parent up to this directory, because another user (except root) owns it
   * or everyone can write to it. By default, `strict` and `portable` check only the root, and `lenient` reads such a root with a
   * diagnostic.
   */
  readonly safeUpTo?: string | undefined;
  /**
   * Reads a root even if other users can change it, under every profile, with a diagnostic.
   * @default false
   */
  readonly allowUnsafe?: boolean | undefined;
}

/** All options. If `trusted` were misspelt, an untrusted root would be read. */
const optionNames =
  'id scope trusted depth followSymlinks followFileLinks maxDirectories skillsChild hidden project allowExternal safeUpTo allowUnsafe'.split(
    ' ',
  );

const maxEntries = 100_000;

/**
 * Creates a source from a directory, which need not exist.
 *
 * Visits each real directory once. Does not search below a skill, in `.git` and `node_modules` or, unless `hidden` is set, in
 * other hidden directories. Blocks the event loop for about 12 ms at a time. Links and races cannot make it read outside a skill;
 * see `containment`.
 *
 * @throws {SkillError} `options-invalid` if the path is empty or no text, or an option is unknown or not valid
 */
export function fileSource(path: string, options: FileSourceOptions = {}): SkillSource {
  return createFileSource(nodeFileSystem, path, options);
}

/** Creates the same source on a given file system, so that tests can make calls fail. */
export function createFileSource(files: FileSystem, path: string, options: FileSourceOptions): SkillSource {
  checkRootPath(path);
  checkKeys('options', options, optionNames);
  const root = resolve(path);
  const { scope = 'project', id = scope, trusted = true } = options;
  const { depth = 4, maxDirectories = 2000, skillsChild = true, hidden = false } = options;
  checkCounts({ depth, maxDirectories });
  const { followSymlinks = true, followFileLinks = true, safeUpTo, allowExternal, allowUnsafe } = options;
  checkDecisions({ allowExternal, allowUnsafe });
  const project = options.project === undefined ? undefined : canonicalPath(options.project);
  return {
    id,
    scope,
    trusted,
    root,
    project,
    async list({ signal, known, profile = 'lenient' } = {}) {
      const { entries, diagnostics } = await scanRoot(files, root, {
        source: id,
        depth,
        followSymlinks,
        followFileLinks,
        maxDirectories,
        maxEntries,
        skillsChild,
        hidden,
        rootSkill: true,
        project,
        allowExternal,
        safeUpTo: safeUpTo ?? (profile === 'lenient' ? undefined : root),
        allowUnsafe,
        known,
        profile,
        signal,
      });
      // Checked only when listing, because the check opens a file and may have to wait for a free descriptor.
      const isSure = (await waitForDescriptors(containment, signal)) === 'kernel';
      if (isSure || entries.length === 0) return { entries, diagnostics };
      const unproven = createDiagnostic('containment-best-effort', { source: id, location: root });
      return { entries, diagnostics: [unproven, ...diagnostics] };
    },
    listFiles: (skill, listOptions = {}) => listSkillFiles(files, skill, listOptions),
    readFile(skill, file, readOptions = {}) {
      // Other skills can only be below a skill if it is at the root, because discovery does not search below other skills.
      return readSkillFile(files, skill, file, readOptions, skill.directory === root);
    },
  };
}
