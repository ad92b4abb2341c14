// Removes what a user only quotes, because a skill's name in a quotation or in pasted text is not a request.

const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Code ends at as many backticks as it begins with; at most nine, so that reading a hostile text takes no longer. */
const quoted = /(?<!`)(`{1,9})(?!`)[^\n]*?(?<!`)\1(?!`)|"[^"\n]*"|\u201c[^\u201c\u201d\n]*\u201d/gu;

/** Removes code, quotations, and pasted text between tags from the words of a user. */
export function ownWords(text: string): string {
  let closing = '';
  const kept = withoutTags(text)
    .split('\n')
    .filter((line) => {
      const [, marker = ''] = fence.exec(line) ?? [];
      if (closing !== '') {
        if (marker.startsWith(closing)) closing = '';
        return false;
      }
      closing = marker;
      return marker === '' && !/^ {0,3}>/.test(line);
    });
  return kept.join('\n').replace(quoted, ' ');
}

const tag = /<(\/?)([A-Za-z][\w:-]{0,63})(?:\s[^<>]{0,1000})?>/g;

/** Removes each element from its opening tag to its closing tag. */
function withoutTags(text: string): string {
  const ends = new Map<string | undefined, number>();
  for (const end of text.matchAll(tag)) if (end[1] !== '') ends.set(end[2], end.index + end[0].length);
  if (ends.size === 0) return text;
  let kept = '';
  let from = 0;
  for (const { 1: slash, 2: name, index } of text.matchAll(tag)) {
    const end = ends.get(name) ?? 0;
    if (slash !== '' || index < from || end < index) continue;
    kept += text.slice(from, index);
    from = end;
  }
  return kept + text.slice(from);
}
