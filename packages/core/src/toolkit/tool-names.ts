// Chooses the names of the tools, which an application may change.

import { withoutUndefined } from '../runtime/record.ts';
import { invalidOption } from '../skill/options.ts';

const defaultNames = {
  activate: 'activate_skill',
  read: 'read_skill_resource',
  files: 'list_skill_resources',
  find: 'find_skills',
  list: 'list_skills',
  deactivate: 'deactivate_skill',
  run: 'run_skill_script',
};

/** A kind of tool, independent of its name. */
export type ToolKind = keyof typeof defaultNames;

/** All kinds of tools. */
export const toolKinds: readonly string[] = Object.keys(defaultNames);

/** The names of the tools. */
export type ToolNames = Readonly<Record<ToolKind, string>>;

/** Some names of tools; the others are the default ones. */
export type ChosenToolNames = { readonly [Kind in ToolKind]?: string | undefined };

/** The names that providers accept: some no dots, and some only 64 characters. */
const possibleName = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns the names of all tools. @throws {SkillError} `options-invalid` if a name is not possible or used twice */
export function chooseToolNames(chosen: ChosenToolNames = {}): ToolNames {
  const names: ToolNames = { ...defaultNames, ...withoutUndefined(chosen) };
  const all: readonly string[] = Object.values(names);
  const impossible = all.find((name) => !possibleName.test(name));
  if (impossible !== undefined) {
    const remedy = 'Write 1 to 128 letters, digits, `_`, `-` or `.`, because providers refuse other names.';
    throw invalidOption(`\`toolNames\` has the name \`${impossible}\`. ${remedy}`);
  }
  const repeated = all.find((name, index) => all.indexOf(name) !== index);
  if (repeated === undefined) return names;
  throw invalidOption(`\`toolNames\` uses \`${repeated}\` twice. Give each tool a name of its own.`);
}
