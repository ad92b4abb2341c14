// The port: where skills come from. A source returns raw data; parsing, precedence and limits belong to the core.

import type { Diagnostic, SkillProfile } from '../diagnostics/diagnostic.ts';

/** The scopes that Skillful knows. */
export const knownScopes = ['project', 'user', 'admin', 'plugin', 'package', 'builtin', 'synced', 'remote'] as const;

/**
 * Precedence level of a skill: `admin` is for skills of the whole machine, `synced` for skills that a service stores for the
 * user. `remote` is for skills that others publish: by default, a person is asked before a model activates one. Applications may
 * add their own levels, such as `enterprise`.
 */
export type SkillScope = (typeof knownScopes)[number] | (string & {});

/** Identifies the directory of one skill. */
export interface SkillDirectory {
  /** Path of the directory as the source writes it, which may lead through links. Unique within the source. */
  readonly directory: string;
  /** Path of the `SKILL.md` in it. */
  readonly location: string;
  /**
   * How the source finds the directory again, such as its path without links; opaque to others. If skills of several sources have
   * the same identity, a catalog keeps only the first, so strangers must not be able to choose it.
   */
  readonly identity?: string | undefined;
  /** How the source notices that another directory replaced this one; opaque to others. */
  readonly inode?: string | undefined;
  /** The source from which an overlay has the skill; opaque to others. */
  readonly origin?: string | undefined;
  /**
   * The rules for reading the skill. Under `strict` and `portable`, a source that reads from disk refuses files with several hard
   * links, because they may come from outside the skill. In a listing, set only if stricter than the catalog's profile; a loaded
   * skill always has the profile that applies.
   * @default 'lenient'
   */
  readonly profile?: SkillProfile;
}

/** A directory with a `SKILL.md`, and the beginning of that file. */
export interface SkillEntry extends SkillDirectory {
  /** The name in the catalog, if a layer renames the skill. */
  readonly name?: string | undefined;
  /** The name in the frontmatter, if a layer has read it, so that the next listing need not read it again. */
  readonly ownName?: string;
  /** Name of the plugin or npm package that contains the skill. */
  readonly plugin?: string | undefined;
  /**
   * The name to use instead of that of the directory, if an installer chose that one.
   * @default the name of the directory
   */
  readonly directoryName?: string;
  /**
   * The first bytes of `SKILL.md`, ideally up to the end of its frontmatter; `readFile` reads the rest. A source may leave out
   * the head and the sidecar of a known entry if its stamp and identity have not changed: the head is then empty.
   */
  readonly head: Uint8Array;
  /** Size of `SKILL.md` in bytes. */
  readonly bytes: number;
  /** Bytes of the Codex sidecar `agents/openai.yaml`, or a text that explains why it cannot be read. */
  readonly sidecar?: Uint8Array | string;
  /** Whether the directory contains more than `SKILL.md`, if the source knows without another read. */
  readonly hasFiles?: boolean;
  /** Changes whenever `SKILL.md` or the sidecar does; set by sources that can compute it without reading them. */
  readonly stamp?: string | undefined;
  /** How the source notices that no sidecar was added; opaque to others. */
  readonly plainSince?: number | undefined;
}

/** What is remembered of an entry for the next listing. */
export interface KnownEntry {
  readonly identity?: string | undefined;
  readonly ownName?: string | undefined;
  readonly stamp?: string | undefined;
  readonly plainSince?: number | undefined;
  /** The skill that was made from the entry, if any. */
  readonly skill?: Pick<SkillDirectory, 'location'> | undefined;
}

/** What a source found, and what it could not read. The listing and its bytes must never change afterwards. */
export interface SkillListing {
  readonly entries: readonly SkillEntry[];
  readonly diagnostics: readonly Diagnostic[];
  /** What a layer left out, so that the next listing need not read it again. */
  readonly omitted?: ReadonlyMap<string, KnownEntry>;
}

/** One bundled file: a relative POSIX path and a size in bytes. The path is raw: never put it in a prompt unescaped. */
export interface SkillFile {
  readonly path: string;
  readonly bytes: number;
}

/** The files of one skill. */
export interface SkillFileListing {
  /** Sorted by path in code-unit order; `SKILL.md` is not among them. */
  readonly files: readonly SkillFile[];
  /** True if files may be missing: a limit ended the walk, or a directory could not be read. */
  readonly truncated: boolean;
  /**
   * Paths that were left out because `readFile` could not read files with such names, 20 at most. They are raw: never put
   * them in a prompt unescaped.
   */
  readonly refused?: readonly string[];
}

export interface SourceOptions {
  /** Ends the work early; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends SourceOptions {
  /** Entries of an earlier listing by directory. A source need not read those whose stamp is still the same. */
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
  /**
   * The rules of the catalog. Under `strict` and `portable` a source withholds what it would otherwise only warn of, such as
   * a directory that other users can write to.
   * @default 'lenient'
   */
  readonly profile?: SkillProfile | undefined;
}

export interface ListFilesOptions extends SourceOptions {
  /**
   * Throws for a file that must be neither listed nor read. A source calls it with the path, relative to the skill, of each file
   * that a link leads to; a source without links need not call it.
   */
  readonly checkPath?: ((path: string) => void) | undefined;
}

export interface ReadFileOptions extends ListFilesOptions {
  /**
   * A larger file is refused.
   * @default 5 MiB
   */
  readonly maxBytes?: number | undefined;
  /** Reads only this many bytes from the start, whatever the size of the file. */
  readonly length?: number | undefined;
  /**
   * Accepts any path that `listFiles` returned, whatever characters its names have. `..`, absolute and empty paths, NUL
   * and half characters are still refused. Never set for a path that a model wrote.
   * @default false
   */
  readonly fromListing?: boolean | undefined;
  /** Refuses a file unless its real path, with links resolved, is below one of these directories of the skill. */
  readonly directories?: readonly string[] | undefined;
}

/**
 * Where skills come from: a directory, memory, a package, a server.
 *
 * An implementation is a factory that returns a plain object and passes `testSource` of `@skillful/testing`.
 */
export interface SkillSource {
  /** Names the source in diagnostics: `project`, `user`, `https://…`. */
  readonly id: string;
  /** Precedence level of everything in it. */
  readonly scope: SkillScope;
  /** If false, `loadCatalog` never calls `list`: not even a description is read. */
  readonly trusted: boolean;
  /** The directory above the skills, if they are on this machine. */
  readonly root?: string | undefined;
  /** The directory of the project that the skills belong to, if any. */
  readonly project?: string | undefined;
  /**
   * All directories that this source searches, or its preset, highest precedence first, including missing ones. A catalog without
   * any skills names them.
   */
  readonly searched?: readonly string[] | undefined;
  /**
   * Finds the skills, in an order that does not depend on the disk. Reports a broken skill as a diagnostic; rejects only if the
   * whole source fails.
   */
  list(options?: ListOptions): Promise<SkillListing>;
  /** Lists the bundled files of one skill; `readFile` with `fromListing` reads each of them by its path. */
  listFiles(skill: SkillDirectory, options?: ListFilesOptions): Promise<SkillFileListing>;
  /**
   * Reads one bundled file, confined to the skill.
   *
   * @throws {SkillError} `resource-outside-skill`, `resource-unknown`, `resource-too-large`, `resource-unreadable`
   */
  readFile(skill: SkillDirectory, path: string, options?: ReadFileOptions): Promise<Uint8Array>;
  /**
   * Calls back after each change, and whenever one may have been missed, until the signal aborts. Only sources that notice
   * changes themselves have it; `watchCatalog` polls all others.
   */
  watch?(onChange: () => void, signal: AbortSignal): void;
}
