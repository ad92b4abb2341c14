// Checks the options of a toolkit and of adapters that would be ignored if they were misspelt, for applications without TypeScript.

import { checkPlanOptions } from '../disclosure/plan.ts';
import { isTextList, recordOf } from '../runtime/record.ts';
import {
  checkAmounts,
  checkChoice,
  checkDecisions,
  checkFunction,
  checkFunctions,
  checkKeys,
  checkRecord,
  checkTextLists,
  invalidOption,
} from '../skill/options.ts';
import { checkDirectories } from '../skill/paths.ts';
import { closestNames } from '../text/closest.ts';
import type { AdapterOptions, ToolkitOptions } from './options.ts';
import { toolKinds } from './tool-names.ts';

/** All options. If `policy` or `mode` were misspelt, nothing would be protected. */
const optionNames =
  'mode placement plan reattach mentions policy allowedTools unlocks consent preload tools resourceDirectories toolNames createIndex baseline runner onEvent tracer'.split(
    ' ',
  );

/** Checks the options. @throws {SkillError} `options-invalid` if one has a value that it cannot have */
export function checkOptions(options: ToolkitOptions): void {
  checkKeys('options', options, optionNames);
  const { mode, placement, plan = {}, reattach = {}, mentions, consent, runner, tracer } = options;
  const { allowedTools = {}, unlocks = {}, resourceDirectories = [], preload = [] } = options;
  const { onEvent, createIndex, baseline } = options;
  for (const [name, value] of Object.entries({ onEvent, createIndex, baseline }))
    if (value !== undefined) checkFunction(name, value);
  checkFunctions('runner', runner, ['run'], 'bubblewrapRunner()');
  checkFunctions('tracer', tracer, ['startActiveSpan'], "trace.getTracer('my-app')");
  checkChoice('mode', mode, ['tool', 'awareness', 'direct']);
  checkChoice('placement', placement, ['system', 'tool']);
  checkPlanOptions('plan', plan);
  checkTextLists({ preload, resourceDirectories });
  checkDirectories(resourceDirectories);
  checkMentions(mentions);
  checkKeys('tools', options.tools, ['find', 'list', 'files', 'deactivate']);
  checkKeys('toolNames', options.toolNames, toolKinds);
  checkKeys('allowedTools', allowedTools, ['mode', 'names', 'always']);
  checkTextLists({ 'allowedTools.always': allowedTools.always ?? [] });
  checkChoice('allowedTools.mode', allowedTools.mode, ['hint', 'preapprove', 'restrict']);
  checkToolNames(allowedTools.names);
  checkRecord('unlocks', unlocks);
  for (const [pattern, tools] of Object.entries<unknown>(unlocks)) {
    if (!isTextList(tools)) throw invalidOption(`\`unlocks\` must be a list of tool names for \`${pattern}\`.`);
  }
  checkKeys('consent', consent, ['store', 'remember', 'timeout']);
  if (typeof consent?.store !== 'function')
    checkFunctions('consent.store', consent?.store, ['get', 'set', 'delete'], 'new Map()');
  checkKeys('reattach', reattach, ['tokens', 'tokensPerSkill']);
  if (typeof consent?.remember !== 'function') checkDecisions({ 'consent.remember': consent?.remember });
  checkAmounts({ tokens: reattach.tokens, tokensPerSkill: reattach.tokensPerSkill, timeout: consent?.timeout });
}

/** Checks the options of an adapter, as `SkillToolkit` describes it. */
export function assertOptions(options: AdapterOptions, others: readonly string[] = [], place?: 'call'): void {
  const names = ['mentions', 'asks', 'about', 'outputs', ...others];
  // Other keys are often close to `asks`, because it is a short word.
  const spelt = names.filter((name) => name !== 'asks');
  const ours = ([key]: [string, unknown]): boolean => closestNames(key, spelt, 2).length > 0;
  checkKeys('options', place === 'call' ? Object.fromEntries(Object.entries(options).filter(ours)) : options, names);
  checkMentions(options.mentions);
  checkDecisions({ asks: options.asks });
  if (typeof options.about !== 'function') checkRecord('about', options.about ?? {});
  // As text or as a promise, it would count as no state, and be replaced.
  checkRecord('state', recordOf(options)['state'] ?? {});
  checkChoice('outputs', options.outputs, ['redacted', 'full']);
}

function checkToolNames(names: unknown = {}): void {
  checkRecord('allowedTools.names', names);
  for (const [name, value] of Object.entries(names)) {
    const { tool, argument, ...others } = typeof value === 'string' ? { tool: value, argument: '' } : recordOf(value);
    if (isTextList([tool, argument]) && Object.keys(others).length === 0) continue;
    throw invalidOption(
      `\`allowedTools.names\` must have the name of a tool, or \`{ tool, argument }\`, for \`${name}\`.`,
    );
  }
}

function checkMentions(mentions: unknown): void {
  if (typeof mentions !== 'boolean') checkKeys('mentions', mentions, ['slash', 'dollar']);
}
