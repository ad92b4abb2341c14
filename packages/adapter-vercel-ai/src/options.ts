// The options for skills in tools, middleware and settings.

/** The options for skills of one request. */
export interface SkillToolsOptions {
  /** Passed to the toolkit's catalog function: what identifies this request, such as a tenant. */
  readonly request?: unknown;
  /**
   * Also reads decisions of the application from the parts of messages, for applications that store UI messages. Use it only
   * if no client can write these messages, because a client could then activate and deactivate any skill.
   * @default false
   */
  readonly decisionsInParts?: boolean | undefined;
}
