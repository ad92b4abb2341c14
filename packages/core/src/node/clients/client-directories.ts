// Finds the directories in which clients keep what belongs to a user, because a variable or the system can move most of them.

import { join } from 'node:path';
import {
  expandPath,
  rootedIn,
  type UserDirectories,
  type UserDirectoriesOptions,
} from '../environment/user-directories.ts';

/** Directories by their placeholders in the table of layouts. */
export type ClientDirectories = Readonly<
  Record<'config' | 'managed' | 'xdg' | 'claude' | 'codex' | 'copilot' | 'gemini' | 'goose', string>
> & { readonly opencode: string | undefined; readonly etc: string | undefined };

/** Finds the directories that the placeholders stand for. A variable counts only if it is an absolute path. */
export function findClientDirectories(
  { home, config, managed, environment }: UserDirectories,
  { platform = process.platform }: UserDirectoriesOptions,
): ClientDirectories {
  const moved = (variable: string): string | undefined => rootedIn(environment, variable);
  const xdg = moved('XDG_CONFIG_HOME') ?? join(home, '.config');
  const roaming = moved('APPDATA') ?? join(home, 'AppData', 'Roaming');
  const gooseRoot = moved('GOOSE_PATH_ROOT');
  const goose = platform === 'win32' ? join(roaming, 'Block', 'goose', 'config') : join(xdg, 'goose');
  return {
    config,
    managed,
    xdg,
    claude: moved('CLAUDE_CONFIG_DIR') ?? join(home, '.claude'),
    codex: moved('CODEX_HOME') ?? join(home, '.codex'),
    copilot: moved('COPILOT_HOME') ?? join(home, '.copilot'),
    gemini: moved('GEMINI_CLI_HOME') ?? home,
    goose: gooseRoot === undefined ? goose : join(gooseRoot, 'config'),
    opencode: moved('OPENCODE_CONFIG_DIR'),
    // On Windows, every user could create the directory that this would be.
    etc: platform === 'win32' ? undefined : '/etc',
  };
}

/** Replaces the placeholder at the beginning of a path in the table; `undefined` if it stands for no directory. */
export function expandRoot(path: string, home: string, directories: ClientDirectories): string | undefined {
  const found = Object.entries(directories).find(([name]) => path.startsWith(`{${name}}/`));
  if (found === undefined) return expandPath(path, home, home);
  const [name, place] = found;
  return place === undefined ? undefined : join(place, path.slice(name.length + 3));
}
