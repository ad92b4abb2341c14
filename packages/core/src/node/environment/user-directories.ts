// Finds the user's directories again for each call, because tests, services and sandboxes change the environment.

import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { showText } from '../../diagnostics/diagnostic.ts';
import { invalidOption } from '../../skill/options.ts';
import { orElse } from '../disk/file-system.ts';
import { findVariable, isRooted } from './variables.ts';

export interface UserDirectoriesOptions {
  /** @default the variable `HOME` (on Windows `USERPROFILE`, else `HOME`) if it is an absolute path, else the system's answer */
  readonly home?: string | undefined;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined;
}

/** The directories of the user, by absolute paths. */
export interface UserDirectories {
  readonly home: string;
  /** `$XDG_CONFIG_HOME`, else `%LOCALAPPDATA%` on Windows, else `~/.config`. */
  readonly config: string;
  /** Where an administrator configures Claude Code for all users of the machine. */
  readonly managed: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the home and the configuration directory; a relative `XDG_CONFIG_HOME` is ignored, as its standard requires.
 *
 * @throws {SkillError} `options-invalid` if `home` is empty, because files in the working directory would count as the user's
 */
export function findUserDirectories(options: UserDirectoriesOptions = {}): UserDirectories {
  const { environment = process.env, platform = process.platform } = options;
  if (options.home === '') throw invalidOption('`home` is empty. For the home directory of the system, leave it out.');
  const isWindows = platform === 'win32';
  const rooted = (variable: string): string | undefined => rootedIn(environment, variable, platform);
  // First, because Node, Python and Go, in which clients are written, ignore `HOME` on Windows.
  const profile = isWindows ? rooted('USERPROFILE') : undefined;
  const home = resolve(options.home ?? profile ?? rooted('HOME') ?? systemHomes()[0] ?? noHome);
  const local = rooted('LOCALAPPDATA') ?? join(home, 'AppData', 'Local');
  const config = rooted('XDG_CONFIG_HOME') ?? (isWindows ? local : join(home, '.config'));
  return { home, config, managed: findManaged(platform, environment), environment };
}

/** What Debian uses for users without a home directory. */
const noHome = '/nonexistent';

/** Returns the home directory of the user according to the system; none if the user has no entry, as in some containers. */
export function systemHomes(): readonly string[] {
  return [homedir, () => userInfo().homedir].flatMap((ask) => {
    try {
      return [ask()].filter(isAbsolute);
    } catch {
      return [];
    }
  });
}

/** Returns the path in a variable if it is absolute. Otherwise, files in the working directory would count as the user's. */
export function rootedIn(
  environment: UserDirectories['environment'],
  variable: string,
  platform?: NodeJS.Platform,
): string | undefined {
  const path = findVariable(environment, variable, platform);
  return path !== undefined && isRooted(path) ? path : undefined;
}

function findManaged(platform: NodeJS.Platform, environment: UserDirectories['environment']): string {
  if (platform === 'win32') {
    return join(rootedIn(environment, 'ProgramFiles', platform) ?? 'C:\\Program Files', 'ClaudeCode');
  }
  return platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';
}

const atHome = /^~(?:[/\\]|$)/;

/** Makes a configured path absolute: `~` is the home directory, and a relative path starts at `base`. */
export function expandPath(path: string, base: string, home: string): string {
  return atHome.test(path) ? join(home, path.slice(2)) : resolve(base, path);
}

/** Checks whether a configured path is relative, so that it leads into whatever project is the working directory. */
export function isRelative(path: string): boolean {
  return !isAbsolute(path) && !atHome.test(path);
}

/** Checks the name of a client, which becomes part of paths. @throws {SkillError} `options-invalid` */
export function checkClientName(name: string): void {
  if (typeof name === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return;
  throw invalidOption(
    `\`name\` is \`${showText(String(name))}\`; expected letters, digits, dots, hyphens and underscores, starting with a letter or digit.`,
  );
}

/** Returns the variable that replaces the user's directories of a client. */
export function ownVariable(client: string): string {
  return `${client.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_SKILLS_DIR`;
}

/** Splits a variable into directories as in `PATH`, or at commas, unless its whole value is a directory. */
export function pathsOf(variable: string, { environment, home }: UserDirectories, cwd: string): readonly string[] {
  const value = findVariable(environment, variable)?.trim() ?? '';
  // Under Node's permission model, even `existsSync` throws.
  if (value !== '' && orElse(false, () => existsSync(expandPath(value, cwd, home)))) return [value];
  const separator = process.platform === 'win32' ? /[;,]/ : /[:,]/;
  return value
    .split(separator)
    .map((path) => path.trim())
    .filter((path) => path !== '');
}
