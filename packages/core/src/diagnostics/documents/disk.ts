// Why directories, files and links can be wrong.

import type { diskCodes } from '../codes/disk.ts';
import type { DiagnosticDocument } from '../table.ts';

export const diskDocuments: Readonly<Record<keyof typeof diskCodes, DiagnosticDocument>> = {
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
    'The names differ only in case or in how an accent is stored, so a model may ask for the wrong one, and on macOS and Windows one file replaces the other.',
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
  'skill-broken-link': 'The target of the link was moved or removed, or it leads back to the link.',
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
