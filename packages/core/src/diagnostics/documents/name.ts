// Why the name of a skill can be wrong.

import type { nameCodes } from '../codes/name.ts';
import type { DiagnosticDocument } from '../table.ts';

const characters =
  'The specification allows only lowercase letters, digits and hyphens in a name, and the directory has to have the same name.';

export const nameDocuments: Readonly<Record<keyof typeof nameCodes, DiagnosticDocument>> = {
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
  'name-uppercase': characters,
  'name-characters': characters,
  'name-hyphen-edge': 'The specification forbids hyphens at either end of a name.',
  'name-hyphen-double': 'The specification forbids consecutive hyphens in a name.',
  'name-directory-mismatch':
    'The specification requires the name and the directory to be equal. Some clients use the name, and some use the directory.',
  'name-normalized':
    'Characters such as full-width letters and ligatures have a plain form, and names are compared in that form.',
  'name-not-ascii': {
    cause: 'The specification can be read to allow any lowercase letter, but many validators allow ASCII only.',
    fix: 'Give the skill an ASCII name, and put the other one into its description.',
  },
  'name-reserved': 'Windows cannot create a directory of that name, so the skill cannot be installed there.',
  'name-of-vendor': 'The Claude API documents that the names of uploaded skills must not contain its vendor’s words.',
};
