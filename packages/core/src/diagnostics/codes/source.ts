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
