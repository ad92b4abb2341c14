// The port: where skills come from. A source hands over raw data; parsing, precedence and limits belong to the core.

import type { Diagnostic, SkillProfile } from '../diagnostics/diagnostic.ts';

/**
 * Precedence level of a skill: these are the levels that sources give, `admin` for skills of the machine and `synced` for
 * skills that a service keeps for the user. Hosts may add levels of their own, such as `enterprise`.
 */
export type SkillScope = 'project' | 'user' | 'admin' | 'plugin' | 'package' | 'builtin' | 'synced' | (string & {});

/** How to find one skill's directory again. */
export interface SkillDirectory {
  /** Path of the directory as the source writes it, which may lead through links. Unique within the source. */
  readonly directory: string;
  /** Path of the `SKILL.md` in it. */
  readonly location: string;
  /** By what the source finds the directory again, such as its path without links; opaque to others. */
  readonly identity?: string;
  /**
   * The rules that the skill is read by. Under `strict` and `portable` a source of files reads none that has several hard
   * links, for it may be one from outside of the skill. In a listing, the rules that the skill must pass where they are
   * stricter than those of the catalog; loading a catalog tells each skill.
   * @default 'lenient'
   */
  readonly profile?: SkillProfile;
}

/** A directory that holds a `SKILL.md`, and the beginning of that file. */
export interface SkillEntry extends SkillDirectory {
  /** The name in the catalog, where a layer gives another one than the skill itself. */
  readonly name?: string;
  /** Name of the plugin or the npm package that brings the skill. */
  readonly plugin?: string;
  /** The first bytes of `SKILL.md`, best up to the end of its frontmatter; what is missing is read by `readFile`. */
  readonly head: Uint8Array;
  /** Size of `SKILL.md` in bytes. */
  readonly bytes: number;
  /** The Codex sidecar `agents/openai.yaml`, where there is one. */
  readonly sidecar?: Uint8Array;
  /** Whether the directory holds more than `SKILL.md`, where the source can tell without another look. */
  readonly hasFiles?: boolean;
  /** Differs whenever the entry does; given by sources that can tell without reading. */
  readonly stamp?: string;
  /** True where the stamp is the one that was asked with: then nothing was read, and the head is empty. */
  readonly unchanged?: true;
}

/** What is remembered of an entry for the next listing. */
export type KnownEntry = Pick<SkillEntry, 'stamp' | 'identity'>;

/** What a source found, and what it could not read. */
export interface SkillListing {
  readonly entries: readonly SkillEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One bundled file: a relative POSIX path, as it is and so never for a prompt, and a size in bytes. */
export interface SkillFile {
  readonly path: string;
  readonly bytes: number;
}

/** The files of one skill. */
export interface SkillFileListing {
  /** Sorted by path; `SKILL.md` is not among them. */
  readonly files: readonly SkillFile[];
  /** True where not everything was seen: a limit ended the walk, or a directory could not be read. */
  readonly truncated: boolean;
  /**
   * Paths that were left out because `readFile` could not read them by such a name, 20 at most; as they are, so never for a
   * prompt.
   */
  readonly refused?: readonly string[];
}

export interface SourceOptions {
  /** Ends the work early; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends SourceOptions {
  /** Entries of an earlier listing by directory. A source need not read those whose stamp still fits. */
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
  /**
   * The rules of the catalog. Under `strict` and `portable` a source withholds what it would only warn of otherwise, such as
   * a directory that others can write to.
   * @default 'lenient'
   */
  readonly profile?: SkillProfile | undefined;
}

export interface ReadFileOptions extends SourceOptions {
  /**
   * The file is refused when it is larger.
   * @default 5 MiB
   */
  readonly maxBytes?: number | undefined;
  /** Reads only this many bytes from the start, whatever the size of the file. */
  readonly length?: number | undefined;
  /**
   * Takes the path for one that `listFiles` gave, whatever characters its names have. `..`, absolute and empty paths, NUL
   * and half characters are refused all the same. What a model wrote is never read so.
   * @default false
   */
  readonly fromListing?: boolean | undefined;
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
  /** Where false, `loadCatalog` never calls `list`: not even a description is read. */
  readonly trusted: boolean;
  /** The directory that the skills are below, if they are files of this machine. */
  readonly root?: string;
  /** Finds the skills, in an order that does not depend on the disk. A broken skill is a diagnostic, a broken source a rejection. */
  list(options?: ListOptions): Promise<SkillListing>;
  /** Lists the bundled files of one skill; `readFile` with `listed` reads each of them by its path. */
  listFiles(skill: SkillDirectory, options?: SourceOptions): Promise<SkillFileListing>;
  /**
   * Reads one bundled file, confined to the skill.
   *
   * @throws {SkillError} `resource-outside-skill`, `resource-unknown`, `resource-too-large`, `resource-unreadable`
   */
  readFile(skill: SkillDirectory, path: string, options?: ReadFileOptions): Promise<Uint8Array>;
}
