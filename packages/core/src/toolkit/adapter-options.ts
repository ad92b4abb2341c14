// Defines the options that the adapters of all frameworks share. Types only.

import type { SkillContext } from './tools/tool.ts';

/** How an agent uses skills. `Request` is what the framework passes to each run. */
export interface AdapterOptions<Request = unknown> extends Pick<SkillContext, 'mentions'> {
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
