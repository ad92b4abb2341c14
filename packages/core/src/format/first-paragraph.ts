// Finds the first paragraph of a body, for hosts that use it as a missing description.

import { maxDescriptionLength } from '../skill/limits.ts';

/** Returns the first paragraph that is prose, on one line and within the limit for descriptions. */
export function findFirstParagraph(body: string): string | undefined {
  const lines: string[] = [];
  let fence: string | undefined;
  let commented = false;
  for (const line of body.split(/\r\n|\n|\r/)) {
    const content = line.trim();
    const mark = /^(?:```|~~~)/.exec(content)?.[0];
    if (fence !== undefined || commented) {
      if (mark === fence) fence = undefined;
      if (content.endsWith('-->')) commented = false;
    } else if (
      mark === undefined &&
      content !== '' &&
      !/^(?:#{1,6} |[-*_]{3,}$|<|>|\||[-*+] |\d+[.)] )/.test(content)
    ) {
      lines.push(content);
    } else if (lines.length > 0) {
      break;
    } else {
      fence = mark;
      commented = content.startsWith('<!--') && !content.endsWith('-->');
    }
  }
  return lines.length === 0 ? undefined : [...lines.join(' ')].slice(0, maxDescriptionLength).join('').trim();
}
