// Decides whether the skills of a project may be read at all. The project itself has no say in it.

import { isAbsolute } from 'node:path';
import { canonicalPath } from './project.ts';

/**
 * Who is trusted: nobody or everybody, the projects of a list of absolute paths, or whoever the host's callback says, which gets the
 * canonical path of the project.
 */
export type TrustOption = boolean | readonly string[] | ((project: string) => boolean | Promise<boolean>);

/** Compares canonical paths only: a link to a trusted place is that place, a pointer file in the project is nothing. */
export async function isTrustedProject(project: string, trusted: TrustOption): Promise<boolean> {
  const canonical = canonicalPath(project);
  if (typeof trusted === 'boolean') return trusted;
  if (typeof trusted === 'function') return (await trusted(canonical)) === true;
  // An empty or relative path would be whichever project happens to be worked in.
  return trusted.some((path) => isAbsolute(path) && canonicalPath(path) === canonical);
}
