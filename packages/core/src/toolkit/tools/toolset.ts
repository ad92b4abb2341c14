// Creates the tools of a toolkit, and decides which of them are useful for an offer.

import { movedCharacters } from '../../conversation/instructions.ts';
import { activationLimit } from '../../disclosure/activate.ts';
import { exceedsWrapper } from '../../disclosure/activation-text.ts';
import { countUnlisted, type OfferedTools, renderCatalog, renderUnlisted } from '../../disclosure/catalog-text.ts';
import { mapInBatches } from '../../runtime/batches.ts';
import { getOrCreate } from '../../runtime/get-or-create.ts';
import { type FileCheck, listFiles } from '../../skill/files.ts';
import type { Skill } from '../../skill/skill.ts';
import type { SkillFileListing } from '../../skill/source.ts';
import { directCharacters } from '../catalog-prompt.ts';
import type { Offer } from '../offer.ts';
import type { ToolkitOptions } from '../options.ts';
import type { ToolKind, ToolNames } from '../tool-names.ts';
import type { ToolkitParts } from '../toolkit-parts.ts';
import { createActivateTool, createDeactivateTool } from './activate.ts';
import { createFindTool, createListTool } from './find.ts';
import { createFilesTool, createReadTool } from './read.ts';
import { createRunTool } from './run.ts';
import type { SkillTool } from './tool.ts';

/** Creates the tools to register. `staticOffer` is the offer of a catalog that is known from the start. */
export function createTools(
  registered: readonly ToolKind[],
  parts: ToolkitParts,
  staticOffer: Offer | undefined,
): readonly SkillTool[] {
  const { placement, runner } = parts.options;
  const catalogText = placement === 'tool' && staticOffer !== undefined ? describeCatalog(parts, staticOffer) : '';
  const tools: Readonly<Record<ToolKind, SkillTool | undefined>> = {
    activate: createActivateTool(parts, staticOffer, catalogText),
    read: createReadTool(parts),
    files: createFilesTool(parts),
    find: createFindTool(parts),
    list: createListTool(parts),
    deactivate: createDeactivateTool(parts),
    run: runner && createRunTool(parts, runner),
  };
  return registered.flatMap((kind) => tools[kind] ?? []);
}

/** Renders the catalog for the description of the tool, and how to find skills. */
function describeCatalog({ toolsOf }: ToolkitParts, offer: Offer): string {
  const rest = renderUnlisted(countUnlisted(offer.plan), toolsOf(offer).find);
  return [renderCatalog(offer.plan), rest].filter((text) => text !== '').join('\n\n');
}

/** Returns the tools that may be useful for an offer, or without an offer, for any. */
export function possibleTools(offer: Offer | undefined, options: ToolkitOptions): readonly ToolKind[] {
  const skills = offer?.forAnyone.skills;
  const mayHave = skills?.some((skill) => skill.hasFiles !== false) ?? true;
  const hasFiles = mayHave || skills?.some((skill) => isLong(skill, options)) === true;
  const lacksAny = offer === undefined || leavesOut(offer);
  return chooseTools(offer, options, { hasFiles, hasMany: mayHave, hasScripts: mayHave, lacksAny });
}

/**
 * Returns the tools that are useful for an offer, without tools for files if no skill has any. May list files. The prompt shows
 * the catalog of `began`, with which the conversation began.
 */
export async function usefulTools(
  offer: Offer,
  began: Offer,
  options: ToolkitOptions,
  signal: AbortSignal | undefined,
): Promise<readonly ToolKind[]> {
  const { skills } = offer.forAnyone;
  const { mode, runner, tools: { files: wanted } = {} } = options;
  const isLongAny = skills.some((skill) => isLong(skill, options));
  const hasFiles = mode !== 'awareness' && (isLongAny || (await haveFiles(offer, '', signal)));
  const hasMany = hasFiles && wanted === undefined && (await haveManyFiles(offer, signal));
  const hasScripts = runner !== undefined && (await haveFiles(offer, 'scripts/', signal));
  const lacksAny = leavesOut(offer) || leavesOut(began);
  return chooseTools(offer, options, { hasFiles, hasMany, hasScripts, lacksAny });
}

/** Returns the names of some tools, for texts that mention them. */
export function nameTools(names: ToolNames, kinds: readonly ToolKind[]): OfferedTools {
  const nameOf = (kind: ToolKind): string | undefined => (kinds.includes(kind) ? names[kind] : undefined);
  return { activate: nameOf('activate'), read: nameOf('read'), find: nameOf('find') };
}

function chooseTools(
  offer: Offer | undefined,
  { mode = 'tool', tools: wanted = {}, runner }: ToolkitOptions,
  has: Readonly<Record<'hasFiles' | 'hasMany' | 'hasScripts' | 'lacksAny', boolean>>,
): readonly ToolKind[] {
  if (offer?.forAnyone.skills.length === 0 || mode === 'awareness') return [];
  const isOffering = mode === 'tool' && offer?.forModel.skills.length !== 0;
  const { hasFiles, hasMany, hasScripts, lacksAny } = has;
  const useful: Readonly<Record<ToolKind, boolean>> = {
    activate: isOffering,
    read: hasFiles,
    files: hasFiles && (wanted.files ?? hasMany),
    find: isOffering && (wanted.find ?? lacksAny),
    list: isOffering && wanted.list === true,
    // Users may have activated skills that the model is not offered.
    deactivate: mode === 'tool' && wanted.deactivate === true,
    run: hasScripts && runner !== undefined,
  };
  return (Object.keys(useful) as ToolKind[]).filter((kind) => useful[kind]);
}

/** Checks whether a skill is not listed, or a description does not fit the budget. */
function leavesOut({ plan }: Offer): boolean {
  return plan.skills.some(({ showing, cut }) => showing === 'deferred' || cut === 'budget');
}

/** Checks whether a body may be too long to be disclosed at once. Then the tool for files is needed to read the rest. */
function isLong({ bytes }: Skill, { mode, reattach }: ToolkitOptions): boolean {
  return bytes > (mode === 'direct' ? directCharacters : Math.min(activationLimit, movedCharacters(reattach)));
}

/** Limit for skills whose files are listed, because that costs time in every model call. */
const maxListed = 64;

/** Whether a skill has files that the model may know although others may be denied: by offer, directory and skill. */
const permitted = new WeakMap<Offer, Readonly<Record<'' | 'scripts/', Map<Skill, boolean>>>>();

/**
 * Checks whether the model may know any file below a directory of a skill. Also true if that cannot be found out. Lists the files of
 * one skill after the other until one has some: again in each call, because files may appear, but only once if some may be denied,
 * because then even a skill that is known to have files is listed.
 */
async function haveFiles(offer: Offer, below: '' | 'scripts/', signal: AbortSignal | undefined): Promise<boolean> {
  const { skills } = offer.forAnyone;
  const checkOf = (skill: Skill) => offer.checkFiles(skill, below === '' ? 'read' : 'run');
  if (below === '' && skills.some((skill) => skill.hasFiles === true && checkOf(skill) === undefined)) return true;
  const unknown = skills.filter(({ hasFiles }) => hasFiles !== false);
  if (unknown.length > maxListed) return true;
  const known = getOrCreate(permitted, offer, () => ({ '': new Map(), 'scripts/': new Map() }))[below];
  const hasSome = ({ files, truncated }: SkillFileListing) =>
    truncated || files.some(({ path }) => path.startsWith(below));
  for (const skill of unknown) {
    const checkPath = checkOf(skill);
    const hasFiles = known.get(skill) ?? (await checkListing(skill, hasSome, checkPath, signal));
    if (checkPath !== undefined) known.set(skill, hasFiles);
    if (hasFiles) return true;
  }
  return false;
}

/** Limit for skills whose files are counted; higher, because that is done only once. */
const maxCounted = 256;

/** For each skill that was counted, whether it has more files than its wrapper lists, if none of them can be denied. */
const exceeding = new WeakMap<Skill, boolean>();

/** For each offer whose skills were counted, whether any of them has. */
const counted = new WeakMap<Offer, boolean>();

/**
 * Checks whether any skill has more files than its activation lists, or may have. Lists each skill only once, so that the answer
 * stays the same: tools come first in a prompt, so adding or removing one would invalidate the provider's cache.
 */
async function haveManyFiles(offer: Offer, signal: AbortSignal | undefined): Promise<boolean> {
  const hasMany = counted.get(offer) ?? (await countFiles(offer, signal));
  counted.set(offer, hasMany);
  return hasMany;
}

async function countFiles(offer: Offer, signal: AbortSignal | undefined): Promise<boolean> {
  const unknown = offer.forAnyone.skills.filter(({ hasFiles }) => hasFiles !== false);
  if (unknown.length > maxCounted) return true;
  const exceeds = await mapInBatches(unknown, async (skill) => {
    const checkPath = offer.checkFiles(skill, 'read');
    if (checkPath !== undefined) return checkListing(skill, exceedsWrapper, checkPath, signal);
    const isExceeding = exceeding.get(skill) ?? (await checkListing(skill, exceedsWrapper, undefined, signal));
    exceeding.set(skill, isExceeding);
    return isExceeding;
  });
  return exceeds.includes(true);
}

/** Checks the files of a skill; true if they cannot be listed. */
async function checkListing(
  skill: Skill,
  check: (listing: SkillFileListing) => boolean,
  checkPath: FileCheck | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return check(await listFiles(skill, { signal, checkPath }));
  } catch {
    signal?.throwIfAborted();
    return true;
  }
}
