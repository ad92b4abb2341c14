// What can be wrong with sources, plugins, trust and settings.

export const sourceCodes = {
  'skill-shadowed': {
    severity: 'warning',
    message: '`{name}` is shadowed by the skill of the same name at `{winner}`.',
    hint: 'Rename or remove one of the two.',
  },
  'skill-disabled': {
    severity: 'info',
    message: '`{name}` is not offered, because it is switched off in the settings.',
    hint: 'Switch it on: `setSkillEnabled` in code, `skillful enable` on the command line.',
  },
  'requirement-missing': {
    severity: 'info',
    message: '`{name}` is not offered, because something that it needs is missing here: {missing}.',
    hint: 'Install or set what is missing, and reload.',
  },
  'skills-not-found': {
    severity: 'warning',
    message: 'No skills were found in {places}.',
    hint: 'Put a directory with a `SKILL.md` into one of these, or name another place. After a deployment: ship the skills with it.',
  },
  'plugin-invalid': {
    severity: 'error',
    message: 'The plugin was rejected: {reason}.',
    hint: 'Correct its `plugin.json`.',
  },
  'plugin-field-ignored': {
    severity: 'warning',
    message: 'The field `{field}` of the manifest was ignored: {reason}.',
    hint: 'Correct or remove it. In an Agent Plugin, a field of your own belongs below `extensions`.',
  },
  'instructions-unreadable': {
    severity: 'warning',
    message: 'The instruction file was left out: {reason}.',
    hint: 'Replace it with a regular file in the project, save it as UTF-8, or make it shorter.',
  },
  'source-failed': {
    severity: 'error',
    message: 'The source failed: {reason}.',
    hint: 'Its skills are missing until it works again.',
  },
  'source-kept': {
    severity: 'warning',
    message: 'The source failed: {reason}; its last good result was kept.',
    hint: 'Its skills may be out of date until it works again.',
  },
  'source-unpublished': {
    severity: 'warning',
    message: 'Nothing has been published for `{source}`.',
    hint: 'Check the name of its tenant, or publish its skills.',
  },
  'skill-row-invalid': {
    severity: 'error',
    message:
      'A row of the database was left out, because its directory, digest, size or plugin is not as publishing writes it.',
    hint: 'Publish the skills again, and check who can write to the database.',
  },
  'trust-undecided': {
    severity: 'error',
    message: 'Skillful could not decide whether to trust this, so nothing here was read: {reason}.',
    hint: 'Make the `trusted` callback return `true` or `false`.',
  },
  'source-untrusted': {
    severity: 'info',
    message: 'Everything in `{place}` was skipped because it is not trusted.',
    hint: 'Trust the project to use it: `trusted` in code, `skillful trust` on the command line.',
  },
  'configuration-invalid': {
    severity: 'warning',
    message: 'The configuration was ignored: {reason}.',
    hint: 'Correct or remove it.',
  },
  'settings-invalid': {
    severity: 'warning',
    message: 'The file is not a valid settings file: {reason}; no project is trusted, and {outcome}.',
    hint: 'Correct or remove it.',
  },
} as const;

export const sourceDocuments = {
  'skill-shadowed': {
    cause: 'Two skills have the same name. The skill whose source has the higher precedence is offered.',
    fix: 'Rename or remove one of them, or use the qualified name of the other.',
  },
  'skill-disabled': 'A person switched the skill off, and the application follows the settings of that person.',
  'requirement-missing': {
    cause:
      'The `metadata` of the skill states variables, programs, tools or a platform that it needs, and the application checks them. A model that follows the skill would fail halfway.',
    fix: 'Install the program, set the variable or give the agent the tool. If the skill works without it, remove that entry.',
  },
  'skills-not-found': {
    cause:
      'No source has a skill, so the agent runs without skills. Often the process runs in another working directory, or a build copied the code but not the skills. Hidden directories, such as `skills/.curated`, are searched only if you name them.',
    fix: 'Name the directory by an absolute path, and ship the skills with the application, as https://github.com/skillful/skillful/blob/main/docs/deploying.md shows.',
  },
  'plugin-invalid': 'An Agent Plugin whose manifest breaks its schema is rejected with everything in it.',
  'plugin-field-ignored':
    'The fields of the `plugin.json` of an Agent Plugin are fixed. Fields that a client adds belong below `extensions`, which is an object. In a plugin of Claude Code, `skills` names directories of the plugin, such as `./more-skills`.',
  'instructions-unreadable':
    'An `AGENTS.md` or `CLAUDE.md` is read only if it is a regular file of limited size inside its own tree.',
  'source-failed': {
    cause: 'This source could not be read. Other sources are not affected.',
    fix: 'Correct the problem that the message names, and reload.',
  },
  'source-kept': {
    cause: 'The source could not be read this time, so its previous result stays in use.',
    fix: 'Correct the problem that the message names, and reload.',
  },
  'skill-row-invalid':
    'The row was written directly to the tables of `@skillful/postgres`, not published. In a valid row, a directory is a relative path, a digest is `sha256:` and 64 hexadecimal digits, and no size is negative. All other skills are loaded.',
  'source-unpublished':
    'The database answers, but has never had skills for this tenant. Perhaps the tenant’s name is misspelt, or nothing has been published yet.',
  'trust-undecided':
    'The application was asked and failed, or its answer was neither yes nor no. Until it decides, nothing in a project or a package is read. The user’s own skills are still read.',
  'source-untrusted': {
    cause:
      'Skills and instruction files in a project can instruct an agent, so they are not read before the user trusts the project.',
    fix: 'Review the skills and the instruction files, and trust the folder.',
  },
  'configuration-invalid': {
    cause:
      'A project’s `.skillful/config.json` is used only if all of it is understood, if no link leads to it and if no other user can change it. Otherwise, the defaults apply, but a model gets no skill if the file may name a policy.',
    fix: 'Correct the file, replace the link with a copy, or remove the file.',
  },
  'settings-invalid':
    'If the settings file cannot be understood, no project is trusted and no skill is switched on. The skills that were off when Skillful last wrote the file stay off; it does not know what you have changed by hand since then. If it has never written the file, all skills are off.',
};
