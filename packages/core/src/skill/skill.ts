// The vocabulary: what a skill is once it has been read. Types only.

import type { SkillDirectory, SkillSource } from './source.ts';

/**
 * The frontmatter of a `SKILL.md`, typed. Text is kept as the author wrote it: `1.10` stays `1.10`.
 *
 * @see https://agentskills.io/specification#frontmatter
 */
export interface SkillProperties {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  /** String view: numbers and booleans as written, nested values as JSON. Has no prototype. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Tools that the skill asks to have pre-approved, one pattern each: `Bash(git add *)`. A request, never a grant. */
  readonly allowedTools: readonly string[];
  /** True if `allowed-tools` is ambiguous. It then requests no tools, and in the mode `restrict` it allows none. */
  readonly allowedToolsDoubtful?: boolean;
  /** True if the tools come from a field with another name, such as `allowed_tools`. With `preapprove`, they approve nothing. */
  readonly allowedToolsMisspelt?: boolean;
  /** True if only a user may activate the skill; the model does not see it. */
  readonly disableModelInvocation: boolean;
  /** False if a user cannot activate the skill by name. */
  readonly userInvocable: boolean;
  /** True if `metadata.internal` is `true`: an installer does not offer the skill, and models do not see it in an npm package. */
  readonly internal: boolean;
  readonly whenToUse?: string;
  readonly argumentHint?: string;
  /** Names of the arguments that the body refers to. */
  readonly arguments: readonly string[];
  /** Every other field, untouched, as YAML 1.2 core data. Has no prototype. */
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A skill of a catalog: its properties and where it is, never its body or its files. */
export interface Skill extends SkillDirectory {
  readonly name: string;
  readonly description: string;
  readonly properties: SkillProperties;
  /** The source that reads the body and the resources. */
  readonly source: SkillSource;
  /** Size of the `SKILL.md` in bytes when it was listed. */
  readonly bytes: number;
  /** Name of the plugin or npm package that contains the skill, which can then also be called `lint/deploy`. */
  readonly plugin?: string;
  /** Whether the directory contains more than `SKILL.md`, if the source knew it. */
  readonly hasFiles?: boolean;
}
