// Predicts for a random session which skills are active in the next model call, and what is reported.

import type { ActiveSkill, SkillActor } from '@skillful/core';
import type { RandomCall, RandomStep, SkillRequest } from './random-session.ts';

/** The expectation for a session, which is updated with every step. */
export interface Expectation {
  /** The version of each skill's text. */
  readonly versions: Map<string, number>;
  readonly denied: Set<string>;
  readonly active: Map<string, SkillActor>;
  /** Skills whose text may leave its place with the next model call. */
  readonly moving: Set<string>;
  /** Skills of which it is unknown whether they are active, for example after a failed turn. */
  readonly unsure: Set<string>;
  /** The expected events of this turn, as `TYPE SKILL`. */
  readonly events: string[];
  userNames(requests: readonly SkillRequest[]): void;
  modelCalls(calls: readonly RandomCall[]): void;
  take(step: RandomStep): void;
  /** Ends a turn. For `unsure` skills, accepts the given active skills as right. */
  settle(active: readonly ActiveSkill[]): void;
}

/** Creates the expectation for a session at its beginning. */
export function createExpectation(names: readonly string[], preloaded: string, secret: string): Expectation {
  const versions = new Map(names.map((name) => [name, 1]));
  const denied = new Set([secret]);
  const active = new Map<string, SkillActor>([[preloaded, 'code']]);
  const given = new Map<string, string>();
  const moving = new Set<string>();
  const unsure = new Set<string>();
  const argued = new Set<string>();
  /** Skills whose latest arguments may be lost, so that it is unknown which calls repeat them. */
  const vague = new Set<string>();
  const events: string[] = [];
  let shortens = false;

  function begin({ skill, given: words }: SkillRequest, by: SkillActor): void {
    // If the activation had already ended, its results do not change.
    if (active.has(skill)) moving.add(skill);
    active.delete(skill);
    active.set(skill, by);
    given.set(skill, words);
    if (words !== '') argued.add(skill);
    events.push(`activated ${skill}`);
  }

  function end(skill: string): void {
    if (!active.delete(skill)) return;
    moving.add(skill);
    events.push(`deactivated ${skill}`);
  }

  /** Checks whether others than the application can begin a skill: not if the application decided about it or preloaded it. */
  const isOpen = (skill: string): boolean => skill !== preloaded && !denied.has(skill) && active.get(skill) !== 'code';

  return {
    versions,
    denied,
    active,
    moving,
    unsure,
    events,
    userNames(requests) {
      for (const request of requests)
        if (isOpen(request.skill) && (!active.has(request.skill) || request.given !== '')) begin(request, 'user');
    },
    modelCalls(calls) {
      for (const { tool, skill, given: words } of calls) {
        if (!isOpen(skill) || tool === 'lookup') continue;
        const by = active.get(skill);
        // A call without arguments repeats any activation.
        const isSame = by !== undefined && (words === '' || (by === 'model' && words === given.get(skill)));
        if (tool === 'deactivate_skill') end(skill);
        else if (!isSame) begin({ skill, given: words }, 'model');
      }
    },
    take(step) {
      switch (step.does) {
        case 'reopen':
          // If the framework stops shortening, texts return to their places.
          if (step.shortens || shortens) for (const name of names) moving.add(name);
          shortens = step.shortens;
          break;
        case 'delete':
          // If this makes room for messages that were left out, texts return to their places, too.
          if (shortens) for (const name of names) moving.add(name);
          for (const name of argued) vague.add(name);
          break;
        case 'change':
          moving.add(step.skill);
          versions.set(step.skill, (versions.get(step.skill) ?? 0) + 1);
          break;
        case 'deny':
          moving.add(step.skill);
          denied.add(step.skill);
          break;
        case 'deactivate':
          end(step.skill);
          break;
        case 'activate':
          if (active.get(step.skill) !== 'code') begin({ skill: step.skill, given: '' }, 'code');
      }
    },
    settle(found) {
      for (const skill of unsure) {
        // It is unknown which arguments an unfinished turn has left.
        if (argued.has(skill)) vague.add(skill);
        const by = found.find(({ name }) => name === skill)?.by;
        if (by === undefined) active.delete(skill);
        else active.set(skill, by);
      }
      unsure.clear();
      for (const name of vague) unsure.add(name);
      events.length = 0;
    },
  };
}
