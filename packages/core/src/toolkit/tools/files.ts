// The tool with which a model lists the files of a skill that has more files than its activation names.

import { isShowable, renderFileLine } from '../../disclosure/activation-text.ts';
import { renderRest } from '../../disclosure/answers.ts';
import { listFiles } from '../../skill/files.ts';
import { checkPolicy, findUsable } from '../permission/called-skill.ts';
import type { ToolkitParts } from '../toolkit-parts.ts';
import { answer, createTool } from './create-tool.ts';
import type { SkillTool, SkillToolInputs } from './tool.ts';

const listedAtOnce = 200;

/** Creates `list_skill_resources`. */
export function createFilesTool(parts: ToolkitParts): SkillTool {
  return createTool(
    {
      name: parts.names.files,
      description: 'Lists all files of a skill with their bytes, also those that its activation does not name.',
      properties: { skill: { type: 'string' }, start: { type: 'integer' } },
      required: ['skill'],
    },
    parts,
    async ({ skill: named, start = 0 }: SkillToolInputs['list_skill_resources'], call) => {
      const called = await findUsable(named, call);
      if ('text' in called) return called;
      const { skill } = called;
      const consent = await checkPolicy({ skill, action: 'read' }, called, call);
      if (consent !== undefined && 'text' in consent) return consent;
      const checkPath = called.offer.checkFiles(skill, 'read');
      const listing = await listFiles(skill, { signal: call.context.signal, checkPath });
      const files = listing.files.filter(({ path }) => isShowable(path));
      const shown = files.slice(start, start + listedAtOnce);
      const rest = renderRest('file', start, shown.length, files.length);
      const isCut = listing.truncated && start + shown.length >= files.length;
      const unlisted = isCut ? ['There are more files, which are not listed.'] : [];
      const text = [...shown.map(renderFileLine), ...rest, ...unlisted].join('\n');
      return answer(text === '' ? 'No files.' : text, { kind: 'files', skill: skill.name, listed: shown.length });
    },
  );
}
