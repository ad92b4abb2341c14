// Suggests files if a model asks for one that a skill does not have, because instructions often name a file without its directory.

import { isShowable } from '../../disclosure/activation-text.ts';
import { renderUnknownFile } from '../../disclosure/answers.ts';
import { isSkillError } from '../../skill/error.ts';
import { listFiles } from '../../skill/files.ts';
import { closestPaths } from '../../text/closest.ts';
import type { NamedSkill } from '../permission/called-skill.ts';
import type { CallParts } from '../toolkit-parts.ts';
import { refuse } from './create-tool.ts';
import type { SkillToolResult } from './tool.ts';

/** A file that a model asked for. `isPossible` tells which other files it could have meant. */
interface CalledFile {
  readonly path: string;
  readonly action: 'read' | 'run';
  readonly isPossible: (path: string) => boolean;
}

/** Does what a call asks for. If the file does not exist, returns an answer with those that the model may have meant, if any. */
export async function suggestFiles(
  { skill, offer }: Pick<NamedSkill, 'skill' | 'offer'>,
  { path, action, isPossible }: CalledFile,
  { context }: CallParts,
  work: () => Promise<SkillToolResult>,
): Promise<SkillToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'resource-unknown' || context.replay === true) throw error;
    const { signal } = context;
    const listing = await listFiles(skill, { signal, checkPath: offer.checkFiles(skill, action) }).catch(
      () => undefined,
    );
    const paths = listing?.files.map((file) => file.path) ?? [];
    const close = closestPaths(
      path,
      paths.filter((each) => isShowable(each) && isPossible(each)),
    );
    if (close.length === 0) throw error;
    return refuse(error.code, renderUnknownFile(skill.name, action === 'read' ? 'file' : 'script', path, close));
  }
}
