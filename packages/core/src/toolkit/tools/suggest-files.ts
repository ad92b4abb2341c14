// Suggests files if a model asks for one that a skill does not have, because instructions often name a file by a path from elsewhere.

import { isShowable } from '../../disclosure/activation-text.ts';
import { renderOtherSkill, renderSuggestions } from '../../disclosure/answers.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import { listFiles } from '../../skill/files.ts';
import { checkCalledPath, lastSegment } from '../../skill/paths.ts';
import { closestPaths } from '../../text/closest.ts';
import type { NamedSkill } from '../permission/called-skill.ts';
import type { CallParts } from '../toolkit-parts.ts';

/** A file that a model asked for. `isPossible` tells which other files it could have meant. */
interface CalledFile {
  readonly path: string;
  readonly action: 'read' | 'run';
  readonly isPossible: (path: string) => boolean;
}

type Called = Pick<NamedSkill, 'skill' | 'offer'>;

/**
 * Does what a call asks for, with the checked path. If there is no such file, or the path leads out of the skill, the error names
 * the files that the model may have meant, and the other skill that the path leads into.
 */
export async function suggestFiles<Result>(
  called: Called,
  file: CalledFile,
  call: CallParts,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  let path: string | undefined;
  try {
    path = checkCalledPath(file.path, called.skill);
    return await work(path);
  } catch (error) {
    const isRefused = path === undefined;
    if (!isSkillError(error) || !(isRefused || error.code === 'resource-unknown')) throw error;
    if (call.context.replay === true) throw error;
    const meant = await findMeant(called, { ...file, path: path ?? file.path }, call.context.signal);
    const other = isRefused || meant === '' ? nameOther(called, file.path, isRefused) : '';
    throw new SkillError(error.code, `${error.message}${meant}${other}`);
  }
}

/** Names the files that a path may stand for; empty if there are none. */
async function findMeant(
  { skill, offer }: Called,
  { path, action, isPossible }: CalledFile,
  signal: AbortSignal | undefined,
): Promise<string> {
  const listing = await listFiles(skill, { signal, checkPath: offer.checkFiles(skill, action) }).catch(() => undefined);
  signal?.throwIfAborted();
  const paths = listing?.files.map((file) => file.path) ?? [];
  return renderSuggestions(
    closestPaths(
      path,
      paths.filter((each) => isShowable(each) && isPossible(each)),
    ),
  );
}

/**
 * Says which other skill that the model may know is a directory of a path, by its name or, if the path leaves the skill, by its
 * directory; empty if there is none.
 */
function nameOther({ skill, offer }: Called, path: string, isRefused: boolean): string {
  const directories = path.split(/[/\\]/).slice(0, -1);
  const others = offer.forModel.skills.filter((each) => each !== skill);
  const other =
    others.find(({ name }) => directories.includes(name)) ??
    others.find(({ directory }) => isRefused && directories.includes(lastSegment(directory)));
  return other === undefined ? '' : renderOtherSkill(other.name);
}
