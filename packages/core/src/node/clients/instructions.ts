// Loads the instruction files of a project and a user, such as `AGENTS.md`, which an agent reads before any request.

import { isUtf8 } from 'node:buffer';
import { realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { presentText } from '../../disclosure/present.ts';
import { checkCounts } from '../../skill/options.ts';
import { lookKey } from '../../text/look-alikes.ts';
import { oneLine } from '../../text/neutral.ts';
import { isBelow, openContained, openRegular, pathBelow } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { nodeFileSystem } from '../disk/file-system.ts';
import { findHazard } from '../disk/ownership.ts';
import { explainFailure, readAndClose } from '../disk/read.ts';
import { findProject, type Project } from '../environment/project.ts';
import { decideTrust } from '../environment/trust.ts';
import {
  checkClientName,
  findUserDirectories,
  type UserDirectories,
  type UserDirectoriesOptions,
} from '../environment/user-directories.ts';
import { findClientDirectories } from './client-directories.ts';
import type { ClientPresetOptions } from './preset.ts';

export interface LoadInstructionFilesOptions
  extends UserDirectoriesOptions,
    Pick<ClientPresetOptions, 'cwd' | 'trusted' | 'signal'> {
  /**
   * Name of the client, for `.<name>/AGENTS.md`.
   * @default 'skillful'
   */
  readonly name?: string | undefined;
  /**
   * Reads project files even if another user owns them or a directory above them, or everyone can write to them. By default, such
   * files are left out.
   * @default false
   */
  readonly allowUnsafe?: boolean | undefined;
  /**
   * Bytes of the longest file that is read; longer files are left out.
   * @default 262,144
   */
  readonly maxBytes?: number | undefined;
}

/** One `AGENTS.md` or `CLAUDE.md`. */
export interface InstructionFile {
  readonly location: string;
  readonly scope: 'user' | 'project';
  readonly bytes: number;
  /** Empty if the project is not trusted. */
  readonly text: string;
  readonly trusted: boolean;
}

/** The instruction files for a working directory. */
export interface InstructionFiles {
  /** From general to specific: first the user's files, then those from the git root down to the working directory. */
  readonly files: readonly InstructionFile[];
  /** The texts of the trusted files, each below a line with its path. Empty if there are none. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface Place {
  readonly path: string;
  readonly scope: 'user' | 'project';
  /** Directory that links must not leave. */
  readonly boundary?: string;
  /** Whether the file is refused if other users can change it. */
  readonly safe?: boolean;
}

/**
 * Finds and reads the instruction files. A file with several names is read once. Never rejects because of the content of a file.
 *
 * @throws {SkillError} `source-failed` if the system has no descriptors left; `options-invalid` if `maxBytes` is not a whole
 * number, or the name is not valid
 */
export async function loadInstructionFiles(options: LoadInstructionFilesOptions = {}): Promise<InstructionFiles> {
  const { name = 'skillful', cwd = process.cwd(), maxBytes = 256 * 1024 } = options;
  checkCounts({ maxBytes });
  checkClientName(name);
  const user = findUserDirectories(options);
  const project = findProject(cwd);
  const { isTrusted: trusted, doubt } = await decideTrust(project.root, options.trusted ?? false, options.signal);
  const files: InstructionFile[] = [];
  const diagnostics: Diagnostic[] = [];
  /** Real paths of the files that were read. */
  const seen = new Set<string>();
  for (const place of [...placesOfUser(name, user, options), ...placesOfProject(name, project, options)]) {
    const isTrusted = place.scope === 'user' || trusted;
    const found = await waitForDescriptors(() => readPlace(place, isTrusted, maxBytes, seen), undefined);
    if (found === undefined) continue;
    const site = { source: place.scope, location: place.path };
    if ('reason' in found) {
      diagnostics.push(createDiagnostic('instructions-unreadable', site, { reason: found.reason }));
      continue;
    }
    const { text, bytes, isDamaged } = found;
    if (isDamaged) diagnostics.push(createDiagnostic('encoding-invalid', site, { part: 'instruction file' }));
    files.push({ text, bytes, location: place.path, scope: place.scope, trusted: isTrusted });
  }
  const site = { source: 'project', location: project.root };
  if (doubt !== undefined) diagnostics.push(createDiagnostic('trust-undecided', site, { reason: doubt.reason }));
  if (files.some((file) => !file.trusted)) {
    diagnostics.push(createDiagnostic('source-untrusted', site, { place: project.root }));
  }
  return { files, text: joinTexts(files, user.home, project.root), diagnostics };
}

/** Lists where a user's files may be. */
function placesOfUser(name: string, user: UserDirectories, options: UserDirectoriesOptions): readonly Place[] {
  const { claude, xdg } = findClientDirectories(user, options);
  const paths = [
    join(user.config, name, 'AGENTS.md'),
    join(user.home, '.agents', 'AGENTS.md'),
    join(xdg, 'opencode', 'AGENTS.md'),
    join(claude, 'CLAUDE.md'),
  ];
  return paths.map((path) => ({ path, scope: 'user' }));
}

/** Lists where a project's files may be, from its root down. */
function placesOfProject(
  name: string,
  { root, directories }: Project,
  { allowUnsafe }: LoadInstructionFilesOptions,
): readonly Place[] {
  const own = `.${name}/AGENTS.md`;
  const names = ['AGENTS.md', own, '.agents/AGENTS.md', '.opencode/AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md'];
  const paths = directories.toReversed().flatMap((directory) => names.map((each) => join(directory, each)));
  return paths.map((path) => ({ path, scope: 'project', boundary: root, safe: allowUnsafe !== true }));
}

type Found =
  | { readonly text: string; readonly bytes: number; readonly isDamaged: boolean }
  | { readonly reason: string }
  | undefined;

/** Reads one file; `undefined` if it does not exist, or was already read under another name. */
function readPlace({ path, boundary, safe }: Place, isTrusted: boolean, maxBytes: number, seen: Set<string>): Found {
  try {
    const real = realpathSync.native(path);
    if (seen.has(real)) return undefined;
    if (!isTrusted) return measure(real, boundary, seen);
    const hazard = safe === true ? findHazard(nodeFileSystem, real, boundary) : undefined;
    if (hazard !== undefined) return { reason: hazard };
    const file =
      boundary === undefined
        ? openRegular(nodeFileSystem, real, path)
        : openContained(nodeFileSystem, boundary, relative(boundary, path).split(sep));
    seen.add(real);
    const content = readAndClose(nodeFileSystem, file, maxBytes + 1);
    const bytes = Math.max(file.status.size, content.length);
    if (bytes > maxBytes) return { reason: `it has ${bytes} bytes, more than ${maxBytes}` };
    if (content.includes(0)) return { reason: 'it contains NUL bytes, so it is not text in UTF-8' };
    return { text: new TextDecoder().decode(content), bytes, isDamaged: !isUtf8(content) };
  } catch (error) {
    const reason = explainFailure(error, 'the project');
    return reason === undefined ? undefined : { reason };
  }
}

/** Finds the size of a file without opening it. */
function measure(real: string, boundary: string | undefined, seen: Set<string>): Found {
  const status = statSync(real);
  if (!status.isFile() || (boundary !== undefined && !isBelow(boundary, real))) return undefined;
  seen.add(real);
  return { text: '', bytes: status.size, isDamaged: false };
}

const heading = 'Instructions from';

/** Quotes each line that could be taken for the heading of another file, and removes hidden characters. */
function withoutHeadings(text: string): string {
  const lines = presentText(text).text.split('\n');
  return lines.map((line) => (isLikeHeading(line) ? `> ${line}` : line)).join('\n');
}

/** Compares the first letters of a line, ignoring marks and tags around them. `l`, `1` and `|` count as `I`. */
function isLikeHeading(line: string): boolean {
  const letters = firstLetters(line.replace(/<[^<>]*>/g, ''));
  return letters.replace(/^[il]/, '').startsWith(firstLetters(heading).slice(1));
}

function firstLetters(text: string): string {
  return lookKey(text.replace(/[^\p{Alphabetic}]+/gu, '').slice(0, 2 * heading.length));
}

function joinTexts(files: readonly InstructionFile[], home: string, root: string): string {
  return files
    .filter(({ trusted, text }) => trusted && text.trim() !== '')
    .map(({ location, scope, text }) => {
      const [base, prefix] = scope === 'user' ? [home, '~/'] : [root, ''];
      const path = isBelow(base, location) ? prefix + pathBelow(base, location) : location;
      return `${heading} ${oneLine(path)}:\n\n${withoutHeadings(text).trim()}\n`;
    })
    .join('\n');
}
