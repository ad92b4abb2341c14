// Why the YAML between the fences can be wrong.

import type { yamlCodes } from '../codes/yaml.ts';
import type { DiagnosticDocument } from '../table.ts';

export const yamlDocuments: Readonly<Record<keyof typeof yamlCodes, DiagnosticDocument>> = {
  'yaml-invalid': {
    cause: 'The text between the fences is not YAML, and no safe reading of it yields a description.',
    fix: 'Correct the line that is named. Values with colons or special characters belong in double quotes.',
  },
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
    'The value is not quoted, but it contains `: ` or begins with a character that has a special meaning in YAML.',
  'value-misquoted':
    'The value begins with a quote that is not closed at its end, has text after the closing quote, or continues on a line that is not indented.',
  'block-header-text': 'After `|` or `>`, YAML expects the text on the following lines.',
  'tab-indentation': 'YAML forbids tabs as indentation.',
  'fields-read-apart':
    'Every field is valid by itself, but the text between the fences is not, for example because `...` ends it early.',
  'colon-space-missing': 'In YAML, a colon ends a key only if a space follows it.',
  'field-unreadable': 'The lines of the field are not YAML and could not be read safely. The other fields could.',
};
