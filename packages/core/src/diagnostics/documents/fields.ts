// Why the fields of the frontmatter can be wrong.

import type { fieldCodes } from '../codes/fields.ts';
import type { DiagnosticDocument } from '../table.ts';

export const fieldDocuments: Readonly<Record<keyof typeof fieldCodes, DiagnosticDocument>> = {
  'field-unknown':
    'The specification defines six fields, and `metadata` for everything else. It does not forbid others, but validators do.',
  'field-misspelt':
    'The name of the field is close to the name of a known field, so it is probably a typo. It has an effect only if it restricts the skill: a field that keeps models or users from the skill counts in any spelling, also below `metadata`.',
  'field-stray': {
    cause:
      'YAML reads the line as text, because it is indented, has no space after its colon, or begins with a dash or with asterisks. A typo must not undo a restriction, so the line counts as a field.',
    fix: 'Begin the line with the name of the field, and put a space after its colon. `internal` belongs below `metadata`, indented.',
  },
  'field-of-client': {
    cause: 'Clients added fields of their own. Skillful honours them, but validators of the specification reject them.',
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
  'allowed-tools-spelling': 'Some clients spell the field this way; others ignore it.',
  'allowed-tools-doubtful':
    'The field asks for permissions. If its meaning is in doubt, it asks for no permission. An application that restricts tools to those of active skills then refuses all of its own tools.',
  'sidecar-invalid':
    'The file next to the skill is not valid YAML, is too long, or cannot be read, for example because it is a link out of the skill. Codex ignores it. A line in it that keeps models from the skill still counts. If the file cannot be read at all, it also keeps models from the skill.',
};
