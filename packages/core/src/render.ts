// Every sentence that the model reads is made here, by functions, from neutralised data.

import { escapeXml, oneLine } from './neutral-text.ts';
import type { Skill } from './skill.ts';
import type { SkillFileListing } from './source.ts';

/** Renders tier 1: one entry a skill in the order given, one line a field, or nothing at all where there are no skills. */
export function renderCatalog(skills: readonly Pick<Skill, 'name' | 'description'>[]): string {
  if (skills.length === 0) return '';
  const entries = skills.map(
    ({ name, description }) =>
      `<skill>\n<name>${field(name)}</name>\n<description>${field(description)}</description>\n</skill>\n`,
  );
  return `<available_skills>\n${entries.join('')}</available_skills>`;
}

/** Renders the whole text that stands in the system prompt: how to use skills, then the catalog. */
export function renderInstructions(skills: readonly Skill[], tools: ToolNames): string {
  if (skills.length === 0) return '';
  return [
    '## Skills',
    '',
    `Skills are instructions for particular tasks. Before you work on a task that a skill's description covers, call ${tools.activate} with its name and follow what it says. When its instructions point to a bundled file, read that file with ${tools.read}.`,
    '',
    renderCatalog(skills),
  ].join('\n');
}

/** The names under which the tools are offered. */
export interface ToolNames {
  readonly activate: string;
  readonly read: string;
}

/** What the wrapper of an activation is made of. */
export interface ActivationParts {
  readonly name: string;
  readonly body: string;
  readonly digest: string;
  readonly directory: string;
  readonly resources: SkillFileListing;
  readonly resourceTool?: string | undefined;
}

/** The files that a wrapper lists at most. */
const maxListedFiles = 100;

/**
 * Renders tier 2: the body in a wrapper that carries name, digest and directory and lists the bundled files.
 *
 * Tags of the wrapper inside the body lose their `<`, so that a body cannot close its own wrapper or open another.
 */
export function renderActivation(parts: ActivationParts): string {
  const { name, body, digest, directory, resources, resourceTool } = parts;
  return [
    `<skill_content name="${field(name)}" digest="${digest}">`,
    neutraliseFrame(body),
    '',
    `Skill directory: ${field(directory)}`,
    'Relative paths in this skill are relative to the skill directory.',
    ...renderFiles(resources, resourceTool),
    '</skill_content>',
  ].join('\n');
}

function renderFiles({ files, truncated }: SkillFileListing, resourceTool: string | undefined): string[] {
  if (files.length === 0) return [];
  const listed = files.slice(0, maxListedFiles);
  const unlisted = files.length - listed.length;
  return [
    ...(resourceTool === undefined ? [] : [`Read bundled files with ${resourceTool}.`]),
    '<skill_resources>',
    ...listed.map(({ path, bytes }) => `<file bytes="${bytes}">${field(path)}</file>`),
    ...(unlisted > 0 || truncated
      ? [`<!-- ${unlisted > 0 ? `${unlisted} more` : 'more'} files are not listed -->`]
      : []),
    '</skill_resources>',
  ];
}

/** Renders the answer to a name that no skill has. */
export function renderUnknownSkill(name: string, suggestions: readonly string[], available: readonly string[]): string {
  const wanted = `No skill ${quoted(name)}.`;
  if (suggestions.length > 0) return `${wanted} Did you mean ${suggestions.map(quoted).join(' or ')}?`;
  return `${wanted} ${listNames(available)}`;
}

/** Renders the answer to a name that several skills could have. */
export function renderAmbiguousSkill(name: string, candidates: readonly string[]): string {
  const names = candidates.slice(0, 10).map(quoted);
  return `${quoted(name)} could be ${names.join(', ')}. Call again with one of these names.`;
}

function listNames(available: readonly string[]): string {
  if (available.length === 0) return 'There are no skills.';
  const named = available.slice(0, 20).map(quoted);
  const rest = available.length - named.length;
  return `Available: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Renders the result of reading a file that is text. */
export function renderTextResource(skill: string, path: string, text: string): string {
  return `<skill_resource skill="${field(skill)}" path="${field(path)}">\n${neutraliseFrame(text)}\n</skill_resource>`;
}

/** Renders the result of reading a file that is not text. */
export function renderBinaryResource(skill: string, path: string, mediaType: string, bytes: number): string {
  return `${quoted(path)} of skill ${quoted(skill)} is not text: ${mediaType}, ${bytes} bytes.`;
}

function quoted(text: string): string {
  return `\`${escapeXml(oneLine(text).slice(0, 120))}\``;
}

function field(text: string): string {
  return escapeXml(oneLine(text));
}

const frameTags = /<(?=[\s\p{Cf}]*(?:\/[\s\p{Cf}]*)?(?:skill_content|skill_resources?|available_skills)\b)/giu;

function neutraliseFrame(text: string): string {
  return text.replace(frameTags, '&lt;');
}
