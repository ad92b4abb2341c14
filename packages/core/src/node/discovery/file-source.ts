// The source for directories: skills as every client keeps them on disk.

import { resolve } from 'node:path';
import { createDiagnostic } from '../../diagnostics/diagnostic.ts';
import type { SkillScope, SkillSource } from '../../skill/source.ts';
import { containment } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { type FileSystem, nodeFileSystem } from '../disk/file-system.ts';
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
   * Where false, a catalog does not read anything below the root.
   * @default true
   */
  readonly trusted?: boolean | undefined;
  /**
   * Directories from the root down to a skill: 1 finds `<root>/<name>/SKILL.md` only.
   * @default 4
   */
  readonly depth?: number | undefined;
  /**
   * Walks on through links to directories. A link to a skill directory itself is always followed.
   * @default false
   */
  readonly followSymlinks?: boolean | undefined;
  /**
   * Reads a `SKILL.md` that is itself a link to a file of its skill.
   * @default true
   */
  readonly followFileLinks?: boolean | undefined;
  /**
   * Directories without a `SKILL.md` that are searched before the walk ends with a diagnostic.
   * @default 2000
   */
  readonly maxDirectories?: number | undefined;
  /**
   * Takes a child `skills` of the root for the root, where the root is neither called `skills` nor a skill itself. Skills
   * beside that child are reported, as far as they are among the first 500 entries of the root.
   * @default true
   */
  readonly skillsChild?: boolean | undefined;
  /**
   * Walks into directories whose names begin with a dot, too, after all others; never into `.git`, `.hg` and `.svn`.
   * @default false
   */
  readonly hidden?: boolean | undefined;
  /**
   * Withholds everything where the root, or a directory above it up to this one, belongs to another user than the
   * superuser or may be written to by everybody. Without it, such a root is withheld where the catalog is loaded under
   * `strict` or `portable`, else it is a diagnostic and read nevertheless.
   */
  readonly safeUpTo?: string | undefined;
  /**
   * Reads a root that is in the hands of others under every profile; it stays a diagnostic.
   * @default false
   */
  readonly allowUnsafe?: boolean | undefined;
}

/** Entries that are read of one directory. */
const maxEntries = 100_000;

/**
 * Creates a source from a directory, which need not exist.
 *
 * Finds each real directory once, nothing below a skill, and nothing in `.git`, `node_modules` or, unless `hidden` is set,
 * other hidden directories. Reads in slices of about 12 ms. Links and races cannot lead a read out of a skill; see
 * `containment`.
 */
export function fileSource(path: string, options: FileSourceOptions = {}): SkillSource {
  return createFileSource(nodeFileSystem, path, options);
}

/** Creates the same source on a file system that a test can make fail, and that may prove less than this one. */
export function createFileSource(
  files: FileSystem,
  path: string,
  options: FileSourceOptions,
  assurance?: 'kernel' | 'best-effort',
): SkillSource {
  const root = resolve(path);
  const { scope = 'project', id = scope, trusted = true } = options;
  const { depth = 4, maxDirectories = 2000, skillsChild = true, hidden = false } = options;
  const { followSymlinks = false, followFileLinks = true, safeUpTo, allowUnsafe = false } = options;
  return {
    id,
    scope,
    trusted,
    root,
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
        safeUpTo: allowUnsafe ? undefined : (safeUpTo ?? (profile === 'lenient' ? undefined : root)),
        known,
        profile,
        signal,
      });
      // Asked for only now, because to ask takes a descriptor, and there may be none for a moment.
      const isSure = (assurance ?? (await waitForDescriptors(containment, signal))) === 'kernel';
      if (isSure || entries.length === 0) return { entries, diagnostics };
      const unproven = createDiagnostic('containment-best-effort', { source: id, location: root });
      return { entries, diagnostics: [unproven, ...diagnostics] };
    },
    listFiles: (skill, { signal } = {}) => listSkillFiles(files, skill, signal),
    readFile: (skill, file, readOptions = {}) => readSkillFile(files, skill, file, readOptions),
  };
}
