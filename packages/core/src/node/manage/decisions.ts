// Reads and writes stored decisions about skills: under which ids, and which id decides.

import { distinctName, nameKey, qualifiedName } from '../../catalog/names.ts';
import { showText } from '../../diagnostics/diagnostic.ts';
import { getOrCreate } from '../../runtime/get-or-create.ts';
import { groupBy } from '../../runtime/group-by.ts';
import { isRecord, recordOf } from '../../runtime/record.ts';
import { assertSkill, invalidOption } from '../../skill/options.ts';
import type { Skill } from '../../skill/skill.ts';
import { knownScopes } from '../../skill/source.ts';
import { canonicalPath, findProject } from '../environment/project.ts';

/** A part of the settings, to which another version may have added more. */
export type Stored = Record<string, unknown>;

/**
 * Returns the id of a skill: its qualified name, `user:pdf`, or with the name of its plugin, `plugin:lint/deploy`, so that skills
 * of the same name in two plugins differ. For decisions about a project skill, the project is added.
 */
export function settingsId(skill: Skill): string {
  return distinctName(skill);
}

/**
 * Returns the ids under which a decision about a skill may be stored, most specific first. The first with a stored decision
 * decides.
 *
 * @param projects a cache of the projects of roots
 */
export function idsOf(
  skill: Skill | string,
  projects: Map<string, string> = new Map(),
): readonly [id: string, ...general: string[]] {
  if (typeof skill === 'string') {
    checkId(skill);
    return [skill];
  }
  assertSkill(skill);
  const id = settingsId(skill);
  // An application may decide by a qualified name, for all plugins and projects at once.
  const general = skill.plugin === undefined ? [] : [qualifiedName(skill)];
  const project = projectOf(skill, projects);
  return project === undefined ? [id, ...general] : [`${id} in ${project}`, id, ...general];
}

/** Checks an id, because a decision about another text would have no effect. @throws {SkillError} `options-invalid` */
function checkId(id: string): void {
  const scope = id.slice(0, id.indexOf(':'));
  const name = id.slice(scope.length + 1);
  const isMiswritten = scope !== nameKey(scope) && knownScopes.some((known) => known === nameKey(scope));
  if (scope !== '' && !isMiswritten && name !== '' && name === name.trim()) return;
  throw invalidOption(`\`${showText(id)}\` is not the id of a skill, such as \`user:pdf\`. \`settingsId\` returns it.`);
}

function projectOf({ source }: Skill, projects: Map<string, string>): string | undefined {
  const { scope, root, project } = source;
  if (scope !== 'project') return undefined;
  if (project !== undefined || root === undefined) return project;
  return getOrCreate(projects, root, () => findProject(root).root);
}

/** Decides whether a skill with these ids is enabled. The default is true. */
export function decide(stored: Stored, ids: readonly string[]): boolean {
  return ids.map((id) => decisionIn(stored, id)).find((enabled) => enabled !== undefined) ?? true;
}

/**
 * Returns why stored settings cannot be understood. A decision in an unknown form must not be ignored, because that would switch
 * the skill on.
 */
export function findMisshape(stored: unknown): string | undefined {
  if (!isRecord(stored)) return 'expected an object';
  const { skills = {} } = stored;
  if (!isRecord(skills)) return '`skills` is not an object';
  for (const [id, skill] of Object.entries(skills)) {
    if (!isRecord(skill)) return `\`${showText(id)}\` is not an object`;
    const { enabled } = skill;
    if (enabled !== undefined && typeof enabled !== 'boolean')
      return `\`enabled\` of \`${showText(id)}\` is not true or false`;
  }
  return undefined;
}

/** Returns the ids of skills that are switched off, sorted. */
export function disabledIn(stored: Stored): readonly string[] {
  return offIn(recordOf(stored.skills)).sort();
}

function offIn(skills: Stored): string[] {
  return Object.keys(skills).filter((id) => recordOf(skills[id])['enabled'] === false);
}

/** Returns the stored decision about an id. Without one, a skill is also off if an id that looks the same is. */
function decisionIn({ skills }: Stored, id: string): boolean | undefined {
  const { enabled } = recordOf(recordOf(skills)[id]);
  if (typeof enabled === 'boolean') return enabled;
  const off = getOrCreate(offByKey, recordOf(skills), (all) =>
    groupBy(offIn(all as Stored).map(readId), ({ key }) => key),
  );
  const wanted = readId(id);
  return off.get(wanted.key)?.some((each) => isSame(each, wanted)) ? false : undefined;
}

/** The parts of an id: a key that all ids that look the same have, and the path of the project, which may be empty. */
interface ReadId {
  readonly key: string;
  readonly project: string;
}

/** For each record of skills, the ids that are off, by their keys. */
const offByKey = new WeakMap<object, ReadonlyMap<string, readonly ReadId[]>>();

function readId(id: string): ReadId {
  const [end = '', project = ''] = / in ((?:[/\\]|[a-z]:).*)$/is.exec(id) ?? [];
  return { key: nameKey(id.slice(0, id.length - end.length)), project };
}

/** Checks whether ids look the same, and whether their paths lead to the same project. Asks the disk only if the paths differ. */
function isSame(one: ReadId, other: ReadId): boolean {
  if (one.key !== other.key) return false;
  if (one.project === other.project) return true;
  return one.project !== '' && other.project !== '' && canonicalPath(one.project) === canonicalPath(other.project);
}

/** Stores whether a skill with these ids is on or off, in the shortest form. */
export function storeDecision(
  stored: Stored,
  [id, ...general]: readonly [string, ...string[]],
  enabled: boolean,
): void {
  // Without a prototype, `__proto__` is an ordinary key.
  const skills: Stored = Object.assign(Object.create(null), stored.skills);
  const put = (each: string, skill: Stored): void => {
    if (Object.keys(skill).length > 0) skills[each] = skill;
    else delete skills[each];
  };
  const wanted = readId(id);
  for (const other of Object.keys(skills).filter((each) => each !== id && isSame(readId(each), wanted))) {
    const { enabled: _, ...rest } = recordOf(skills[other]);
    put(other, rest);
  }
  const skill = recordOf(skills[id]);
  // "On" need not be stored, unless a more general id is off.
  if (enabled && decide(stored, general)) delete skill.enabled;
  else skill.enabled = enabled;
  put(id, skill);
  stored.skills = skills;
}
