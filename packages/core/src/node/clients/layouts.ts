// A table of where each client keeps skills and which of them win, so that supporting a new client takes one row.

/** Clients with a known layout. `skillful` is the layout for your own client; `all` has every directory of the table. */
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
 * One row of the table. In directories, `{name}` is the client's name, `{config}` the user's configuration directory,
 * `{managed}` the directory of Claude Code that an administrator manages, and `~` the home directory. The other placeholders are
 * in `client-directories.ts`. Project directories are relative.
 */
export interface ClientLayout {
  /** Directories in the project; the first wins. */
  readonly project: readonly string[];
  /** Whether the client also searches the directories above the working directory, up to the git root, nearest first. */
  readonly ancestors: boolean;
  /** Directories of the user; the first wins. */
  readonly user: readonly string[];
  /** Directories for skills from an administrator of the machine. */
  readonly admin: readonly string[];
  /** Caches of plugins. */
  readonly plugins: readonly string[];
  /** Directories for skills from the user's account at a service; they lose to everything else. */
  readonly synced: readonly string[];
  /**
   * Which level wins a name: the narrowest (project, user, machine), or the widest (machine, user, project). Plugins lose to all
   * of these.
   */
  readonly order: 'project-first' | 'user-first';
  /**
   * What the client does if two skills have the same name: it keeps the first or the last one, offers both, or does not document
   * it. The directories are always listed with the winner first. A catalog offers one skill per name, because a decision about a
   * name must cover every skill of that name. The other skill is reported as shadowed, and can be reached by its qualified name
   * if its scope or plugin differs.
   */
  readonly collision: 'first-wins' | 'last-wins' | 'both' | 'undocumented';
  /** Levels below a root that are searched; `anyDepth` if the client has no limit. */
  readonly depth: number;
  /** Whether the client searches directories whose names begin with a dot. */
  readonly hidden: boolean;
  /** Whether the client reads a `SKILL.md` that is itself a link. */
  readonly followFileLinks: boolean;
  /** Environment variable with directories that replace those of the user. */
  readonly replacedBy?: string;
  /** Environment variables with directories that are added to those of the user. */
  readonly addedBy?: readonly string[];
}

/** A depth that no scan reaches, because a scan searches at most 2,000 directories. */
export const anyDepth = 2000;

const claudePlugins = '{claude}/plugins/cache';

/** The most common values. A row lists only the differences. */
const usual = {
  admin: [],
  plugins: [],
  synced: [],
  ancestors: false,
  order: 'project-first',
  collision: 'first-wins',
  depth: 4,
  hidden: false,
  followFileLinks: true,
} satisfies Partial<ClientLayout>;

/** The layouts of known clients, taken from their documentation and code. */
export const clientLayouts: Readonly<Record<Exclude<ClientName, 'all'>, ClientLayout>> = {
  skillful: {
    ...usual,
    project: ['.{name}/skills', '.agents/skills', '.claude/skills', '.opencode/skills'],
    ancestors: true,
    user: ['{config}/{name}/skills', '~/.agents/skills', '{claude}/skills', '{xdg}/opencode/skills'],
    plugins: [claudePlugins],
    replacedBy: '{NAME}_SKILLS_DIR',
    addedBy: ['CLAUDE_SKILLS_DIR'],
  },
  agents: {
    ...usual,
    project: ['.agents/skills'],
    ancestors: true,
    user: ['~/.agents/skills'],
  },
  claude: {
    ...usual,
    project: ['.claude/skills'],
    ancestors: true,
    user: ['{claude}/skills'],
    admin: ['{managed}/.claude/skills'],
    plugins: [claudePlugins],
    synced: ['{claude}/skills/synced'],
    order: 'user-first',
    depth: 1,
    addedBy: ['CLAUDE_SKILLS_DIR'],
  },
  opencode: {
    ...usual,
    project: ['.opencode/skills', '.opencode/skill', '.agents/skills', '.claude/skills'],
    ancestors: true,
    user: [
      ...['{opencode}/skills', '{opencode}/skill', '~/.opencode/skills', '~/.opencode/skill'],
      ...['{xdg}/opencode/skills', '{xdg}/opencode/skill', '~/.agents/skills', '~/.claude/skills'],
    ],
    collision: 'last-wins',
    depth: anyDepth,
    hidden: true,
  },
  crush: {
    ...usual,
    project: ['.cursor/skills', '.crush/skills', '.claude/skills', '.agents/skills'],
    ancestors: true,
    user: [
      ...['{config}/crush/skills', '{config}/agents/skills'],
      ...['{xdg}/crush/skills', '{xdg}/agents/skills', '~/.claude/skills', '~/.agents/skills'],
    ],
    collision: 'last-wins',
    depth: anyDepth,
    replacedBy: 'CRUSH_SKILLS_DIR',
  },
  codex: {
    ...usual,
    project: ['.agents/skills', '.codex/skills'],
    ancestors: true,
    user: ['~/.agents/skills', '{codex}/skills', '{codex}/skills/.system'],
    admin: ['{etc}/codex/skills'],
    plugins: ['{codex}/plugins/cache'],
    collision: 'both',
    depth: 6,
    followFileLinks: false,
  },
  gemini: {
    ...usual,
    project: ['.agents/skills', '.gemini/skills'],
    user: ['{gemini}/.agents/skills', '{gemini}/.gemini/skills'],
    plugins: ['{gemini}/.gemini/extensions'],
    collision: 'last-wins',
    depth: 1,
  },
  copilot: {
    ...usual,
    project: ['.github/skills', '.agents/skills', '.claude/skills'],
    ancestors: true,
    user: ['{copilot}/skills', '~/.agents/skills', '~/.claude/skills'],
    plugins: ['{copilot}/installed-plugins'],
    depth: anyDepth,
    addedBy: ['COPILOT_SKILLS_DIRS'],
  },
  cursor: {
    ...usual,
    project: ['.cursor/skills', '.agents/skills', '.claude/skills', '.codex/skills'],
    user: ['~/.cursor/skills', '~/.agents/skills', '~/.claude/skills', '~/.codex/skills'],
    collision: 'undocumented',
    depth: anyDepth,
  },
  goose: {
    ...usual,
    project: ['.agents/skills', '.goose/skills', '.claude/skills'],
    user: ['~/.agents/skills', '{goose}/skills', '~/.claude/skills', '~/.config/agents/skills'],
    plugins: ['~/.agents/plugins'],
    depth: anyDepth,
    hidden: true,
  },
};

/**
 * Returns the layout of a client. `all` is `skillful` with all directories of the table, in its order, and with the greatest
 * depth. A variable that replaces the directories of one client only adds to those of `all`.
 */
export function layoutOf(client: ClientName): ClientLayout {
  if (client !== 'all') return clientLayouts[client];
  const rows = Object.values(clientLayouts);
  const variables = rows.flatMap(({ addedBy = [], replacedBy = '' }) => [...addedBy, replacedBy]);
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
    // Without the template for the name of your own client.
    addedBy: [...new Set(variables)].filter((variable) => /^\w+$/.test(variable)),
    depth: Math.max(...rows.map(({ depth }) => depth)),
    hidden: rows.some(({ hidden }) => hidden),
  };
}

/** Checks whether a text, for example from a command-line option, is the name of a client. */
export function isClientName(text: string): text is ClientName {
  return text === 'all' || Object.hasOwn(clientLayouts, text);
}
