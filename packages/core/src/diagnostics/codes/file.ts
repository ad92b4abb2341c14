// What can be wrong with the bytes of a `SKILL.md`, its fences and its body.

export const fileCodes = {
  'encoding-unsupported': {
    severity: 'error',
    message: 'The file is encoded as {encoding}, expected UTF-8.',
    hint: 'Save it as UTF-8 without a byte order mark.',
  },
  'encoding-invalid': {
    message: 'The {part} contains bytes that are not UTF-8; they were read as `U+FFFD`.',
    hint: 'Save the file as UTF-8, and check each place that shows a replacement character.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'byte-order-mark': {
    severity: { portable: 'error', others: 'warning' },
    message: 'The file begins with a byte order mark.',
    hint: 'Save it as UTF-8 without a byte order mark.',
    refusedBy: ['skills-ref', 'quick_validate', 'Gemini CLI'],
  },
  'line-ends-cr': {
    severity: 'warning',
    message: 'Lines end with a lone carriage return.',
    hint: 'Use line feeds.',
    refusedBy: ['most JavaScript clients'],
  },
  'skill-too-large': {
    severity: 'error',
    message: '`SKILL.md` has {bytes} bytes, expected at most {limit}.',
    hint: 'Move long material into files below `references/`.',
  },
  'frontmatter-missing': {
    severity: 'error',
    message: 'The file does not begin with a line `---`, so it has no frontmatter.',
    hint: 'Begin the file with `---`, then `name:` and `description:`, then `---`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'link-as-text': {
    severity: 'error',
    message: 'The file contains only a path: it is a symbolic link that was stored as text.',
    hint: 'Enable links (`git config core.symlinks true`) and check out again, or copy the target here.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'conflict-markers': {
    severity: 'error',
    message: 'The frontmatter contains conflict markers: two versions were merged here, and nobody has chosen one.',
    hint: 'Keep what is right of both versions, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'frontmatter-language': {
    severity: 'error',
    message: 'The opening fence names a language: `{fence}`, expected exactly `---`.',
    hint: 'Write the opening fence as `---` and the fields as YAML.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'frontmatter-unclosed': {
    severity: 'error',
    message: 'The frontmatter is not closed: no line `---` follows the opening one.',
    hint: 'Add a line `---` after the last field.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'frontmatter-too-large': {
    severity: 'error',
    message: 'The frontmatter does not end within the first {limit} bytes.',
    hint: 'Close it with a line `---`, or move long values into the body.',
  },
  'frontmatter-too-many-keys': {
    severity: 'error',
    message: 'The frontmatter has more than {limit} keys.',
    hint: 'Move the data into a file below `assets/` or `references/`.',
  },
  'frontmatter-too-complex': {
    severity: 'error',
    message: 'The frontmatter has more than {limit} line ends, commas, brackets, quotes and backslashes in total.',
    hint: 'Move the data into a file below `assets/` or `references/`.',
  },
  'frontmatter-not-mapping': {
    severity: 'error',
    message: 'The frontmatter is {kind}, expected fields such as `name: …`.',
    hint: 'Write one `key: value` per line.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'frontmatter-control-characters': {
    severity: 'error',
    message: 'The frontmatter contains the control character {character}.',
    hint: 'Remove it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'leading-blank-lines': {
    message: 'The opening `---` has blank lines before it.',
    hint: 'Remove them.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'fence-trailing-space': {
    severity: { portable: 'error', others: 'warning' },
    message: 'The opening `---` has spaces after it.',
    hint: 'Remove them.',
    refusedBy: ['quick_validate', 'bash-tool', 'skills CLI'],
  },
  'fence-in-value': {
    severity: { portable: 'error', others: 'warning' },
    message: 'A value contains `---`, and the reference tool would end the frontmatter there.',
    hint: 'Write a dash or another separator.',
    refusedBy: ['skills-ref'],
  },
  'fence-close-assumed': {
    message: 'The closing `---` is missing; the frontmatter is assumed to end before this line.',
    hint: 'Add a line `---` before it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'fence-open-assumed': {
    message: 'The opening `---` is missing; the file is assumed to begin with its fields.',
    hint: 'Add a line `---` before the first field.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'frontmatter-in-code-fence': {
    message: 'The frontmatter is inside a code fence; the code fence was ignored.',
    hint: 'Remove the line of backticks before the opening `---` and the one that closes it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'frontmatter-not-first': {
    message: 'The file has text before the frontmatter; it was skipped.',
    hint: 'Move the frontmatter to the start of the file.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'body-empty': {
    severity: 'warning',
    message: 'The body is empty, so activating the skill tells the model nothing.',
    hint: 'Write the instructions below the frontmatter.',
  },
  'body-control-characters': {
    severity: 'warning',
    message: 'The body contains the control character {character}.',
    hint: 'Remove it.',
  },
} as const;
