// Formats the table of clients in docs/discovery.md from the table that presets are made of.

import { anyDepth, type ClientLayout, clientLayouts } from '../packages/core/src/node/clients/layouts.ts';

const head = [
  '| client | project dirs | parent dirs | user dirs | other | precedence | on name clash | depth | links |',
  '|---|---|---|---|---|---|---|---|---|',
];

const onNameClash: Readonly<Record<ClientLayout['collision'], string>> = {
  'first-wins': 'first wins',
  'last-wins': 'last read wins',
  both: 'offers both',
  undocumented: 'undocumented',
};

/** Formats a row for each client, with paths in order of precedence. */
export function formatClientTable(): string {
  return [...head, ...Object.entries(clientLayouts).map(([name, layout]) => formatRow(name, layout)), ''].join('\n');
}

function formatRow(name: string, layout: ClientLayout): string {
  const { project, ancestors, user, admin, plugins, synced, replacedBy, addedBy, order, collision } = layout;
  const variables = [
    ...(replacedBy === undefined ? [] : [`instead: \`$${replacedBy}\``]),
    ...(addedBy ?? []).map((variable) => `also: \`$${variable}\``),
  ];
  const other = [
    ...admin.map((path) => `machine: \`${path}\``),
    ...plugins.map((path) => `plugins: \`${path}\``),
    ...synced.map((path) => `synced: \`${path}\``),
  ];
  const cells = [
    `\`${name}\``,
    project.map(asCode).join(' '),
    ancestors ? 'yes' : 'no',
    [user.map(asCode).join(' '), ...variables].join('; '),
    other.length === 0 ? '–' : other.join('; '),
    order === 'project-first' ? 'project first' : 'machine, then user',
    onNameClash[collision],
    formatDepth(layout),
    formatLinks(layout),
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatDepth({ depth, hidden }: ClientLayout): string {
  const levels = depth === anyDepth ? 'any' : String(depth);
  return hidden ? `${levels}, also hidden` : levels;
}

function formatLinks({ followFileLinks }: ClientLayout): string {
  return followFileLinks ? 'all directories' : 'all directories, not `SKILL.md`';
}

function asCode(path: string): string {
  return `\`${path}\``;
}
