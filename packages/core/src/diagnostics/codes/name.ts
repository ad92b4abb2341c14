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
