// The tools with which a model lists bundled files, and reads one: text in pages or by section, images, PDFs and audio as files.

import { isShowable, renderFileLine } from '../../disclosure/activation-text.ts';
import {
  renderBinaryResource,
  renderRest,
  renderSections,
  renderTextResource,
  renderUnknownLine,
} from '../../disclosure/answers.ts';
import { checkDirectory, type SkillResource } from '../../disclosure/resource.ts';
import { digestBytes } from '../../runtime/digest.ts';
import { createTurn, type Wait } from '../../runtime/turns.ts';
import { digestOfFile, type SkillContents } from '../../scripts/contents.ts';
import { listFiles } from '../../skill/files.ts';
import { isPathFor, lastSegment, splitLink } from '../../skill/paths.ts';
import { toBase64 } from '../../text/base64.ts';
import { findSection } from '../../text/outline.ts';
import { countPageLines, cutPage, type Page } from '../../text/page.ts';
import { readCalledFile } from '../permission/called-file.ts';
import { type CalledSkill, checkPolicy, findUsable } from '../permission/called-skill.ts';
import type { CallParts, ToolkitParts } from '../toolkit-parts.ts';
import { answer, createTool } from './create-tool.ts';
import { refuse, refuseSkill } from './refusal.ts';
import { suggestFiles } from './suggest-files.ts';
import type { SkillTool, SkillToolInputs, SkillToolResult } from './tool.ts';

/** Creates `read_skill_resource`. */
export function createReadTool(parts: ToolkitParts): SkillTool {
  return createTool(
    {
      name: parts.names.read,
      description: 'Reads a file of a skill by relative path: all, a section (heading) or lines.',
      properties: {
        skill: { type: 'string' },
        path: { type: 'string' },
        section: { type: 'string' },
        line: { type: 'integer' },
        limit: { type: 'integer' },
        character: { type: 'integer' },
      },
      required: ['skill', 'path'],
    },
    parts,
    async (input: SkillToolInputs['read_skill_resource'], call) => {
      const called = await findUsable(input.skill, call);
      if ('text' in called) return called;
      const { path } = input;
      const directories = parts.options.resourceDirectories;
      const isPossible = (other: string) =>
        directories === undefined || isPathFor((each) => checkDirectory(each, directories), other);
      const file = { path, action: 'read', isPossible } as const;
      const section = input.section ?? splitLink(path).section;
      const wanted = { ...input, ...(section !== undefined && { section }) };
      return suggestFiles(called, file, call, (checked) => readCalled(called, checked, wanted, call));
    },
  );
}

async function readCalled(
  called: CalledSkill<SkillContents | undefined>,
  path: string,
  input: SkillToolInputs['read_skill_resource'],
  call: CallParts,
): Promise<SkillToolResult> {
  const { skill } = called;
  const { context } = call;
  const { signal } = context;
  const request = { skill, action: 'read', path } as const;
  const consent = await checkPolicy(request, called, call);
  if (consent !== undefined && 'text' in consent) return consent;
  const agreed = consent ?? called.consent;
  const turn = createTurn();
  const resource = await readCalledFile(request, consent !== undefined, called.offer, call);
  if (agreed !== undefined) {
    const digest = digestOfFile(agreed, path);
    if (digest !== (await digestBytes(resource.data))) return refuseSkill('approval-stale', skill);
  }
  await turn(signal);
  const isAsked = consent !== undefined;
  const result = await present(skill.name, resource, isAsked, input, call.names.read, () => turn(signal));
  if (result.isError) return result;
  call.emit({ type: 'resource-read', skill: skill.name, path, tokens: call.countTokens(result.text) }, context);
  return result;
}

/** Creates the answer with a file: its text, or its bytes with a sentence. */
async function present(
  skill: string,
  resource: SkillResource,
  isAsked: boolean,
  input: SkillToolInputs['read_skill_resource'],
  readTool: string,
  wait: Wait,
): Promise<SkillToolResult> {
  const { path, mediaType, data, text } = resource;
  const asked = isAsked ? { asked: true } : {};
  const details = { kind: 'resource', skill, path, mediaType, ...asked } as const;
  if (text === undefined) {
    const files = presentable.test(mediaType) ? [{ mediaType, data: toBase64(data), filename: lastSegment(path) }] : [];
    return answer(renderBinaryResource(skill, path, mediaType, data.length), details, files);
  }
  const { section: wanted, limit, character } = input;
  const sought = wanted === undefined ? undefined : await findSection(text, wanted, wait);
  const section = sought?.section;
  if (wanted !== undefined && sought !== undefined && section === undefined)
    return refuse('section-unknown', renderSections(path, wanted, sought), asked);
  const line = Math.max(input.line ?? 1, section?.start ?? 1);
  const range = { line, lastLine: section?.end, limit, character };
  const page = await cutPage(text, range, wait);
  if (page === undefined)
    return refuse('line-unknown', renderUnknownLine(path, line, section, await countPageLines(text, wait)));
  return answer(renderTextResource(skill, path, endAtSection(page, section?.end), readTool), details);
}

/** Removes the place to continue from a page that reaches the end of the section. */
function endAtSection(page: Page, end: number | undefined): Page {
  if (end === undefined || page.lastLine < end || page.nextCharacter !== undefined) return page;
  const { nextLine: _, ...whole } = page;
  return whole;
}

const presentable = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf|audio\/(?:mpeg|wav))$/;

const listedAtOnce = 200;

/** Creates `list_skill_resources`, for a skill that has more files than its activation names. */
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
