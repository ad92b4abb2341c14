// What can be wrong with the fields of the frontmatter and with the sidecar of Codex; `name` has a file of its own.

export const fieldCodes = {
  'field-unknown': {
    severity: { lenient: 'none', portable: 'error', others: 'warning' },
    message: '`{field}` is not a field of the specification.',
    hint: 'Move it below `metadata` as text in quotes, or remove it.',
    refusedBy: ['skills-ref', 'quick_validate', 'claude.ai'],
  },
  'field-misspelt': {
    severity: { portable: 'error', others: 'warning' },
    message: '`{field}` is not a field of the specification. Did you mean `{meant}`?',
    hint: 'Write `{known}`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'field-stray': {
    message: '`{known}` is part of another value here; it takes effect because it restricts the skill.',
    hint: 'Write `{known}` on a line of its own that begins like those of the other fields.',
  },
  'field-of-client': {
    severity: { lenient: 'none', portable: 'error', others: 'info' },
    message: '`{field}` is understood by some clients but is not part of the specification.',
    hint: 'Remove it if the skill has to pass every validator.',
    refusedBy: ['skills-ref', 'quick_validate', 'claude.ai'],
  },
  'value-not-string': {
    severity: { portable: 'error', others: 'none' },
    message: '`{field}` is {kind} to a YAML reader, expected text.',
    hint: 'Put the value in quotes.',
    refusedBy: ['quick_validate', 'OpenCode', 'Codex'],
  },
  'value-not-boolean': {
    severity: { portable: 'error', others: 'warning' },
    message: '`{field}` is `{value}`, expected `true` or `false`; it was read as `{assumed}`.',
    hint: 'Write `true` or `false`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'value-not-text': {
    severity: { portable: 'error', others: 'warning' },
    message: '`{field}` is {kind}, expected text; it was ignored.',
    hint: 'Write it as one line of text.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'inline-comment': {
    severity: { portable: 'warning', others: 'info' },
    message: '`{field}` ends before ` #`, which begins a comment.',
    hint: 'Put the value in quotes if the rest belongs to it.',
  },
  'description-missing': {
    severity: 'error',
    message: '`description` is missing.',
    hint: 'Add `description:` and say what the skill does and when to use it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'description-empty': {
    severity: 'error',
    message: '`description` is empty.',
    hint: 'Say what the skill does and when to use it.',
    refusedBy: ['skills-ref'],
  },
  'description-not-text': {
    severity: 'error',
    message: '`description` is {kind}, expected text.',
    hint: 'Write it as text, in quotes if it begins with a bracket.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'description-assumed': {
    message: '`description` is missing; the first paragraph of the body is used.',
    hint: 'Add `description:` and say what the skill does and when to use it.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'description-unfinished': {
    message: '`description` starts with `TODO:`, so it is not written yet.',
    hint: 'Say what the skill does and when to use it.',
  },
  'description-too-long': {
    message: '`description` has {length} characters, expected at most {limit}.',
    hint: 'Move details into the body.',
    refusedBy: ['skills-ref', 'quick_validate', 'Codex'],
  },
  'description-cut': {
    message: '`description` has {length} characters, of which only {limit} are kept.',
    hint: 'Move details into the body.',
    refusedBy: ['skills-ref', 'quick_validate', 'Codex'],
  },
  'description-padded': {
    severity: { portable: 'error', others: 'none' },
    message: '`description` has {length} characters with the white space around it, expected at most {limit}.',
    hint: 'Remove the white space, or write `|-` instead of `|`.',
    refusedBy: ['skills-ref'],
  },
  'description-angle-brackets': {
    severity: { portable: 'error', others: 'none' },
    message: '`description` contains `{character}`.',
    hint: 'Write it without angle brackets.',
    refusedBy: ['quick_validate', 'claude.ai'],
  },
  'hidden-characters': {
    severity: { portable: 'error', others: 'warning' },
    message: '`{field}` contains the invisible character {character}.',
    hint: 'Remove it.',
    refusedBy: ['security scanners'],
  },
  'license-not-text': {
    message: '`license` is {kind}, expected text.',
    hint: 'Write the name of the license or of a bundled file.',
    refusedBy: ['strict readers'],
  },
  'compatibility-empty': {
    message: '`compatibility` is empty, expected 1 to 500 characters.',
    hint: 'Remove the field.',
    refusedBy: ['strict readers'],
  },
  'compatibility-not-text': {
    message: '`compatibility` is {kind}, expected text.',
    hint: 'Write what the skill needs in one sentence.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'compatibility-too-long': {
    message: '`compatibility` has {length} characters, expected at most {limit}.',
    hint: 'Move details into the body.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'metadata-not-mapping': {
    message: '`metadata` is {kind}, expected `key: value` lines; it was ignored.',
    hint: 'Write one indented `key: value` per line below it.',
    refusedBy: ['Mastra', 'Rovo Dev'],
  },
  'metadata-nested': {
    message: '`metadata.{key}` is {kind}, expected text; it was read as JSON text.',
    hint: 'Write it as text, or as JSON in quotes if it has structure.',
    refusedBy: ['Rovo Dev'],
  },
  'metadata-not-string': {
    severity: { lenient: 'info', others: 'warning' },
    message: '`metadata.{key}` is {kind} to a YAML reader, expected text; `{value}` was read as written.',
    hint: 'Put the value in quotes.',
    refusedBy: ['Rovo Dev'],
  },
  'metadata-too-many': {
    message: '`metadata` has {count} entries, of which only {limit} are kept.',
    hint: 'Move the data into a file below `assets/` or `references/`.',
  },
  'metadata-too-long': {
    message: '`metadata.{key}` was left out: its {part} has {length} characters, expected at most {limit}.',
    hint: 'Shorten it, or move the data into a file below `assets/` or `references/`.',
  },
  'allowed-tools-list': {
    message: '`allowed-tools` is a list, expected text with spaces between the tools.',
    hint: 'Write the tools on one line with spaces between them.',
    refusedBy: ['readers that expect text'],
  },
  'allowed-tools-comma': {
    severity: 'warning',
    message: '`allowed-tools` has commas between the tools, expected spaces.',
    hint: 'Write the tools with spaces between them.',
  },
  'allowed-tools-spelling': {
    severity: { portable: 'error', others: 'warning' },
    message: '`{field}` was read as `allowed-tools`.',
    hint: 'Write `allowed-tools`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'allowed-tools-doubtful': {
    message: '`allowed-tools` {problem}; it allows no tool.',
    hint: 'Write it once, on one line, with spaces between the tools, none before a parenthesis, no quotation marks, and balanced parentheses.',
  },
  'sidecar-invalid': {
    severity: 'warning',
    message: '`agents/openai.yaml` could not be read: {reason}; {effect}.',
    hint: 'Make it a readable file of the skill with valid YAML, and keep it short.',
  },
} as const;
