// What an application decides about a toolkit.

import type { Catalog } from '../catalog/catalog.ts';
import type { MentionOptions } from '../catalog/mention.ts';
import type { PlanCatalogOptions } from '../disclosure/plan.ts';
import type { OnSkillEvent } from './event.ts';
import type { ReattachBudget } from './instructions.ts';
import type { ToolNames } from './setting.ts';
import type { SkillContext } from './tool.ts';
import type { CreateSkillIndex } from './tools/find.ts';

/** A catalog, or a function that finds the one for a request: its tenant's, its user's, the latest after a reload. */
export type CatalogInput = Catalog | ((context: SkillContext) => Catalog | Promise<Catalog>);

/**
 * How skills reach the model: by `tool` (names and descriptions, activated by a call), by `awareness` (locations, read with
 * the agent's own file tools) or `direct` (instructions in the prompt).
 */
export type DisclosureMode = 'tool' | 'awareness' | 'direct';

export interface ToolkitOptions {
  /** @default 'tool' */
  readonly mode?: DisclosureMode | undefined;
  /**
   * Where the catalog stands: in the system prompt, or in the description of the activation tool.
   * @default 'system'
   */
  readonly placement?: 'system' | 'tool' | undefined;
  /** Budget, format and the choice for single skills. */
  readonly plan?: PlanCatalogOptions | undefined;
  /** How much of the active skills is kept once their places are gone, after a compaction for example. */
  readonly reattach?: ReattachBudget | undefined;
  /**
   * Whether users activate skills by `/name` and `$name`. Turn it off for an agent that runs as a sub-agent or a tool: a
   * model writes its "user" messages.
   * @default true
   */
  readonly mentions?: boolean | MentionOptions | undefined;
  /** Names of skills that are active from the start of every conversation; passed over where a catalog per request lacks one. */
  readonly preload?: readonly string[] | undefined;
  /** Tools that are off unless asked for. `find` comes by itself where the catalog does not fit its budget. */
  readonly tools?: { readonly find?: boolean; readonly list?: boolean; readonly deactivate?: boolean } | undefined;
  /** Directories that resources are read from, such as `references`; all where it is left out. */
  readonly resourceDirectories?: readonly string[] | undefined;
  /** Other names for the tools, where an application has tools of these names already. */
  readonly toolNames?: Partial<ToolNames> | undefined;
  /** Searches for `find_skills`, over embeddings for example. */
  readonly createIndex?: CreateSkillIndex | undefined;
  /**
   * The catalog that a conversation began with. Its text stays in the prompt byte for byte, and what has changed since is
   * announced behind it, so that a provider's prompt cache holds.
   */
  readonly baseline?: ((context: SkillContext) => Catalog | undefined) | undefined;
  readonly onEvent?: OnSkillEvent | undefined;
}
