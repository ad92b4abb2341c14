// The source for directories: skills as every client keeps them on disk.

import { resolve } from 'node:path';
import { createDiagnostic } from '../../diagnostics/diagnostic.ts';
import { SkillError } from '../../skill/error.ts';
import { checkCounts } from '../../skill/number-options.ts';
import type { SkillScope, SkillSource } from '../../skill/source.ts';
import { containment } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { type FileSystem, nodeFileSystem } from '../disk/file-system.ts';
import { canonicalPath } from '../environment/project.ts';
import { listSkillFiles } from './list-files.ts';
import { readSkillFile } from './read-file.ts';
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
   * If false, a catalog does not read anything below the root.
   * @default true
   */
  readonly trusted?: boolean | undefined;
  /**
   * Directories from the root down to a skill: 1 finds `<root>/<name>/SKILL.md` only.
   * @default 4
   */
  readonly depth?: number | undefined;
  /**
   * Walks through links to directories, each real directory once. A link to a skill directory itself is always followed.
   * @default true
   */
  readonly followSymlinks?: boolean | undefined;
  /**
   * Reads a `SKILL.md` that is itself a link to a file of its skill.
   * @default true
   */
  readonly followFileLinks?: boolean | undefined;
  /**
   * Directories without a `SKILL.md` to search before the walk ends with a diagnostic.
   * @default 2000
   */
  readonly maxDirectories?: number | undefined;
  /**
   * Searches a child `skills` instead of the root, unless the root is called `skills` or is a skill itself. Skills beside that
   * child are reported if they are among the root's first 500 entries.
   * @default true
   */
  readonly skillsChild?: boolean | undefined;
  /**
   * Also walks into directories whose names begin with a dot, after all others; never into `.git`, `.hg` and `.svn`.
   * @default false
   */
  readonly hidden?: boolean | undefined;
  /**
   * The project that the root belongs to, and that decisions about its skills are stored for. If the root or a link in it leads out
   * of the project, skills found there are reported as `root-external`.
   */
  readonly project?: string | undefined;
  /**
   * If false, nothing outside the project is read; instead, it is reported as `path-external`.
   * @default true
   */
  readonly allowExternal?: boolean | undefined;
  /**
   * Reads nothing if other users can change the root or one of its parents, up to this one: another user than root owns it, or
   * everyone can write to it. By default, `strict` and `portable` check the root alone, and `lenient` reads such a root with a
   * diagnostic.
   */
  readonly safeUpTo?: string | undefined;
  /**
   * Reads a root that other users can change under every profile, with a diagnostic.
   * @default false
   */
  readonly allowUnsafe?: boolean | undefined;
}

/** Entries to read from one directory. */
const maxEntries = 100_000;

/**
 * Creates a source from a directory, which need not exist.
 *
 * Finds each real directory once, nothing below a skill, and nothing in `.git`, `node_modules` or, unless `hidden` is set,
 * other hidden directories. Blocks the event loop for about 12 ms at a time. Links and races cannot lead a read out of a
 * skill; see `containment`.
 *
 * @throws {SkillError} `options-invalid` if the path is empty, or `depth` or `maxDirectories` is not a whole number
 */
export function fileSource(path: string, options: FileSourceOptions = {}): SkillSource {
  return createFileSource(nodeFileSystem, path, options);
}

/** Creates the same source on any file system, so that a test can make it fail or prove less. */
export function createFileSource(
  files: FileSystem,
  path: string,
  options: FileSourceOptions,
  assurance?: 'kernel' | 'best-effort',
): SkillSource {
  if (path === '')
    throw new SkillError('options-invalid', 'The path of a source is empty. For the working directory, pass `.`.');
  const root = resolve(path);
  const { scope = 'project', id = scope, trusted = true } = options;
  const { depth = 4, maxDirectories = 2000, skillsChild = true, hidden = false } = options;
  checkCounts({ depth, maxDirectories });
  const { followSymlinks = true, followFileLinks = true, safeUpTo, allowUnsafe = false } = options;
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
        allowExternal: options.allowExternal,
        safeUpTo: allowUnsafe ? undefined : (safeUpTo ?? (profile === 'lenient' ? undefined : root)),
        known,
        profile,
        signal,
      });
      // Asked only now, because it takes a descriptor, and for a moment there may be none left.
      const isSure = (assurance ?? (await waitForDescriptors(containment, signal))) === 'kernel';
      if (isSure || entries.length === 0) return { entries, diagnostics };
      const unproven = createDiagnostic('containment-best-effort', { source: id, location: root });
      return { entries, diagnostics: [unproven, ...diagnostics] };
    },
    listFiles: (skill, listOptions = {}) => listSkillFiles(files, skill, listOptions),
    readFile(skill, file, readOptions = {}) {
      // Discovery looks for skills below the root, even if that is one, but not below any other skill.
      return readSkillFile(files, skill, file, { ...readOptions, isOuter: skill.directory === root });
    },
  };
}
