// What an application may say about skills where it hands over its tools, its middleware or its settings.

export interface SkillToolsOptions {
  /** Handed to the toolkit's catalog function: what tells this request from others, such as a tenant. */
  readonly request?: unknown;
  /**
   * Reads decisions of the application also from the parts of messages, for those that are kept as messages of a user
   * interface. Only where no client can write them: whoever can could begin and end what he likes.
   * @default false
   */
  readonly decisionsInParts?: boolean | undefined;
}
