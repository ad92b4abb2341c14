// The tool by which a model reads a bundled file: text in pages or by section, images, documents and sounds as they are.

import {
  quoted,
  renderBinaryResource,
  renderSections,
  renderTextResource,
  renderUnknownLine,
} from '../../disclosure/answers.ts';
import { readSkillResource, type SkillResource } from '../../disclosure/resource.ts';
import { SkillError } from '../../skill/error.ts';
import { checkResourcePath } from '../../skill/paths.ts';
import { findSection, outlineMarkdown } from '../../text/outline.ts';
import { countLines, cutPage, type Page } from '../../text/page.ts';
import { resolveOffered, type ToolSetting, usableCatalog } from '../offer.ts';
import {
  answer,
  createTool,
  refuse,
  type SkillTool,
  type SkillToolInput,
  type SkillToolPart,
  type SkillToolResult,
} from '../tool.ts';

/** Creates `read_skill_resource`; `directories` are the ones that it reads from, all where there are none. */
export function createReadTool(setting: ToolSetting, directories: readonly string[] | undefined): SkillTool {
  return createTool(
    {
      name: setting.names.read,
      description: 'Reads a file of a skill by relative path: all, a section (heading) or lines.',
      inputSchema: {
        type: 'object',
        properties: {
          skill: { type: 'string' },
          path: { type: 'string' },
          section: { type: 'string' },
          line: { type: 'integer' },
          limit: { type: 'integer' },
          character: { type: 'integer' },
        },
        required: ['skill', 'path'],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const offer = await setting.offerFor(context);
      const catalog = usableCatalog(offer, setting.activeIn(offer, context));
      const found = resolveOffered(catalog, input.text('skill') ?? '');
      if (found.refusal !== undefined) return found.refusal;
      const { skill } = found;
      const { signal } = context;
      const asked = input.text('path') ?? '';
      const path = checkResourcePath(asked).join('/');
      checkDirectory(path, asked, directories);
      const resource = await readSkillResource(skill, path, { signal });
      const result = present(skill.name, resource, input, setting.names.read);
      if (!result.isError) {
        setting.emit({ type: 'resource-read', skill: skill.name, path, tokens: setting.countTokens(result.text) });
      }
      return result;
    },
  );
}

function checkDirectory(path: string, asked: string, directories: readonly string[] | undefined): void {
  const isBelow = (directory: string): boolean =>
    path.startsWith(`${checkResourcePath(trimSlash(directory)).join('/')}/`);
  if (directories === undefined || path === 'SKILL.md' || directories.some(isBelow)) return;
  const names = directories.map((directory) => `\`${trimSlash(directory)}/\``).join(', ');
  throw new SkillError('resource-outside-skill', `Only files below ${names} can be read, not ${quoted(asked)}.`);
}

function trimSlash(directory: string): string {
  return directory.replace(/\/$/, '');
}

/** Puts a file in words. */
function present(skill: string, resource: SkillResource, input: SkillToolInput, readTool: string): SkillToolResult {
  const { path, mediaType, data, text } = resource;
  const details = { kind: 'resource', skill, path, mediaType } as const;
  if (text === undefined)
    return answer(renderBinaryResource(skill, path, mediaType, data.length), details, partsOf(resource));
  const wanted = input.text('section');
  const sections = wanted === undefined ? [] : outlineMarkdown(text);
  const section = wanted === undefined ? undefined : findSection(sections, wanted);
  if (wanted !== undefined && section === undefined)
    return refuse('section-unknown', renderSections(path, wanted, sections));
  const line = Math.max(input.number('line') ?? 1, section?.start ?? 1);
  const page = cutPage(text, {
    line,
    lastLine: section?.end,
    limit: Math.max(input.number('limit') ?? Infinity, 1),
    character: input.number('character'),
  });
  if (page === undefined) return refuse('line-unknown', renderUnknownLine(path, line, section, countLines(text)));
  return answer(renderTextResource(skill, path, endAtSection(page, section?.end), readTool), details);
}

/** The end of a section is not a place to go on from. */
function endAtSection(page: Page, end: number | undefined): Page {
  if (end === undefined || page.lastLine < end || page.nextCharacter !== undefined) return page;
  const { nextLine: _, ...whole } = page;
  return whole;
}

const presentable = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf|audio\/(?:mpeg|wav))$/;

function partsOf({ mediaType, data }: SkillResource): readonly SkillToolPart[] {
  return presentable.test(mediaType) ? [{ mediaType, data }] : [];
}
