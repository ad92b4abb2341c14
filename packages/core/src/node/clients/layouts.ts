// Where each client keeps its skills and which of them wins: one table, so that a new client is one row.

/** Clients whose layout is known. `skillful` stands for a client of your own, `all` for every directory of the table. */
export type ClientName =
  | 'skillful'
  | 'agents'
  | 'claude'
  | 'opencode'
  | 'crush'
  | 'codex'
  | 'gemini'
  | 'copilot'
  | 'cursor'
  | 'goose'
  | 'all';

/**
 * One row of the table. In directories `{name}` stands for the client's name, `{config}` for the configuration directory
 * of the user, `{managed}` for the directory of Claude Code that an administrator manages, `{codex}` for that of Codex, and
 * `~` for the home directory; project directories are relative.
 */
export interface ClientLayout {
  /** Looked for in the working directory, in this order. */
  readonly project: readonly string[];
  /** Whether the client looks in the directories above the working directory, too, up to the git root, the nearest first. */
  readonly ancestors: boolean;
  /** Directories of the user, the first wins. */
  readonly user: readonly string[];
  /** Directories that an administrator of the machine fills. */
  readonly admin: readonly string[];
  /** Caches of plugins. */
  readonly plugins: readonly string[];
  /** Directories that a service fills from the account of the user; they lose to everything else. */
  readonly synced: readonly string[];
  /**
   * Who wins a name: the narrowest level (project, user, machine) or the widest (machine, user, project). Plugins lose to
   * all of these.
   */
  readonly order: 'project-first' | 'user-first';
  /**
   * What the client does with two skills of one name: keeps the one it finds first or last, offers both, or nobody says.
   * Directories stand here winners first in either case. A catalog offers one skill a name also where the client offers
   * both, for the second would pass by what was decided about the name; that one is reported as shadowed, and answers to
   * its qualified name where the first is of another scope or plugin.
   */
  readonly collision: 'first-wins' | 'last-wins' | 'both' | 'undocumented';
  /** Directories from a root down to a skill; `anyDepth` where the client knows no limit. */
  readonly depth: number;
  /** Whether the client walks into directories whose names begin with a dot. */
  readonly hidden: boolean;
  /** Whether the client walks on through links to directories. */
  readonly followSymlinks: boolean;
  /** Whether the client reads a `SKILL.md` that is itself a link. */
  readonly followFileLinks: boolean;
  /** Variable with directories that stand in for those of the user. */
  readonly replacedBy?: string;
  /** Variables with directories that are added to those of the user. */
  readonly addedBy?: readonly string[];
}

/** A depth that no scan reaches, for each step down takes one of the 2,000 directories that it looks into at most. */
export const anyDepth = 2000;

const claudePlugins = '~/.claude/plugins/cache';

/** What most clients have in common: their rows hold only what is different. */
const usual = {
  admin: [],
  plugins: [],
  synced: [],
  order: 'project-first',
  hidden: false,
  followSymlinks: false,
  followFileLinks: true,
} satisfies Partial<ClientLayout>;

/** Where the layouts of known clients differ; the sources are the documentation and the code of each client. */
export const clientLayouts: Readonly<Record<Exclude<ClientName, 'all'>, ClientLayout>> = {
  skillful: {
    ...usual,
    project: ['.{name}/skills', '.agents/skills', '.claude/skills', '.opencode/skills'],
    ancestors: true,
    user: ['{config}/{name}/skills', '~/.agents/skills', '~/.claude/skills', '{config}/opencode/skills'],
    plugins: [claudePlugins],
    collision: 'first-wins',
    depth: 4,
    replacedBy: '{NAME}_SKILLS_DIR',
    addedBy: ['CLAUDE_SKILLS_DIR'],
  },
  agents: {
    ...usual,
    project: ['.agents/skills'],
    ancestors: true,
    user: ['~/.agents/skills'],
    collision: 'first-wins',
    depth: 4,
  },
  claude: {
    ...usual,
    project: ['.claude/skills'],
    ancestors: true,
    user: ['~/.claude/skills'],
    admin: ['{managed}/.claude/skills'],
    plugins: [claudePlugins],
    synced: ['~/.claude/skills/synced'],
    order: 'user-first',
    collision: 'first-wins',
    depth: 1,
    addedBy: ['CLAUDE_SKILLS_DIR'],
  },
  opencode: {
    ...usual,
    project: ['.opencode/skills', '.opencode/skill', '.agents/skills', '.claude/skills'],
    ancestors: true,
    user: ['{config}/opencode/skills', '{config}/opencode/skill', '~/.agents/skills', '~/.claude/skills'],
    collision: 'last-wins',
    depth: anyDepth,
    followSymlinks: true,
  },
  crush: {
    ...usual,
    project: ['.crush/skills', '.agents/skills', '.claude/skills', '.cursor/skills'],
    ancestors: false,
    user: ['{config}/crush/skills', '{config}/agents/skills', '~/.agents/skills', '~/.claude/skills'],
    collision: 'last-wins',
    depth: anyDepth,
    followSymlinks: true,
    replacedBy: 'CRUSH_SKILLS_DIR',
  },
  codex: {
    ...usual,
    project: ['.agents/skills', '.codex/skills'],
    ancestors: true,
    user: ['~/.agents/skills', '{codex}/skills', '{codex}/skills/.system'],
    admin: ['/etc/codex/skills'],
    collision: 'both',
    depth: 6,
    followSymlinks: true,
    followFileLinks: false,
  },
  gemini: {
    ...usual,
    project: ['.agents/skills', '.gemini/skills'],
    ancestors: false,
    user: ['~/.agents/skills', '~/.gemini/skills'],
    plugins: ['~/.gemini/extensions'],
    collision: 'last-wins',
    depth: 1,
  },
  copilot: {
    ...usual,
    project: ['.github/skills', '.agents/skills', '.claude/skills'],
    ancestors: false,
    user: ['~/.copilot/skills', '~/.agents/skills', '~/.claude/skills'],
    collision: 'first-wins',
    depth: 4,
    addedBy: ['COPILOT_SKILLS_DIRS'],
  },
  cursor: {
    ...usual,
    project: ['.cursor/skills', '.agents/skills', '.claude/skills', '.codex/skills'],
    ancestors: false,
    user: ['~/.cursor/skills', '~/.agents/skills', '~/.claude/skills', '~/.codex/skills'],
    collision: 'undocumented',
    depth: 6,
  },
  goose: {
    ...usual,
    project: ['.agents/skills', '.goose/skills', '.claude/skills'],
    ancestors: false,
    user: ['~/.agents/skills', '{config}/goose/skills', '~/.claude/skills', '{config}/agents/skills'],
    collision: 'first-wins',
    depth: anyDepth,
    hidden: true,
    followSymlinks: true,
  },
};

/**
 * Gives the layout of a client; that of `all` is the union of the table, in its order, and looks as far as any of them. A
 * variable that replaces the directories of one client adds to those of all.
 */
export function layoutOf(client: ClientName): ClientLayout {
  if (client !== 'all') return clientLayouts[client];
  const rows = Object.values(clientLayouts);
  const union = (column: 'project' | 'user' | 'admin' | 'plugins' | 'synced'): readonly string[] => [
    ...new Set(rows.flatMap((row) => row[column])),
  ];
  return {
    ...clientLayouts.skillful,
    project: union('project'),
    user: union('user'),
    admin: union('admin'),
    plugins: union('plugins'),
    synced: union('synced'),
    addedBy: [...new Set(rows.flatMap((row) => [...(row.addedBy ?? []), ...variableOf(row)]))],
    ancestors: rows.some(({ ancestors }) => ancestors),
    depth: Math.max(...rows.map(({ depth }) => depth)),
    hidden: rows.some(({ hidden }) => hidden),
    followSymlinks: rows.some(({ followSymlinks }) => followSymlinks),
    followFileLinks: rows.some(({ followFileLinks }) => followFileLinks),
  };
}

/** The variable of a client with a name of its own, for a template is filled in by the name of yours. */
function variableOf({ replacedBy }: ClientLayout): readonly string[] {
  return replacedBy === undefined || replacedBy.includes('{') ? [] : [replacedBy];
}

/** Tells whether a text names a client of the table, as for a command-line option. */
export function isClientName(text: string): text is ClientName {
  return text === 'all' || Object.hasOwn(clientLayouts, text);
}
