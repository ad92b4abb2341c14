// The tool by which a model runs a bundled script, if the application has a runner for it.

import { renderRunDenied, renderScriptResult } from '../../disclosure/answers.ts';
import { explainPolicy } from '../../policy/policy.ts';
import { planScript, type ScriptRunner } from '../../scripts/plan.ts';
import { findCalled } from '../called-skill.ts';
import { answer, createTool, refuse } from '../create-tool.ts';
import type { ToolServices } from '../setting.ts';
import type { SkillTool } from '../tool.ts';

/** Creates `run_skill_script`. Without a runner it is never offered. */
export function createRunTool(services: ToolServices, runner: ScriptRunner | undefined): SkillTool {
  return createTool(
    {
      name: services.names.run,
      description: 'Runs a script of a skill, by its path below `scripts/`.',
      inputSchema: {
        type: 'object',
        properties: {
          skill: { type: 'string' },
          path: { type: 'string' },
          arguments: { type: 'array', items: { type: 'string' } },
          input: { type: 'string', description: 'Standard input.' },
        },
        required: ['skill', 'path'],
        additionalProperties: false,
      },
    },
    async (input, context) => {
      const called = await findCalled(input.text('skill'), services, context);
      if (called.refusal !== undefined) return called.refusal;
      const { skill } = called;
      const { effect } = explainPolicy(services.policyFor(context), skill, { actor: 'model', action: 'run' });
      if (runner === undefined || effect !== 'allow' || context.replay === true) {
        if (effect === 'ask') services.emit({ type: 'approval-needed', skill: skill.name, tokens: 0 }, context);
        return refuse('run-denied', renderRunDenied(skill.name));
      }
      const call = { path: input.text('path') ?? '', arguments: input.list('arguments'), input: input.text('input') };
      const plan = await planScript(skill, call, context);
      const result = await runner.run(plan, { signal: context.signal });
      const text = renderScriptResult(plan, result);
      const { path, digest } = plan;
      const { exitCode, timedOut } = result;
      const tokens = services.countTokens(text);
      services.emit({ type: 'script-run', skill: skill.name, path, digest, exitCode, timedOut, tokens }, context);
      return answer(text, { kind: 'script', skill: skill.name, path, digest, exitCode });
    },
  );
}
