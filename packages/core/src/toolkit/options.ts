// Defines the options of a toolkit. Types only.

import type { Catalog } from '../catalog/catalog.ts';
import type { MentionOptions } from '../catalog/mention.ts';
import type { OnSkillEvent } from '../conversation/event.ts';
import type { ReattachBudget } from '../conversation/instructions.ts';
import type { PlanCatalogOptions } from '../disclosure/plan.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import type { ScriptRunner } from '../scripts/plan.ts';
import type { CreateSkillIndex } from '../search/skill-index.ts';
import type { AllowedToolsOptions, UnlockedTools } from './permission/allowed-tools.ts';
import type { ConsentOptions } from './permission/consent-store.ts';
import type { ToolNames } from './tool-names.ts';
import type { SkillContext } from './tools/tool.ts';
import type { SkillTracer } from './tracer.ts';

/** A catalog, or a function that returns the catalog of a request: for its tenant, its user, or after a reload. */
export type CatalogInput<Request = unknown> =
  | Catalog
  | ((context: SkillContext & { readonly request: Request }) => Catalog | Promise<Catalog>);

/**
 * How skills reach the model: `tool` (names and descriptions; a call activates a skill), `awareness` (locations; the agent reads
 * them with its own file tools) or `direct` (instructions in the prompt).
 */
export type DisclosureMode = 'tool' | 'awareness' | 'direct';

export interface ToolkitOptions {
  /** @default 'tool' */
  readonly mode?: DisclosureMode | undefined;
  /**
   * Where the catalog is placed: in the system prompt, or in the description of the activation tool.
   * @default 'system'
   */
  readonly placement?: 'system' | 'tool' | undefined;
  /** Budget, format and visibility of single skills. */
  readonly plan?: PlanCatalogOptions | undefined;
  /** How much of the active skills is kept once their messages are gone, for example after a compaction. */
  readonly reattach?: ReattachBudget | undefined;
  /**
   * Whether users can activate skills with `/name` and `$name`. Turn it off for an agent that runs as a sub-agent or a tool,
   * because a model writes its "user" messages.
   * @default true
   */
  readonly mentions?: boolean | MentionOptions | undefined;
  /**
   * Who may do what, or a function that returns the policy of a request. Skills that are denied to someone do not exist for them.
   * @default `definePolicy()`
   */
  readonly policy?: SkillPolicy | ((context: SkillContext) => SkillPolicy) | undefined;
  /** What `allowed-tools` of a skill means for the application's tools, in adapters that know these tools. */
  readonly allowedTools?: AllowedToolsOptions | undefined;
  /**
   * The application's tools that are hidden and refused until a skill is active, by patterns for skill names: `{ 'pdf-*':
   * ['fill_form'] }`.
   */
  readonly unlocks?: UnlockedTools | undefined;
  /** How people give consent if the policy asks. */
  readonly consent?: ConsentOptions | undefined;
  /** Names of skills that are active from the start. If the catalog is a function, its catalogs may lack some of them. */
  readonly preload?: readonly string[] | undefined;
  /** Optional tools. `find` is added if the catalog does not fit its budget. */
  readonly tools?:
    | {
        readonly find?: boolean;
        readonly list?: boolean;
        /** Lists files. @default true if a skill has more than the 100 files that an activation names */
        readonly files?: boolean;
        readonly deactivate?: boolean;
      }
    | undefined;
  /** The only directories from which resources are read, with links resolved, such as `references`. @default all */
  readonly resourceDirectories?: readonly string[] | undefined;
  /** Other names for the tools, for example because the application already has tools with the default names. */
  readonly toolNames?: Partial<ToolNames> | undefined;
  /** Creates the index of `find_skills`, such as `hybridIndex({ embed })`. @default createSkillIndex */
  readonly createIndex?: CreateSkillIndex | undefined;
  /**
   * Returns the catalog with which a conversation began. Its text stays in the prompt byte for byte and changes are announced
   * after it, so that the provider's prompt cache stays valid.
   */
  readonly baseline?: ((context: SkillContext) => Catalog | undefined) | undefined;
  /**
   * Runs bundled scripts. Without a runner there is no tool for scripts; with one, the policy must also allow the action `run`.
   * @default none
   */
  readonly runner?: ScriptRunner | undefined;
  readonly onEvent?: OnSkillEvent | undefined;
  /**
   * Opens a span for each prepared model call and each tool call, below the active span. Spans contain no instructions, no
   * arguments and no words of the conversation.
   */
  readonly tracer?: SkillTracer | undefined;
}
