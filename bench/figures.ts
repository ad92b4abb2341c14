// Formats figures and tables for the pages.

export const count = (value: number): string => Math.round(value).toLocaleString('en');
export const ratio = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
export const times = (value: number): string => `${ratio(value)} ×`;
export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : count(value)} ms`;
export const megabytes = (bytes: number): string => `${ratio(bytes / 1e6)} MB`;

/** Formats a Markdown table. All columns but the first are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_cell, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
