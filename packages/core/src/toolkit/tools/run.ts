// The tool with which a model runs a bundled script, if the application has a runner.

import { knownAbout } from '../../conversation/event.ts';
import { lostOutput, renderLostAnswer, renderScriptResult } from '../../disclosure/answers.ts';
import { showPieces } from '../../disclosure/progress.ts';
import { createLinkCheck } from '../../policy/file-check.ts';
import { isTextList, recordOf } from '../../runtime/record.ts';
import type { SkillContents } from '../../scripts/contents.ts';
import { loadScriptPlan, type ScriptPlan, type ScriptResult, type ScriptRunner } from '../../scripts/plan.ts';
import { readFile } from '../../skill/files.ts';
import { type CalledSkill, checkPolicy, findUsable } from '../permission/called-skill.ts';
import type { CallParts, ToolkitParts } from '../toolkit-parts.ts';
import { answer, createTool } from './create-tool.ts';
import { refuse, refuseSkill } from './refusal.ts';
import { suggestFiles } from './suggest-files.ts';
import type { SkillContext, SkillTool, SkillToolInputs, SkillToolResult } from './tool.ts';

/** Creates `run_skill_script`. */
export function createRunTool(parts: ToolkitParts, runner: ScriptRunner): SkillTool {
  return createTool(
    {
      name: parts.names.run,
      description: 'Runs a script of a skill, by its path below `scripts/`.',
      properties: {
        skill: { type: 'string' },
        path: { type: 'string' },
        arguments: { type: 'array', items: { type: 'string' } },
        input: { type: 'string', description: 'Standard input.' },
      },
      required: ['skill', 'path'],
    },
    parts,
    async (input: SkillToolInputs['run_skill_script'], call) => {
      const called = await findUsable(input.skill, call);
      if ('text' in called) return called;
      const isPossible = (other: string) => other.startsWith('scripts/');
      const file = { path: input.path, action: 'run', isPossible } as const;
      return suggestFiles(called, file, call, (path) => runCalled(called, { ...input, path }, call, runner));
    },
  );
}

async function runCalled(
  called: CalledSkill<SkillContents | undefined>,
  { path, arguments: given, input }: SkillToolInputs['run_skill_script'],
  call: CallParts,
  runner: ScriptRunner,
): Promise<SkillToolResult> {
  const { skill } = called;
  const { context } = call;
  const { signal } = context;
  const script = { path, arguments: given, input };
  const lost = refuse('replay-failed', renderLostAnswer(call.names.run));
  if (context.replay === true && context.refusedWith === undefined)
    return { ...lost, text: lostOutput, isError: false };
  const request = { skill, action: 'run', ...script } as const;
  const consent = await checkPolicy(request, called, call);
  if (consent !== undefined && 'text' in consent) return consent;
  // A refused call never runs later, even if it would be allowed now.
  if (context.replay === true) return lost;
  const plan = await loadScriptPlan(skill, script, { signal, checkPath: called.offer.checkFiles(skill, 'run') });
  const checkPath = createLinkCheck(call.policyFor(context), request, consent !== undefined);
  if (checkPath !== undefined) await readFile(skill, path, { signal, checkPath, length: 1 });
  const agreed = consent ?? called.consent;
  if (agreed !== undefined && agreed.digest !== plan.digest) return refuseSkill('approval-stale', skill);
  const { digest } = plan;
  const run = { type: 'script-run', skill: skill.name, path, digest, sandbox: runner.sandbox } as const;
  const result = await runShown(runner, plan, context).catch((error: unknown) => {
    call.emit({ ...run, exitCode: undefined, timedOut: false, unfinished: true, tokens: 0 }, context);
    throw error;
  });
  const text = renderScriptResult(plan, result);
  const { exitCode, timedOut, tooManyProcesses } = result;
  const ended = { exitCode, timedOut, ...(tooManyProcesses === true && { tooManyProcesses }) };
  call.emit({ ...run, ...ended, tokens: call.countTokens(text) }, context);
  return answer(text, { kind: 'script', skill: skill.name, path, digest, exitCode });
}

/** Runs a script, and passes its output to `onProgress`. */
async function runShown(runner: ScriptRunner, plan: ScriptPlan, context: SkillContext): Promise<ScriptResult> {
  const { skill, path } = plan;
  const { signal, request, call, onProgress } = context;
  const options = { signal, about: knownAbout(context), request };
  if (onProgress === undefined) return checkResult(await runner.run(plan, options));
  const shown = showPieces((piece) => onProgress({ ...piece, skill, path, ...(call !== undefined && { call }) }));
  try {
    return checkResult(await runner.run(plan, { ...options, onOutput: shown.add }));
  } finally {
    shown.end();
  }
}

/** Checks the result of the application's runner, because it becomes text for the model. */
function checkResult(result: ScriptResult): ScriptResult {
  const { exitCode = null, output, errors, deleted = [] } = recordOf(result);
  const hasExit = exitCode === null || Number.isInteger(exitCode);
  if (hasExit && typeof output === 'string' && typeof errors === 'string' && isTextList(deleted)) return result;
  throw new TypeError('The runner returned no result with `output`, `errors` and a whole number as `exitCode`.');
}
