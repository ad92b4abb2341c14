// Says whether a human finds a description in a `SKILL.md`, however broken it is.

const label = /^[ \t>]*["'*_-]*[ \t]*(?:description|描述|概述)["'*_]*[ \t]*[:：][ \t*_]*(.*)$/iu;

/**
 * Checks whether a human finds a description: near the start of the file, before the body, a line is labelled as one and
 * text follows the label. This ignores fences and YAML, so that it favours no reader.
 */
export function isDescribed(content: string): boolean {
  const lines = content
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .slice(0, 120);
  const last = findEnd(lines);
  for (const [index, line] of lines.slice(0, last).entries()) {
    const text = label.exec(line)?.[1]?.trim();
    if (text === undefined) continue;
    const value = text.replace(/^(?:[|>][-+\d]*|["'])\s*|["']$/gu, '').trim();
    if (/^\[?TODO\b/.test(value)) return false;
    if (value !== '' && value !== '~' && value !== 'null') return true;
    const next = lines.slice(index + 1).find((below) => below.trim() !== '');
    const block = /^[|>]/.test(text);
    if (next !== undefined && /^[ \t]+\S/.test(next) && (block || !/^\s*(?:-|[\w-]+:)/.test(next))) return true;
  }
  return false;
}

/** Index of the second line of hyphens, after which the body begins. */
function findEnd(lines: readonly string[]): number {
  const fences = lines.flatMap((line, index) => (/^---(?:\s|#|`|$)/.test(line) ? [index] : []));
  const first = fences[0];
  const second = fences[1];
  if (first === undefined || first > 20) return Math.min(lines.length, 20);
  return second === undefined ? Math.min(lines.length, 60) : second;
}
