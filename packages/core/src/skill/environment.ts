// What the surroundings of an agent offer to skills. Types only.

/** What is available where skills are used. If a function or the platform is missing, that kind of requirement is not checked. */
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
