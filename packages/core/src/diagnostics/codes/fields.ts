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

export const fieldDocuments = {
  'field-unknown': {
    cause:
      'The specification defines six fields, and `metadata` for everything else. It does not forbid others, but validators do.',
    // `documentOf` adds a sentence about `--fix`, which this one begins.
    fix: 'Move it below `metadata` as text in quotes, or remove it. With `--profile portable`,',
  },
  'field-misspelt':
    'The name of the field is close to the name of a known field, so it is probably a typo. It has an effect only if it restricts the skill: a field that keeps models or users from the skill counts in any spelling, also below `metadata`.',
  'field-stray': {
    cause:
      'YAML reads the line as text, because it is indented, has no space after its colon, or begins with a dash or with asterisks. A typo must not undo a restriction, so the line counts as a field.',
    fix: 'Begin the line with the name of the field, and put a space after its colon. `internal` belongs below `metadata`, indented.',
  },
  'field-of-client': {
    cause:
      'Clients added fields of their own, which validators of the specification reject. Skillful honours `arguments`, `argument-hint`, `disable-model-invocation`, `user-invocable` and `when_to_use`. The others, such as `model`, `context` and `hooks`, have no effect in Skillful; your application finds them in `properties.extensions`.',
    fix: 'Keep the field if the clients you care about read it; remove it for hosted catalogs.',
  },
  'value-not-string':
    'Most YAML readers turn unquoted numbers, dates and words such as `true` into other types. Skillful keeps the text as written.',
  'value-not-boolean':
    'The field switches something on or off. If its value cannot be understood, it is read as the more careful of the two.',
  'value-not-text': 'The field is a list or a map, but must be text.',
  'inline-comment': 'In YAML, a space and `#` begin a comment, so the rest of the line is not part of the value.',
  'description-missing':
    'The description is all that a model sees before it activates a skill, so a skill without one cannot be offered.',
  'description-empty':
    'The description is all that a model sees before it activates a skill, so a skill without one cannot be offered.',
  'description-not-text': 'A list or a map is not a description, and any text made from it would be a guess.',
  'description-assumed': 'The application uses the first paragraph if a description is missing, as some clients do.',
  'description-unfinished':
    'Templates use `TODO:` for a description that the author still has to write. A model cannot choose a skill by it.',
  'description-too-long':
    'The specification limits descriptions to 1,024 characters. Every conversation pays for every character.',
  'description-cut':
    'Every skill of a catalog stays in memory, and a model reads its description, so a description has a limit in every profile.',
  'description-padded': 'The reference tool counts the spaces and line breaks around a description.',
  'description-angle-brackets':
    'Catalogs are often XML that clients do not escape, so some validators reject angle brackets.',
  'hidden-characters':
    'Invisible and direction-changing characters can show a reviewer a different text from the one that a model reads.',
  'license-not-text': 'The specification asks for the name of a license or of a bundled file.',
  'compatibility-empty': 'The specification asks for 1 to 500 characters if the field is given.',
  'compatibility-not-text': 'The specification asks for text.',
  'compatibility-too-long': 'The specification limits the field to 500 characters.',
  'metadata-not-mapping': 'The specification asks for a map from text to text.',
  'metadata-nested':
    'The specification asks for a map from text to text; several readers lose or mangle nested values.',
  'metadata-not-string':
    'Most YAML readers turn unquoted numbers, dates and words such as `true` into other types: `1.10` becomes 1.1.',
  'metadata-too-many': 'Every skill of a catalog stays in memory, so metadata has a limit in every profile.',
  'metadata-too-long': 'Every skill of a catalog stays in memory, so metadata has a limit in every profile.',
  'allowed-tools-list':
    'The specification asks for text with spaces between the tools; some clients accept a list, and others drop it.',
  'allowed-tools-comma':
    'The specification separates tools by spaces; a reader that does so keeps the commas as part of the names.',
  'allowed-tools-spelling':
    'Some clients spell the field this way; others ignore it. Skillful shows the tools to models and can restrict a skill to them, but never approves a call for them, because a reviewer may overlook the field.',
  'allowed-tools-doubtful':
    'The field asks for permissions. If its meaning is in doubt, it asks for no permission. An application that restricts tools to those of active skills then refuses all of its own tools.',
  'sidecar-invalid':
    'The file next to the skill is not valid YAML, is too long, or cannot be read, for example because it is a link out of the skill. Codex ignores it. A line in it that keeps models from the skill still counts. If the file cannot be read at all, it also keeps models from the skill.',
};
