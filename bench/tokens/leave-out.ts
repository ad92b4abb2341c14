// Removes pieces of an activation of Skillful, to count what they cost in the comparison with a library that lacks them.

const opening = /^<skill_content( name="[^"]*")( digest="[^"]*")>$/;
const heading = /^Bytes and files in (.*):$/;

/**
 * Returns the text of an activation without pieces of its content: `name`, `digest`, `directory`, `sizes`, `files`.
 *
 * No option does this; only the comparison needs it.
 */
export function leaveOut(text: string, pieces: readonly string[]): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => heading.test(line));
  const [, name = '', digest = ''] = opening.exec(lines[0] ?? '') ?? [];
  const [, directory = ''] = heading.exec(lines[at] ?? '') ?? [];
  if (name === '' || directory === '') throw new Error('The text is not that of an activation with files.');
  const unless = (piece: string, words: string): string => (pieces.includes(piece) ? '' : words);
  const files = [
    `${pieces.includes('sizes') ? 'Files' : 'Bytes and files'}${unless('directory', ` in ${directory}`)}:`,
    ...lines.slice(at + 1, -1).map((line) => (pieces.includes('sizes') ? line.slice(line.indexOf(' ') + 1) : line)),
  ];
  const withoutFiles = pieces.includes('directory') ? [] : [`Directory: ${directory}`];
  return [
    `<skill_content${unless('name', name)}${unless('digest', digest)}>`,
    ...lines.slice(1, at),
    ...(pieces.includes('files') ? withoutFiles : files),
    '</skill_content>',
  ].join('\n');
}
