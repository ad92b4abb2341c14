// What skills may need of the place in which they are used. Types only.

/** What there is in the place where skills are used. What an environment cannot answer is not asked of a skill. */
export interface SkillEnvironment {
  /** Checks whether an environment variable is set. */
  readonly hasVariable?: ((name: string) => boolean) | undefined;
  /** Checks whether a program can be started by its name. */
  readonly hasProgram?: ((name: string) => boolean) | undefined;
  /** Checks whether the agent has a tool. */
  readonly hasTool?: ((name: string) => boolean) | undefined;
  /** As in `process.platform`: `linux`, `darwin`, `win32`. */
  readonly platform?: string | undefined;
}
