// Defines the options of a toolkit, and those that the adapters of all frameworks share. Types only.

import type { Catalog } from '../catalog/catalog.ts';
import type { MentionOptions } from '../catalog/mention.ts';
import type { OnSkillEvent } from '../conversation/event.ts';
import type { ReattachBudget } from '../conversation/instructions.ts';
import type { PlanCatalogOptions } from '../disclosure/plan.ts';
import type { ConsentStore } from '../policy/consent.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import type { ApprovalQuestion } from '../policy/question.ts';
import type { ToolNameMap } from '../policy/tool-pattern.ts';
import type { ScriptRunner } from '../scripts/plan.ts';
import type { SkillIndex } from '../search/skill-index.ts';
import type { Skill } from '../skill/skill.ts';
import type { ChosenToolNames } from './tool-names.ts';
import type { SkillContext } from './tools/tool.ts';
import type { SkillTracer } from './tracer.ts';

/** A catalog, or a function that returns the catalog of a request: for its tenant, its user, or after a reload. */
export type CatalogInput<Request = unknown> =
  | Catalog
  | ((context: RequestContext<Request>) => Catalog | Promise<Catalog>);

/** What is known about a call, with the request that the framework passes to each run. */
export type RequestContext<Request = unknown> = SkillContext & { readonly request: Request };

/**
 * How skills reach the model: `tool` (names and descriptions; a call activates a skill), `awareness` (locations; the agent reads
 * them with its own file tools) or `direct` (instructions in the prompt).
 */
export type DisclosureMode = 'tool' | 'awareness' | 'direct';

/** What `allowed-tools` of an active skill means for the application's tools. */
export interface AllowedToolsOptions {
  /**
   * `hint`: only the model is told. `preapprove`: calls of these tools skip the question that the application would ask; a remote
   * skill needs a person's consent first. `restrict`: while a skill with `allowed-tools` is active, all other tools are hidden
   * and refused; if the field cannot be understood, all tools are.
   * @default 'hint'
   */
  readonly mode?: 'hint' | 'preapprove' | 'restrict' | undefined;
  /** Maps the names that skills use to the application's tools. A name that is not in the map is used unchanged. */
  readonly names?: ToolNameMap | undefined;
  /** Names of the application's tools that `restrict` does not concern, such as a handoff to another agent. */
  readonly always?: readonly string[] | undefined;
}

/**
 * Tools that are hidden and refused until a skill is active, by patterns for the names of skills: for the same names as `skill` in
 * a policy.
 */
export type UnlockedTools = Readonly<Record<string, readonly string[]>>;

/** How people agree to what the policy asks about. */
export interface ConsentOptions<Request = unknown> {
  /**
   * The store for questions and answers, or a function that returns the store of a request's tenant.
   * @default a store in memory that lives as long as the toolkit
   */
  readonly store?: ConsentStore | ((context: RequestContext<Request>) => ConsentStore) | undefined;
  /**
   * Whether consent is permanent, so that the same question is not asked again until the skill's files change. To keep people's
   * answers apart, return a `store` for each person.
   * @default false
   */
  readonly remember?: boolean | ((question: ApprovalQuestion, context: RequestContext<Request>) => boolean) | undefined;
  /**
   * Milliseconds in which a person must answer. A later answer does not count.
   * @default no limit, as long as the store keeps the question
   */
  readonly timeout?: number | undefined;
}

export interface ToolkitOptions<Request = unknown> {
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
  readonly policy?: SkillPolicy | ((context: RequestContext<Request>) => SkillPolicy) | undefined;
  /** What `allowed-tools` of a skill means for the application's tools, in adapters that know these tools. */
  readonly allowedTools?: AllowedToolsOptions | undefined;
  /**
   * The application's tools that are hidden and refused until a skill is active, by patterns for skill names: `{ 'pdf-*':
   * ['fill_form'] }`.
   */
  readonly unlocks?: UnlockedTools | undefined;
  /** How people give consent if the policy asks. */
  readonly consent?: ConsentOptions<Request> | undefined;
  /** Names of skills that are active from the start. If the catalog is a function, its catalogs may lack some of them. */
  readonly preload?: readonly string[] | undefined;
  /** Optional tools. */
  readonly tools?:
    | {
        /** Finds skills. @default true if the budget has no room for all names and descriptions */
        readonly find?: boolean | undefined;
        /** Lists all skills in pages. @default false */
        readonly list?: boolean | undefined;
        /** Lists files. @default true if a skill has more than the 100 files that an activation names */
        readonly files?: boolean | undefined;
        /** Ends a skill that the model or a user activated. @default false */
        readonly deactivate?: boolean | undefined;
      }
    | undefined;
  /** The only directories from which resources are read, with links resolved, such as `references`. @default all */
  readonly resourceDirectories?: readonly string[] | undefined;
  /** Other names for the tools, for example because the application already has tools with the default names. */
  readonly toolNames?: ChosenToolNames | undefined;
  /**
   * Creates the index of `find_skills`, such as `hybridIndex({ embed })`, when a catalog is first searched. Requests with the same
   * catalog share it, so `context` is that of the first search.
   * @default createSkillIndex
   */
  readonly createIndex?: ((skills: readonly Skill[], context: RequestContext<Request>) => SkillIndex) | undefined;
  /**
   * Returns the catalog with which a conversation began. Its text stays in the prompt byte for byte and changes are announced
   * after it, so that the provider's prompt cache stays valid up to there. After each change, the provider caches the messages again.
   */
  readonly baseline?: ((context: SkillContext) => Catalog | undefined) | undefined;
  /**
   * Runs bundled scripts. Without a runner there is no tool for scripts; with one, the policy decides, and asks by default.
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

/** How an agent uses skills. `Request` is what the framework passes to each run. */
export interface AdapterOptions<Request = unknown> extends Pick<SkillContext, 'mentions' | 'asks'> {
  /** What to add to every event besides `thread`, `run` and `agent`, such as a tenant. A function receives the request. */
  readonly about?: SkillContext['about'] | AboutOf<Request>['about'];
  /**
   * What clients get of the results of skill tools: names, digests and sizes, or everything. Each model call restores the rest:
   * unchanged in the same turn, later with the current catalog, policy and consent.
   * @default 'redacted'; 'full' for `skillTools` alone in frameworks whose model would not get the rest
   */
  readonly outputs?: 'redacted' | 'full' | undefined;
  /**
   * Writes what happens to skills, and the output of a script while it runs, to the stream of the run.
   * @default false
   */
  readonly streamEvents?: boolean | undefined;
}

/** As a method, so that options for one request also fit where any request may come. */
interface AboutOf<Request> {
  about(request: Request): SkillContext['about'];
}
