// What can be wrong with the name of a skill.

export const nameCodes = {
  'name-missing': {
    message: '`name` is missing, so the skill is named after its directory, `{directory}`.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'name-empty': {
    message: '`name` is empty, so the skill is named after its directory, `{directory}`.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref'],
  },
  'name-not-text': {
    message: '`name` is {kind}, expected text; the skill is named after its directory, `{directory}`.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'name-unavailable': {
    severity: 'error',
    message: '`name` is missing and there is no directory to take it from.',
    hint: 'Add `name: my-skill`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'name-given-refused': {
    severity: 'warning',
    message: '`{name}` was to be renamed to `{given}`, which contains {problem}; it keeps its own name.',
    hint: 'Correct the callback of `renameSource`, or the source that gives the name.',
  },
  'name-unsafe': {
    severity: 'error',
    message: 'The name `{name}` contains {problem}, which is not allowed.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'name-replaced': {
    message: 'The name `{name}` contains {problem}; the skill is named after its directory, `{directory}`.',
    hint: 'Write `name: {suggestion}`{rename}. Put a title into the body.',
    refusedBy: ['skills-ref', 'quick_validate', 'Mastra'],
  },
  'name-confusable': {
    severity: 'error',
    message: 'The name `{name}` ({escaped}) mixes characters that look alike.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['quick_validate', 'VS Code', 'goose', 'OpenCode'],
  },
  'name-too-long': {
    message: 'The name has {length} characters, expected at most {limit}.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate', 'Codex'],
  },
  'name-uppercase': {
    message: 'The name `{name}` has uppercase letters, expected lowercase.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate', 'Mastra'],
  },
  'name-characters': {
    message: 'The name `{name}` contains {characters}; use only lowercase letters, digits and hyphens.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate', 'VS Code', 'Mastra'],
  },
  'name-hyphen-edge': {
    message: 'The name `{name}` begins or ends with a hyphen.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'name-hyphen-double': {
    message: 'The name `{name}` contains two hyphens in a row.',
    hint: 'Write `name: {suggestion}`{rename}.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'name-directory-mismatch': {
    message: 'The name `{name}` differs from that of the directory, `{directory}`.',
    hint: '{change}{rename}.',
    refusedBy: ['skills-ref', 'VS Code', 'Mastra'],
  },
  'name-normalized': {
    severity: { portable: 'error', others: 'warning' },
    message: 'The name `{written}` was read as `{name}`.',
    hint: 'Write `{name}`.',
    refusedBy: ['quick_validate', 'VS Code', 'goose', 'OpenCode'],
  },
  'name-not-ascii': {
    severity: { portable: 'error', others: 'none' },
    message: 'The name `{name}` contains letters or digits beyond `a-z` and `0-9`.',
    hint: 'Use ASCII if the skill has to work everywhere.',
    refusedBy: ['quick_validate', 'VS Code', 'goose', 'OpenCode'],
  },
  'name-reserved': {
    severity: { portable: 'error', others: 'warning' },
    message: 'The name `{name}` is reserved by Windows.',
    hint: 'Choose another name.',
    refusedBy: ['Windows'],
  },
  'name-of-vendor': {
    severity: { portable: 'warning', others: 'none' },
    message: 'The name `{name}` contains `{word}`, the name of a vendor or its product.',
    hint: 'Choose another name if you upload the skill.',
    refusedBy: ['Claude API'],
  },
} as const;

export const nameDocuments = {
  'name-missing': 'The specification requires a name. If it is missing, the directory names the skill.',
  'name-empty': 'The specification requires 1 to 64 characters. If there are none, the directory names the skill.',
  'name-not-text': 'The name is a list or a map, so the directory names the skill.',
  'name-unavailable': 'A skill needs a name, and this one has no directory to take a name from.',
  'name-given-refused': {
    cause:
      'An application or a source can rename a skill. Models see the new name and users type it, so the rules for names apply to it, too. Only `/` is also allowed between its parts, as in `acme/pdf`.',
    fix: 'Give names of lowercase letters, digits and hyphens.',
  },
  'name-unsafe':
    'Path separators, control characters and invisible characters in a name can lead outside a directory or deceive a reader; names of more than 256 characters push other skills out of the catalog.',
  'name-replaced':
    'A name never contains a colon, a slash or a character that looks like one: `user:pdf` is the qualified name of another skill, and a path could lead outside a directory. So the directory names the skill.',
  'name-confusable':
    'A word that mixes Latin letters with letters of another alphabet that look the same, or a hyphen look-alike, can pose as the name of another skill.',
  'name-too-long': 'The specification limits names to 64 characters.',
  'name-uppercase':
    'The specification allows only lowercase letters, digits and hyphens in a name, and the directory has to have the same name.',
  'name-characters':
    'The specification allows only lowercase letters, digits and hyphens in a name, and the directory has to have the same name.',
  'name-hyphen-edge': 'The specification forbids hyphens at either end of a name.',
  'name-hyphen-double': 'The specification forbids consecutive hyphens in a name.',
  'name-directory-mismatch':
    'The specification requires the name and the directory to be equal. Some clients use the name, and some use the directory.',
  'name-normalized':
    'Characters such as full-width letters and ligatures have a plain form, and names are compared in that form.',
  'name-not-ascii': {
    cause: 'The specification can be read to allow any lowercase letter, but many validators allow ASCII only.',
    fix: 'Give the skill an ASCII name, and put the original name into its description.',
  },
  'name-reserved': 'Windows cannot create a directory of that name, so the skill cannot be installed there.',
  'name-of-vendor':
    'The Claude API documents that the names of uploaded skills must not contain `anthropic` or `claude`.',
};
