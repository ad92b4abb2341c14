// What can be wrong with directories, files and links.

export const diskCodes = {
  'skill-nested': {
    severity: 'info',
    message: 'This skill is inside the skill at `{outer}`, so it is one of its files.',
    hint: 'Move it beside the other skill to have it listed.',
  },
  'skill-too-deep': {
    severity: 'info',
    message: 'The skill is deeper below its root than the search goes.',
    hint: 'Move it up, or search deeper with `--depth`.',
  },
  'skill-beside-skills': {
    severity: 'warning',
    message: "The root's `skills` directory is searched instead of the root, so this skill next to it is not found.",
    hint: 'Move it into `skills`.',
  },
  'resource-name-refused': {
    severity: 'warning',
    message: 'The file `{file}` is not listed, because files with such names cannot be read.',
    hint: 'Rename it: in UTF-8, not too long, and not ending in a dot or a space.',
  },
  'resource-name-unportable': {
    severity: 'warning',
    message: 'The file `{file}` is not shown to models, because they could not ask for it by this name.',
    hint: 'Rename it: without control characters, backslashes, colons and `<` `>`, not ending in a dot or a space.',
  },
  'resource-name-twin': {
    severity: 'warning',
    message: '`{file}` and `{other}` look alike, and are one file on some systems.',
    hint: 'Rename one of the two.',
  },
  'skill-file-case': {
    severity: 'warning',
    message: 'The file is called `{file}`, expected `SKILL.md`.',
    hint: 'Rename it to `SKILL.md`.',
    refusedBy: ['Claude Code', 'Codex', 'Gemini CLI', 'OpenCode', 'goose', 'gh skill'],
  },
  'skill-directory-missing': {
    severity: 'warning',
    message: '`{file}` is in no directory, so it is not read.',
    hint: 'Put it into a directory with the name of the skill, by a path such as `pdf/SKILL.md`.',
  },
  'skill-file-twin': {
    severity: 'warning',
    message: '`{file}` is next to `SKILL.md` and is not read.',
    hint: 'Keep `SKILL.md`, and delete or rename the other file.',
  },
  'skill-file-linked': {
    severity: { lenient: 'none', others: 'error' },
    message: '`{file}` has {links} hard links, so it may be a file from outside the skill.',
    hint: 'Replace it with a copy, or load the skill under the profile `lenient`.',
  },
  'skill-file-missing': {
    severity: 'error',
    message: 'There is no `SKILL.md`, neither here nor in any directory below.',
    hint: 'Name a skill folder, or create one with a `SKILL.md`.',
    refusedBy: ['skills-ref', 'quick_validate'],
  },
  'skill-file-unreadable': {
    severity: 'error',
    message: '`SKILL.md` could not be read: {reason}.',
    hint: 'Check the permissions of the file.',
  },
  'skill-file-special': {
    severity: 'error',
    message: '`SKILL.md` is {kind}, expected a regular file.',
    hint: 'Replace it with a regular file.',
  },
  'skill-outside-root': {
    severity: 'error',
    message: 'A link leads out of the directory that it was found in.',
    hint: 'Copy the target into the directory, or add its real location as a root.',
  },
  'skill-broken-link': {
    severity: 'warning',
    message: 'A link leads nowhere.',
    hint: 'Remove the link or restore its target.',
  },
  'directory-name-encoding': {
    message: 'The name of the directory `{name}` contains bytes that are not UTF-8, so no skill in it can be read.',
    hint: 'Rename it, best with lowercase letters, digits and hyphens.',
  },
  'root-missing': {
    severity: 'info',
    message: 'The directory does not exist.',
    hint: 'Create it to keep skills there.',
  },
  'root-unreadable': {
    severity: 'error',
    message: 'The path could not be read: {reason}.',
    hint: 'Check the path and its permissions.',
  },
  'root-unsafe': {
    severity: { strict: 'error', others: 'warning' },
    message: 'Other users can change this directory: {reason}.',
    hint: 'Make yourself its owner (`chown`) and remove write access for others (`chmod o-w`).',
  },
  'skill-unsafe': {
    severity: 'warning',
    message: 'Other users can change {count} of the skills in this directory, such as `{skill}`: {reason}.',
    hint: 'Make yourself the owner of these skills (`chown -R`) and remove write access for others (`chmod -R o-w`).',
  },
  'root-refused': {
    severity: 'error',
    message: 'Other users can change this directory, so its skills were withheld: {reason}.',
    hint: 'Make yourself its owner (`chown`) and remove write access for others (`chmod o-w`).',
  },
  'path-external': {
    severity: 'warning',
    message: 'The configured path is outside the project and was not used.',
    hint: 'Move the skills into the project, or set `allowExternalPaths` in code.',
  },
  'root-external': {
    severity: 'warning',
    message: 'This path leads out of the project, to `{target}`; the skills there were read.',
    hint: 'Remove the link if you do not trust that directory.',
  },
  'scan-truncated': {
    severity: 'warning',
    message: 'The scan stopped at {limit}; skills may be missing.',
    hint: 'Name a root closer to the skills, or raise the limit.',
  },
  'containment-best-effort': {
    severity: 'info',
    message: 'This platform cannot prove which file was opened; reads are checked as well as it allows.',
    hint: 'Do not give other users write access to skills.',
  },
} as const;
