// Finds the absolute path of a bundled script, for applications that run scripts with their own shell tool.

import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findScript } from '../../scripts/plan.ts';
import { SkillError } from '../../skill/error.ts';
import { checkResourcePath } from '../../skill/paths.ts';
import type { Skill } from '../../skill/skill.ts';
import { isBelow } from '../disk/contained-file.ts';

/**
 * Returns the real path of a script below `scripts/` of a skill on this disk. The file may change before you run it, so the
 * decision of a policy, or a digest, is only valid at this moment. In contrast, a `ScriptRunner` runs exactly the bytes that were
 * approved.
 *
 * @throws {SkillError} `resource-unknown` if there is no such file; `resource-outside-skill`; `resource-unreadable`
 */
export async function scriptPath(skill: Skill, path: string): Promise<string> {
  const { identity, name } = skill;
  const { path: script } = await findScript(skill, checkResourcePath(path).join('/'), {});
  const real = identity && (await realpath(join(identity, script)).catch(() => undefined));
  if (!identity || !real)
    throw new SkillError('resource-unknown', `The script \`${script}\` of \`${name}\` is not on this disk.`);
  if (isBelow(identity, real)) return real;
  throw new SkillError('resource-outside-skill', `\`${script}\` of \`${name}\` is a link that leaves the skill.`);
}
