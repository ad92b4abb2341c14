// What can be wrong with the YAML between the fences.

export const yamlCodes = {
  'yaml-invalid': {
    severity: 'error',
    message: 'The frontmatter is not valid YAML: {reason}.',
    hint: 'Write only lines `key: value`, with the value in quotes if in doubt, and move other text below the closing `---`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'yaml-tab': {
    severity: 'error',
    message: 'The frontmatter is not valid YAML: this line is indented with a tab.',
    hint: 'Indent with spaces.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'yaml-forbidden': {
    severity: 'error',
    message: 'The frontmatter uses {construct}, which is not allowed.',
    hint: 'Write the value out; put text that begins with `&`, `*` or `!` in quotes.',
    refusedBy: ['skills-ref'],
  },
  'yaml-too-deep': {
    severity: 'error',
    message: 'The frontmatter is nested more than {limit} levels deep.',
    hint: 'Flatten it, or move the value into a bundled file.',
  },
  'yaml-flow': {
    severity: { portable: 'error', others: 'none' },
    message: '`{field}` is written in brackets, which the reference tool cannot read.',
    hint: 'Write one indented entry per line.',
    refusedBy: ['skills-ref'],
  },
  'character-foreign': {
    severity: { portable: 'error', others: 'none' },
    message: 'The frontmatter contains {character} here, which Python readers refuse or read differently.',
    hint: 'Write a space instead, or remove it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'key-duplicate': {
    message: '`{field}` is given more than once; {outcome}.',
    hint: 'Remove all but one.',
    refusedBy: ['skills-ref', 'Claude Code'],
  },
  'key-invalid': {
    message: 'A key of the frontmatter is {kind}, expected text; it was ignored.',
    hint: 'Write the key as a word, or remove the entry.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'key-polluting': {
    message: '`{field}` could change the prototype of objects that it is copied into; it was ignored.',
    hint: 'Rename or remove it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'value-unquoted': {
    message: '`{field}` is not valid YAML as written; it was read as plain text.',
    hint: 'Put the value in quotes, and indent its further lines.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'value-misquoted': {
    message: '`{field}` is quoted in a way that is not valid YAML; it was read as the text between the quotes.',
    hint: 'Quote the whole value once, escape quotes inside it, and indent its further lines.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'block-header-text': {
    message: 'Text follows `{header}` on the line of `{field}`; it was read as part of the value.',
    hint: 'Remove the `{header}` and put the value in quotes, or begin the text on the next line, indented.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'tab-indentation': {
    message: '`{field}` is indented with tabs; the tabs were read as two spaces each.',
    hint: 'Indent with spaces.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'fields-read-apart': {
    message: 'The frontmatter is not valid YAML: {reason}; its fields were read one by one.',
    hint: 'Begin every field at the start of its line, and write nothing but fields between the fences.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'colon-space-missing': {
    message: '`{field}` is not followed by a plain colon and a space; it was read as a field.',
    hint: 'Write `{field}: …`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'field-unreadable': {
    message: '`{field}` is not valid YAML: {reason}; it was ignored.',
    hint: 'Correct its indentation and quotes, or remove it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
} as const;

export const yamlDocuments = {
  'yaml-invalid': 'The text between the fences is not YAML, and no safe reading of it yields a description.',
  'yaml-tab': 'YAML forbids tabs as indentation, and no safe reading of the text yields a description.',
  'yaml-forbidden':
    'With anchors and aliases, a few bytes can expand without limit. Tags ask a reader to build objects. Hardly any skill uses either.',
  'yaml-too-deep': 'Deep nesting costs readers time and stack, so its depth is limited.',
  'yaml-flow': 'Flow collections are valid YAML, but `skills-ref` reads a smaller language without them.',
  'character-foreign':
    'Python follows YAML 1.1. This version allows a tab only in quotes, blocks and comments, ends a line at U+0085, U+2028 and U+2029, and refuses control characters beyond ASCII. The reference tool takes a byte order mark (U+FEFF) below the fence for a part of the first key.',
  'key-duplicate':
    'YAML forbids duplicate keys, and readers disagree on which one wins, so a reviewer and an agent may see different values. The first value counts here, but a switch restricts the skill.',
  'key-invalid': 'YAML allows lists and maps as keys, but no field has such a name.',
  'key-polluting': 'In programs that merge such a key into an object, it changes the behaviour of every object.',
  'value-unquoted':
    'The value is not quoted, but it contains `: `, begins with a character that has a special meaning in YAML, or continues on a line that is not indented.',
  'value-misquoted':
    'The value begins with a quote that is not closed at its end, has text after the closing quote, or continues on a line that is not indented.',
  'block-header-text': 'After `|` or `>`, YAML expects the text on the following lines.',
  'tab-indentation': 'YAML forbids tabs as indentation.',
  'fields-read-apart':
    'Every field is valid by itself, but the text between the fences is not, for example because `...` ends it early.',
  'colon-space-missing':
    'In YAML, a colon ends a key only if a space follows it. The wide colon and the wide space of Chinese and Japanese keyboards do not count.',
  'field-unreadable': 'The lines of the field are not YAML and could not be read safely. The other fields could.',
};
