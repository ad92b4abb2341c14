// Tier 2 in words: the wrapper of a skill's instructions, which nothing inside can close, and what stands for it later.

import { escapeXml, neutraliseFrame, oneLine } from './neutral-text.ts';
import { outlineMarkdown } from './outline.ts';
import type { SkillFileListing } from './source.ts';

/** What the wrapper of an activation is made of. */
export interface ActivationParts {
  /** As it is to stand in the wrapper, escaped. */
  readonly name: string;
  readonly body: string;
  /** Line of the file at which the body begins, from 1. */
  readonly bodyLine: number;
  /** SHA-256 of the file; its first twelve digits are shown. */
  readonly digest: string;
  readonly directory: string;
  readonly resources: SkillFileListing;
  /** Name of the tool that reads bundled files; without it no tool is mentioned. */
  readonly readTool?: string | undefined;
  /** Characters of the body at most; a longer one is cut at the end of a line and its outline says what follows. */
  readonly limit: number;
}

/** The files that a wrapper lists at most. */
const maxListedFiles = 100;

/** The headings that an outline lists at most. */
const maxOutline = 100;

/**
 * Renders a skill's instructions in a wrapper that carries name, digest and directory and lists the bundled files.
 *
 * Tags of the wrapper inside the body lose their `<`, so that a body cannot close its own wrapper or open another.
 */
export function renderActivation(parts: ActivationParts): string {
  const { name, digest, directory, resources, readTool } = parts;
  return [
    `<skill_content name="${name}" digest="${shortDigest(digest)}">`,
    ...renderBody(parts),
    '',
    `Skill directory: ${field(directory)}`,
    'Relative paths in this skill are relative to the skill directory.',
    ...renderFiles(resources, readTool),
    '</skill_content>',
  ].join('\n');
}

/** The form of a digest that a model and the ledger see: enough to tell two versions of a file apart. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 'sha256:'.length + 12);
}

function renderBody({ name, body, bodyLine, limit, readTool }: ActivationParts): readonly string[] {
  if (body.length <= limit) return [neutraliseFrame(body)];
  const lines = body.split('\n');
  let kept = 0;
  for (let characters = 0; kept < lines.length; kept++) {
    characters += (lines[kept]?.length ?? 0) + 1;
    if (characters > limit) break;
  }
  const shown = lines.slice(0, kept).join('\n');
  const next = bodyLine + kept;
  const following = outlineMarkdown(body).filter((section) => section.start > kept);
  const outline = following
    .slice(0, maxOutline)
    .map(({ level, title, start }) => `${'  '.repeat(level - 1)}- line ${start - 1 + bodyLine}: ${oneLine(title)}`);
  const how =
    readTool === undefined
      ? 'Read the rest'
      : `Read the rest with ${readTool} { "skill": "${name}", "path": "SKILL.md", "line": ${next} }`;
  return [
    neutraliseFrame(shown),
    '',
    `[These are lines ${bodyLine} to ${next - 1} of ${bodyLine + lines.length - 1}. ${how} before you rely on it.]`,
    ...(outline.length === 0 ? [] : ['What follows:', ...outline.map(neutraliseFrame)]),
  ];
}

function renderFiles({ files, truncated }: SkillFileListing, readTool: string | undefined): readonly string[] {
  if (files.length === 0) return [];
  const listed = files.slice(0, maxListedFiles);
  const unlisted = files.length - listed.length;
  const more = unlisted > 0 && !truncated ? `${unlisted} more files are not listed` : 'more files are not listed';
  return [
    ...(readTool === undefined ? [] : [`Read bundled files with ${readTool}.`]),
    '<skill_resources>',
    ...listed.map(({ path, bytes }) => `<file bytes="${bytes}">${field(path)}</file>`),
    ...(unlisted > 0 || truncated ? [`<!-- ${more} -->`] : []),
    '</skill_resources>',
  ];
}

/** Renders the answer to an activation of what is in context already: about 40 tokens. */
export function renderPointer(name: string, digest: string): string {
  return `<skill_active name="${name}" digest="${shortDigest(digest)}" />\nAlready active and unchanged: follow its instructions above.`;
}

/** Renders an activation whose earlier text the model still has, in another version. */
export function renderChanged(text: string): string {
  return `${text}\nThis skill has changed since it was activated before: this text replaces the earlier one.`;
}

/** Renders the answer to a deactivation, and what stands for the instructions from the next model call on. */
export function renderInactive(name: string): string {
  return `<skill_inactive name="${name}" />\nNo longer active: its instructions have left the context.`;
}

/** Renders what stands for an older text of a skill whose instructions follow again later. */
export function renderSuperseded(name: string): string {
  return `The instructions of ${name} stood here; they are given again below.`;
}

/** Renders the active skills that a model would otherwise miss, and names those that there was no room for. */
export function renderAttachment(texts: readonly string[], leftOut: readonly string[], activateTool: string): string {
  const intro = 'Active skills of this conversation. Keep to their instructions:';
  const omitted = `Also active, but left out for length: ${leftOut.join(', ')}. Call ${activateTool} to have one again.`;
  return [...(texts.length === 0 ? [] : [intro, ...texts]), ...(leftOut.length === 0 ? [] : [omitted])].join('\n\n');
}

function field(text: string): string {
  return escapeXml(oneLine(text));
}
