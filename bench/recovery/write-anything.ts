// Follows the hints that ask for what only an author knows: with any words that fit.

import type { Diagnostic } from '../../packages/core/src/diagnostics/diagnostic.ts';
import { metadataText } from '../../packages/core/src/format/properties/metadata.ts';
import { suggestName } from '../../packages/core/src/format/properties/name.ts';
import type { FrontmatterEntry } from '../../packages/core/src/format/tree.ts';
import { findFence, rowsOf } from '../../packages/core/src/format/write/lines.ts';
import { formatKey, quote } from '../../packages/core/src/format/write/write.ts';
import { stripInvisible } from '../../packages/core/src/text/invisible.ts';

const words = 'Does something. Use when it has to be done.';

/** A skill to change: its lines, the fields that were read from them, and the name of its directory. */
interface Draft {
  readonly lines: readonly string[];
  readonly fields: readonly FrontmatterEntry[];
  readonly directory: string;
}

/** Follows a hint; undefined if it is not as simple as it sounds, such as among comments. */
export function writeAnything(
  diagnostic: Diagnostic,
  draft: Draft,
): { readonly text: string; readonly directory: string } | undefined {
  const { lines, directory } = draft;
  if (diagnostic.code === 'name-of-vendor' || diagnostic.code === 'name-not-ascii') {
    return { text: lines.join('').replace(/^name:.*/m, 'name: my-skill'), directory: 'my-skill' };
  }
  const written = edit(diagnostic, draft, (diagnostic.line ?? 1) - 1);
  return written === undefined ? undefined : { text: written.join(''), directory };
}

function edit({ code }: Diagnostic, draft: Draft, row: number): readonly string[] | undefined {
  const { lines, fields, directory } = draft;
  const name = `name: ${quote(suggestName(directory))}\n`;
  const description = `description: ${words}\n`;
  const last = fields.findLast(({ line }) => line <= row + 1);
  const write = (field: FrontmatterEntry | undefined, by: readonly string[]): readonly string[] | undefined => {
    const rows = field === undefined ? undefined : rowsOf({ lines, fields, fence: findFence(lines, fields) }, field);
    return rows === undefined ? undefined : lines.toSpliced(rows.start, rows.end - rows.start, ...by);
  };
  switch (code) {
    case 'metadata-nested': {
      const metadata = fields.find(({ key }) => key === 'metadata');
      if (metadata?.value.kind !== 'map') return undefined;
      const texts = metadata.value.entries.map(
        ({ key, value }) => `${formatKey(key, '  ')} ${quote(metadataText(value))}\n`,
      );
      return write(metadata, ['metadata:\n', ...texts]);
    }
    case 'metadata-not-mapping':
      return write(last, ['metadata:\n', '  key: value\n']);
    case 'frontmatter-missing':
      return ['---\n', name, description, '---\n', ...lines];
    case 'link-as-text':
      return ['---\n', name, description, '---\n', 'Do it.\n'];
    case 'frontmatter-not-first':
      return lines.slice(lines.findIndex((line) => line.startsWith('---') && !line.startsWith('----')));
    case 'frontmatter-unclosed':
      return lines.toSpliced(lines.findLastIndex((line) => /^[\w-]+:/.test(line)) + 1, 0, '---\n');
    case 'description-missing':
      return lines.toSpliced(lines.findIndex((line) => line.startsWith('---')) + 1, 0, description);
    case 'description-empty':
    case 'description-not-text':
    case 'description-too-long':
      return write(
        fields.find(({ key }) => key === 'description'),
        [description],
      );
    case 'description-angle-brackets':
    case 'fence-in-value':
      return write(last, [description]);
    case 'inline-comment':
      return lines.toSpliced(row, 1, `${last?.key}: ${quote((lines[row] ?? '').replace(/^[^:]*:/, '').trim())}\n`);
    case 'body-empty':
      return [...lines, '\nDo it.\n'];
    case 'hidden-characters':
    case 'body-control-characters':
    case 'body-hidden-characters':
    case 'frontmatter-control-characters':
      return lines.map((line) => stripInvisible(line.replace(/(?![\r\n\t])\p{Cc}/gu, '')));
    case 'key-duplicate':
    case 'field-unreadable':
      return removeKey(lines, row);
    case 'yaml-invalid':
      return quoteValues(lines);
    default:
      return undefined;
  }
}

/** Removes a line and what is indented below it. */
function removeKey(lines: readonly string[], row: number): readonly string[] {
  const depth = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;
  const count = lines.slice(row + 1).findIndex((line) => depth(line) <= depth(lines[row] ?? ''));
  return lines.toSpliced(row, count + 1);
}

/** Keeps the lines `key: value`, with the value in quotes, and moves the others below the frontmatter. */
function quoteValues(lines: readonly string[]): readonly string[] {
  const close = lines.findIndex((line, index) => index > 0 && line.startsWith('---'));
  const end = close < 0 ? lines.length : close;
  const field = /^([\w-]+:) +(.*?)\s*$/;
  const [fields, others] = [true, false].map((isField) =>
    lines.slice(1, end).filter((line) => field.test(line) === isField),
  );
  const quoted = (fields ?? []).map((line) => line.replace(field, (_, key, value) => `${key} ${quote(value)}`));
  return ['---\n', ...quoted.map((line) => `${line}\n`), '---\n', ...(others ?? []), ...lines.slice(end + 1)];
}
