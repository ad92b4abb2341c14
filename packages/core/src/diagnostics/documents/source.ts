// Why sources, plugins, trust and settings can be wrong.

import type { sourceCodes } from '../codes/source.ts';
import type { DiagnosticDocument } from '../table.ts';

export const sourceDocuments: Readonly<Record<keyof typeof sourceCodes, DiagnosticDocument>> = {
  'skill-shadowed': {
    cause: 'Two skills have the same name; the one whose source comes first in precedence is offered.',
    fix: 'Rename or remove one, or address the other by its qualified name.',
  },
  'skill-disabled': {
    cause: 'A person switched the skill off, and the application follows the settings of that person.',
    fix: 'Switch it on again if you want the model to have it.',
  },
  'requirement-missing': {
    cause:
      'The `metadata` of the skill states variables, programs, tools or a platform that it needs, and the application checks them. A model that follows the skill would fail halfway.',
    fix: 'Install the program, set the variable or give the agent the tool. If the skill works without it, remove that entry.',
  },
  'skills-not-found': {
    cause:
      'None of the sources has a skill, so the agent runs without any. Often the process runs in another working directory, or a build copied the code and not the skills.',
    fix: 'Name the directory by an absolute path, and ship the skills with the application: `docs/deploying.md`.',
  },
  'plugin-invalid': 'An Agent Plugin whose manifest breaks its schema is rejected with everything in it.',
  'plugin-field-ignored':
    'The fields of a `plugin.json` are fixed; what a client adds belongs below `extensions`, which is an object.',
  'instructions-unreadable':
    'An `AGENTS.md` or `CLAUDE.md` is read only if it is a regular file of limited size inside its own tree.',
  'source-failed': {
    cause: 'The source could not be read. The other sources could.',
    fix: 'Correct what the reason names and reload.',
  },
  'source-kept': {
    cause: 'The source could not be read this time, so its previous result stays in use.',
    fix: 'Correct what the reason names and reload.',
  },
  'skill-row-invalid':
    'Somebody has written to the tables of `@skillful/postgres` directly. A directory there is a relative path, a digest is `sha256:` and 64 hexadecimal digits, and no size is negative. All other skills are loaded.',
  'source-unpublished':
    'The database answers, but has never had skills for this tenant: perhaps its name is misspelled, or the first publication is yet to come.',
  'trust-undecided':
    'The application was asked and failed, or its answer was neither yes nor no. Until it decides, nothing of a project or a package is read; the user’s own skills still are.',
  'source-untrusted': {
    cause:
      'Skills and instruction files that come with a project can instruct an agent, so none of them is read before the user trusts the project.',
    fix: 'Review the skills and the instruction files, and trust the folder.',
  },
  'configuration-invalid': {
    cause:
      'The `.skillful/config.json` of a project is used only if all of it is understood, if no link leads to it and if no other user can change it. Without it, the defaults apply.',
    fix: 'Correct the file, replace a link with a copy, or remove it.',
  },
  'settings-invalid':
    'A settings file that cannot be understood trusts nothing and switches nothing on. Skills stay off as in the last good copy of the file; without a copy, all are off.',
};
