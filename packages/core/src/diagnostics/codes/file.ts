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
    hint: 'Begin the file with `---`, then `name:` and `description:`, then `---`. Put nothing before it, not even a space or a hidden character.',
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
  'body-conflict-markers': {
    message: 'The body contains conflict markers: two versions were merged here, and nobody has chosen one.',
    hint: 'Keep what is right of both versions, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`.',
  },
  'body-control-characters': {
    severity: 'warning',
    message: 'The body contains the control character {character}.',
    hint: 'Remove all such characters.',
  },
  'body-hidden-characters': {
    severity: 'warning',
    message: 'The body contains the invisible character {character}.',
    hint: 'Remove all such characters.',
  },
} as const;

export const fileDocuments = {
  'encoding-unsupported':
    'The first bytes of the file show an encoding other than UTF-8, so nothing in it can be read reliably.',
  'encoding-invalid': 'Some bytes are not UTF-8 text, usually because an editor saved the file in a legacy encoding.',
  'byte-order-mark':
    'An invisible mark comes before the opening fence. Because of it, several readers see no frontmatter at all.',
  'line-ends-cr':
    'Old systems ended lines with a lone carriage return. Most readers see one long line and no frontmatter.',
  'skill-too-large': 'Activating a skill reads all of `SKILL.md` at once, so its size is limited.',
  'frontmatter-missing':
    'A skill opens with YAML frontmatter between two lines of exactly three hyphens, the first of them at the very start.',
  'link-as-text':
    'On systems without symbolic links, Git writes the path of the target into the file, so the skill itself is missing.',
  'conflict-markers':
    'If two people change the same lines, Git writes both versions into the file and marks where they begin and end.',
  'frontmatter-language':
    'Some libraries run code from frontmatter whose fence names a language. Skillful never reads such frontmatter.',
  'frontmatter-unclosed': 'Without a closing fence, nothing shows where the fields end and the instructions begin.',
  'frontmatter-too-large':
    'The frontmatter of every skill is read at start-up, so its size is limited before anything is parsed.',
  'frontmatter-too-many-keys':
    'The frontmatter of every skill is read at start-up, so the number of its keys is limited.',
  'frontmatter-too-complex':
    'The frontmatter of every skill is read at start-up, so the work that it can cause is limited. Letters that are written as `\\u4e2d` do not count.',
  'frontmatter-not-mapping': 'The YAML between the fences is a list or a text, so it has no fields.',
  'frontmatter-control-characters': 'YAML does not allow control characters, and they can hide text from a reviewer.',
  'leading-blank-lines': 'The opening fence belongs on the first line; otherwise most readers see no frontmatter.',
  'fence-trailing-space':
    'The opening fence is a line of exactly three hyphens; otherwise several readers see no frontmatter.',
  'fence-in-value':
    'The file is valid, but `skills-ref` ends the frontmatter at any `---`: it cuts the value, and the rest leaks into the body.',
  'fence-close-assumed':
    'No closing fence follows the fields, but a line that cannot be a field shows where the body begins.',
  'fence-open-assumed': 'The file begins with fields and has a closing fence, but its first line is not `---`.',
  'frontmatter-in-code-fence':
    'A tool or a model wrapped the whole file in a Markdown code block, so it does not begin with `---`.',
  'frontmatter-not-first': 'A heading or a comment comes before the opening fence, which belongs on the first line.',
  'body-empty': 'The specification allows an empty body, but a skill without instructions is rarely intended.',
  'body-conflict-markers':
    'If two people change the same lines, Git writes both versions into the file. A model would read both, and may follow either. Markers in code blocks are taken for examples.',
  'body-control-characters': 'Control characters can hide text from a reviewer, and some readers end the text at one.',
  'body-hidden-characters':
    'Invisible and direction-changing characters can hide instructions from a reviewer. Skillful removes them before a model reads the body, but other clients do not.',
};
