// What skills may need where they are used. Types only.

/** What is available where skills are used. A kind of requirement that it cannot answer is not checked. */
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
