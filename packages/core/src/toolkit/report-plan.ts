// Reports what a model is offered in a call, and what was left out.

import type { CatalogPlan } from '../disclosure/plan.ts';
import type { CountTokens } from '../text/tokens.ts';
import type { SkillEvent } from './event.ts';

/** Emits what a plan offers, and each skill that the budget cut. */
export function reportPlan(plan: CatalogPlan, countTokens: CountTokens, emit: (event: SkillEvent) => void): void {
  const skills = plan.skills.filter(({ tokens }) => tokens > 0).length;
  emit({ type: 'offered', skills, tokens: plan.tokens });
  for (const { skill, cut, description } of plan.skills) {
    if (cut === undefined || cut === 'choice' || cut === 'not-for-models') continue;
    const tokens = countTokens(skill.description) - countTokens(description);
    emit({ type: 'cut', skill: skill.name, reason: cut, tokens });
  }
}
