// Suggests files if a model asks for one that a skill does not have, because instructions often name a file without its directory.

import { isShowable } from '../../disclosure/activation-text.ts';
import { renderOtherSkill, renderSuggestions } from '../../disclosure/answers.ts';
import { SkillError } from '../../skill/error.ts';
import { listFiles } from '../../skill/files.ts';
import { decodeLink, lastSegment } from '../../skill/paths.ts';
import { closestPaths } from '../../text/closest.ts';
import { assertFile, findCalledPath, isWrongPath } from '../permission/called-file.ts';
import type { NamedSkill } from '../permission/called-skill.ts';
import type { CallParts } from '../toolkit-parts.ts';

/** The path that a model wrote. `isPossible` tells which other files it could have meant. */
interface CalledFile {
  readonly path: string;
  readonly action: 'read' | 'run';
  readonly isPossible: (path: string) => boolean;
}

type Called = Pick<NamedSkill, 'skill' | 'offer'>;

/** Does what a call asks for. If its path is wrong, the error names the files or the skill that the model may have meant. */
export async function suggestFiles<Result>(
  called: Called,
  { path, action, isPossible }: CalledFile,
  call: CallParts,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const { skill, offer } = called;
  const { signal, replay, refusedWith } = call.context;
  try {
    const checked = await findCalledPath(path, { skill, action }, offer, call);
    // Without an answer of a person, for example, a replay would be refused for that before it looks for the file.
    if (replay === true && refusedWith === 'resource-unknown')
      await assertFile({ skill, action, path: checked }, offer, call);
    return await work(checked);
  } catch (error) {
    if (!isWrongPath(error)) throw error;
    // Otherwise, the earlier answer named no files.
    if (replay === true && refusedWith !== error.code) throw error;
    const listing = await listFiles(skill, { signal, checkPath: offer.checkFiles(skill, action) }).catch(
      () => undefined,
    );
    signal?.throwIfAborted();
    const paths = listing?.files.map((file) => file.path) ?? [];
    const possible = paths.filter((each) => isShowable(each) && isPossible(each));
    // Instructions contain whole commands, such as `python scripts/fill.py --all`.
    const words = new Set([decodeLink(path), ...path.split(/\s+/, 5)]);
    const meant = [...words].map((word) => closestPaths(word, possible)).find((paths) => paths.length > 0) ?? [];
    throw new SkillError(error.code, `${error.message}${renderSuggestions(meant)}${nameOther(called, path)}`);
  }
}

/**
 * Says which other skill that the model may know is a directory of a path: by its name or, if the path leaves the skill, by its
 * directory. Empty if there is none.
 */
function nameOther({ skill, offer }: Called, path: string): string {
  const directories = new Set(path.split(/[/\\]/).slice(0, -1));
  const isAbove = directories.has('..');
  const others = offer.forModel.skills.filter((each) => each !== skill);
  const other =
    others.find(({ name }) => directories.has(name)) ??
    others.find(({ directory }) => isAbove && directories.has(lastSegment(directory)));
  return other === undefined ? '' : renderOtherSkill(other.name);
}
