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
    hint: 'Rename it with letters, digits, hyphens and dots, not with a dot at an end. Do not use the name of a Windows device, such as `con`.',
  },
  'resource-name-twin': {
    severity: 'warning',
    message: '`{file}` and `{other}` look alike, or are one file on some systems.',
    hint: 'Rename one of the two.',
  },
  'resource-link-lost': {
    severity: 'warning',
    message: 'Models cannot read `{file}`, because it is a link that leads {reason}.',
    hint: 'Put a copy of its target into the skill.',
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
    hint: 'Copy the target into the directory, or add its real location as a root. To share a skill, link its directory, not its files.',
  },
  'skill-broken-link': {
    severity: 'warning',
    message: 'A link leads nowhere.',
    hint: 'Restore its target, with `git submodule update --init` if that is in a submodule, or remove the link.',
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
    severity: 'warning',
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
    message: 'This platform cannot prove which file was opened, so reads are checked as well as possible.',
    hint: 'Do not give other users write access to skills.',
  },
} as const;

export const diskDocuments = {
  'skill-nested': 'Everything below a skill belongs to it, so a `SKILL.md` in there is not a separate skill.',
  'skill-too-deep': {
    cause:
      'Each client limits how many directories it searches below its roots; Claude Code and Gemini CLI find `<root>/<name>/SKILL.md` only.',
    fix: 'Move the skill up, next to those that are found, or search deeper with `--depth` or the option `depth`.',
  },
  'skill-beside-skills': {
    cause: 'If a root is not called `skills` but contains a directory of that name, only that directory is searched.',
    fix: 'Move the skill into `skills`, or set `skillsChild: false` on the source to search the root itself.',
  },
  'resource-name-refused':
    'The name is not UTF-8 or far too long, or the system reads it as another name, as Windows does with a dot at the end.',
  'resource-name-unportable':
    'A model could not repeat the name, or no path of a resource may contain it. Such a name contains a control or invisible character, a backslash, a colon, a tag, several spaces in a row or more than 255 bytes, ends in a dot or a space, or is the name of a Windows device. An application can still read the file with `fromListing: true`.',
  'resource-name-twin':
    'The names differ only in case, in how an accent is stored or in the kind of a space, so a model may ask for the wrong one. On macOS and Windows, names that differ in the first two are one file.',
  'resource-link-lost':
    'Nothing outside a skill is read, because a link could lead to any file of the machine. Npm packages leave out links, too.',
  'skill-file-case':
    'Most clients look for exactly `SKILL.md`, so on many systems they do not find the skill. On Windows, editors may add `.txt`, and its file manager does not show it.',
  'skill-directory-missing':
    'A skill is a directory with a `SKILL.md`, so a file `pdf.md` beside other skills is not found. For the same reason, each key of the files that `memorySource` takes is a path: the directory, `/` and the name of the file.',
  'skill-file-twin':
    'Some clients also read `skill.md`, and then tell their model something else about the same skill.',
  'skill-file-linked': {
    cause:
      'A hard link can make any file on the disk appear inside the skill, and no check of paths can detect it. Package managers that keep one copy of a file for all projects, such as pnpm, make such links too.',
    fix: 'Copy the skill to a directory of its own (`cp -r`), make the package manager copy files (`package-import-method=copy` for pnpm), or use the profile `lenient`.',
  },
  'skill-file-missing': 'A skill is a directory with a file called exactly `SKILL.md`.',
  'skill-file-unreadable': 'The operating system refused to read the file.',
  'skill-file-special': 'Reading a pipe, a socket or a device can hang a process, so only regular files are read.',
  'skill-outside-root':
    'A link to a place outside can expose files that were never meant to be shared, so it is not followed.',
  'skill-broken-link':
    'The target of the link was moved or removed, is in a git submodule that is not checked out, or leads back to the link.',
  'directory-name-encoding': {
    cause:
      'A file system may keep names in any encoding, and a program that handles names as text cannot open one that is not UTF-8. Each `U+FFFD` in the name shown replaces such bytes.',
    fix: 'Rename the directory (`convmv`, or `mv` with a pattern such as `caf?`).',
  },
  'root-missing': {
    cause: 'All places where clients keep skills are searched, and most of them do not exist.',
    fix: 'You need not do anything. If you want skills there, create the directory.',
  },
  'root-unreadable': 'The operating system refused to read the directory, so its skills are unknown.',
  'root-unsafe': 'Anyone who can write to a directory of skills can instruct the agents that use it.',
  'skill-unsafe':
    'Anyone who can write to a skill can instruct the agents that use it, even if nobody else can write to the directory around it.',
  'root-refused': {
    cause:
      'If another user of the machine owns a project’s directory or can write to it, that user may have put skills there for you to find.',
    fix: 'Make yourself its owner (`chown`) and remove write access for others (`chmod o-w`), or let the application accept such directories.',
  },
  'path-external': 'A project that names directories outside itself could make an agent read its user’s files.',
  'root-external': {
    cause:
      'You trusted the project, but others may change files outside it, so you should know that some of its skills come from there.',
    fix: 'Remove the link, move its target into the project, or add the target as a root of its own.',
  },
  'scan-truncated': 'Scans are limited so that a huge tree cannot delay a start.',
  'containment-best-effort':
    'Without `/proc`, an open file cannot be traced back to its path, so a file that is swapped at the right moment might be read.',
};
