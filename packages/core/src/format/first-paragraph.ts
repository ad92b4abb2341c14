// Finds the first paragraph of a body, for hosts that use it as a missing description.

import { maxDescriptionLength } from '../skill/limits.ts';

/** The first paragraph, on one line and within the limit of a description. */
export interface FirstParagraph {
  readonly text: string | undefined;
  /** True if a whole line that is not text follows, so that more of the body would not change it. */
  readonly ended: boolean;
}

/** Returns the first lines of text, skipping headings, rules, comments, lists, tables, quotes and code. */
export function findFirstParagraph(body: string): FirstParagraph {
  const lines: string[] = [];
  let fence: string | undefined;
  let commented = false;
  const all = body.split(/\r\n|\n|\r/);
  for (const [index, line] of all.entries()) {
    const content = line.trim();
    const mark = /^(?:```|~~~)/.exec(content)?.[0];
    if (fence !== undefined || commented) {
      if (mark === fence && fence !== undefined) fence = undefined;
      if (content.endsWith('-->')) commented = false;
    } else if (
      mark === undefined &&
      content !== '' &&
      !/^(?:#{1,6} |[-*_]{3,}$|<|>|\||[-*+] |\d+[.)] )/.test(content)
    ) {
      lines.push(content);
    } else if (lines.length > 0) {
      // A last line without a line end may continue.
      return { text: cut(lines), ended: index < all.length - 1 };
    } else {
      fence = mark;
      commented = content.startsWith('<!--') && !content.endsWith('-->');
    }
  }
  return { text: lines.length === 0 ? undefined : cut(lines), ended: false };
}

function cut(lines: readonly string[]): string {
  return [...lines.join(' ')].slice(0, maxDescriptionLength).join('').trim();
}
