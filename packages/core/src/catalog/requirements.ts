// Checks whether the requirements that a skill states in its `metadata` are met where it would be used.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { parseJson, recordOf } from '../runtime/record.ts';
import type { SkillEnvironment } from '../skill/environment.ts';
import { checkRecord, invalidOption } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';

/** Clients that share one form of requirements; a skill uses the name of the client that it was written for. */
const openclawNames = ['openclaw', 'clawdbot', 'moltbot', 'clawdis', 'otto'];

/**
 * Refuses an object that says nothing of the surroundings, such as `process.env`, because it would fulfil every requirement.
 *
 * @throws {SkillError} `options-invalid`
 */
export function assertEnvironment(environment: SkillEnvironment): void {
  checkRecord('environment', environment);
  const isOne = ['hasVariable', 'hasProgram', 'hasTool', 'platform'].some((key) => key in environment);
  if (isOne || Object.keys(environment).length === 0) return;
  const keys = '`hasVariable`, `hasProgram`, `hasTool` and `platform`';
  throw invalidOption(`\`environment\` has none of ${keys}. Pass \`localEnvironment()\`, for example.`);
}

/**
 * Checks the requirements of a skill, and returns one diagnostic that names everything missing. Requirements in an unknown form
 * are ignored.
 *
 * @throws {SkillError} `options-invalid` if the environment is none
 */
export function validateRequirements(skill: Skill, environment: SkillEnvironment): readonly Diagnostic[] {
  assertEnvironment(environment);
  return findMissing(skill, environment);
}

/** Does the same for an environment that was checked. */
export function findMissing(skill: Skill, environment: SkillEnvironment): readonly Diagnostic[] {
  const missing = missingIn(skill.properties.metadata, environment);
  if (missing.length === 0) return [];
  const site = { source: skill.source.id, location: skill.location };
  return [createDiagnostic('requirement-missing', site, { name: skill.name, missing: missing.join(', ') })];
}

/** Reads Skillful's keys, which are plain text as the specification wants it, and the maps of known clients. */
function missingIn(
  metadata: Readonly<Record<string, string>>,
  { hasVariable, hasProgram, hasTool, platform }: SkillEnvironment,
): readonly string[] {
  const lacks = (has: ((name: string) => boolean) | undefined) => (name: string) => has !== undefined && !has(name);
  const openclaw = openclawNames.map((name) => parseMap(metadata[name])).filter((map) => map.always !== true);
  const requires = openclaw.map((map) => recordOf(map.requires));
  const variables = pick(variableName, words(metadata['requires-env']), ...requires.map(({ env }) => env));
  const programs = pick(programName, words(metadata['requires-bins']), ...requires.map(({ bins }) => bins));
  // One program of each `anyBins` list is enough.
  const choices = requires.map(({ anyBins }) => pick(programName, anyBins)).filter((names) => names.length > 0);
  const tools = pick(toolName, words(metadata['requires-tools']), parseMap(metadata.hermes).requires_tools);
  const named = pick(programName, ...openclaw.map(({ os }) => os));
  const platforms = named.map((name) => name.toLowerCase()).map((name) => platformNames.get(name) ?? name);
  const isElsewhere = platform !== undefined && platforms.length > 0 && !platforms.includes(platform);
  return [
    ...variables.filter(lacks(hasVariable)).map((name) => `variable ${name}`),
    ...programs.filter(lacks(hasProgram)).map((name) => `program ${name}`),
    ...choices
      .filter((names) => names.every(lacks(hasProgram)))
      .map((names) => `one of the programs ${names.join(' or ')}`),
    ...tools.filter(lacks(hasTool)).map((name) => `tool ${name}`),
    ...(isElsewhere ? [`platform ${platforms.join(' or ')}`] : []),
  ];
}

const platformNames: ReadonlyMap<string, string> = new Map([
  ['macos', 'darwin'],
  ['windows', 'win32'],
]);

const variableName = /^[A-Za-z_]\w*$/;
/**
 * A name and not a path, because programs are looked for only in the directories for programs. It has a letter, unlike the
 * version in `node >= 18`.
 */
const programName = /^\d*[A-Za-z_][\w.+-]*$/;
const toolName = /^\S+$/;

/** Limit for the names of one kind, because each is looked for in every directory for programs. */
const maxNames = 64;

/** Returns the names in the lists, each once. Ignores values that are not lists, and items that do not have the form. */
function pick(form: RegExp, ...lists: readonly unknown[]): readonly string[] {
  const names = lists.flatMap((list: unknown) => (Array.isArray(list) ? (list as readonly unknown[]) : []));
  const fitting = names.filter((name) => typeof name === 'string').filter((name) => form.test(name));
  return [...new Set(fitting)].slice(0, maxNames);
}

/** Reads the words of a text, or the items of a list, which is stored as JSON. */
function words(text = ''): readonly unknown[] {
  const list = text.startsWith('[') ? parseJson(text) : undefined;
  return Array.isArray(list) ? list : text.split(/[\s,]+/);
}

/** Parses a nested value of `metadata`, which is stored as JSON. */
function parseMap(json = ''): Readonly<Record<string, unknown>> {
  return json.startsWith('{') ? recordOf(parseJson(json)) : {};
}
