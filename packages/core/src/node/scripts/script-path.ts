// Finds the absolute path of a bundled script, for applications that run scripts with their own shell tool.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillError } from '../../skill/error.ts';
import { checkResourcePath } from '../../skill/paths.ts';
import type { Skill } from '../../skill/skill.ts';
import { isBelow } from '../disk/contained-file.ts';

/**
 * Returns the real path of a script below `scripts/` of a skill on this disk. The file may change before you run it, so the
 * decision of a policy, or a digest, is only valid at this moment. In contrast, a `ScriptRunner` runs exactly the bytes that were
 * approved.
 *
 * @throws {SkillError} `resource-unknown` if there is no such file; `resource-outside-skill`
 */
export async function scriptPath(skill: Skill, path: string): Promise<string> {
  const checked = checkResourcePath(path).join('/');
  const { identity, name, source } = skill;
  const { files } = await source.listFiles(skill);
  const isListed = checked.startsWith('scripts/') && files.some((file) => file.path === checked);
  const real =
    isListed && identity !== undefined ? await realpath(join(identity, checked)).catch(() => undefined) : undefined;
  if (real === undefined || identity === undefined) {
    const message = `\`${name}\` has no script \`${checked}\` on this disk. Scripts are below \`scripts/\`.`;
    throw new SkillError('resource-unknown', message);
  }
  if (isBelow(identity, real)) return real;
  throw new SkillError('resource-outside-skill', `\`${checked}\` of \`${name}\` is a link that leaves the skill.`);
}
