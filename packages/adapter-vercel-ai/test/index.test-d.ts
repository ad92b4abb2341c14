import { createToolkit, loadCatalog, type SkillToolkit } from '@skillful/core';
import {
  type Experimental_ToolCallerTool,
  generateText,
  hasToolCall,
  type InferUITools,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  Output,
  streamText,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
  tool,
  type UIMessage,
  type UIMessageStreamWriter,
} from 'ai';
import {
  activeSkills,
  decide,
  prepareModelCall,
  type SkillDataParts,
  type SkillsOptions,
  type SkillTools,
  skillTools,
  withSkills,
} from '../src/index.ts';

declare const model: LanguageModel;
const toolkit = createToolkit(await loadCatalog([]));
const lookup = tool({
  inputSchema: jsonSchema<{ query: string }>({}),
  execute: async ({ query }) => ({ found: query }),
});
const stopWhen = isStepCount(3);

const agent = new ToolLoopAgent(
  withSkills(
    {
      model: 'openai/gpt-5',
      tools: { lookup },
      stopWhen,
      activeTools: ['lookup', 'activate_skill'],
      runtimeContext: { tenant: 'a' },
      onStepFinish: ({ toolCalls }) => {
        for (const call of toolCalls) {
          if (call.dynamic !== true && call.toolName === 'lookup') {
            const q: string = call.input.query;
            void q;
          }
        }
      },
      prepareStep: ({ steps, runtimeContext }) => {
        const t: string = runtimeContext.tenant;
        void t;
        return { model, activeTools: steps.length > 0 ? ['lookup'] : [] };
      },
      toolApproval: { lookup: 'user-approval' },
    },
    toolkit,
  ),
);
new ToolLoopAgent(withSkills({ model, tools: { lookup }, prepareStep: async () => ({ model }) }, toolkit));
declare const parts: InferUITools<(typeof agent)['tools']>;
const found: string = parts.lookup.output.found;
void found;
const kind: string = parts.activate_skill.output.kind;
void kind;
// @ts-expect-error no field of an output
void parts.activate_skill.output.knd;
// @ts-expect-error no tool of the application
void parts.other;
// @ts-expect-error a typo
new ToolLoopAgent(withSkills({ model, tools: { lookup }, activeTools: ['lokup'] }, toolkit));
const { output } = await generateText({
  ...withSkills(
    { model, tools: { lookup }, output: Output.object({ schema: jsonSchema<{ a: number }>({}) }) },
    toolkit,
  ),
  prompt: '',
});
const a: number = output.a;
void a;
streamText({
  ...withSkills({ model, tools: { lookup } }, toolkit),
  prompt: '',
  onStepFinish: ({ toolResults }) => {
    void toolResults[0]?.toolName;
  },
});
new ToolLoopAgent(
  withSkills(
    {
      model,
      callOptionsSchema: jsonSchema<{ tenant: string }>({}),
      tools: { lookup },
      prepareCall: ({ options, ...settings }) => {
        const t: string = options.tenant;
        void t;
        return { ...settings, instructions: 'x' };
      },
    },
    toolkit,
  ),
);
const inner = new ToolLoopAgent({
  model,
  tools: { lookup },
  callOptionsSchema: jsonSchema<{ tenant: string }>({}),
  prepareCall: ({ options, ...settings }) => withSkills(settings, toolkit, { request: options.tenant }),
});
void inner;
type U = InferUITools<SkillTools>['activate_skill']['input']['name'];
const u: U = '';
void u;
const withContext = tool({
  inputSchema: jsonSchema<{ q: string }>({}),
  contextSchema: jsonSchema<{ key: string }>({}),
  execute: async (_, { context }) => context.key,
});
new ToolLoopAgent(withSkills({ model, tools: { withContext }, toolsContext: { withContext: { key: 'k' } } }, toolkit));
// The AI SDK infers no context for a tool whose two functions have parameters without types.
const streamed = tool({
  inputSchema: jsonSchema<{ task: string }>({}),
  async *execute({ task }, { abortSignal }) {
    yield abortSignal?.aborted === true ? '' : task;
  },
  toModelOutput: ({ output: value }) => ({ type: 'text', value }),
});
const lead = new ToolLoopAgent(
  withSkills(
    {
      id: 'lead',
      model,
      tools: { streamed },
      activeTools: ['streamed'],
      prepareStep: ({ stepNumber }) => ({ activeTools: stepNumber > 1 ? ['streamed'] : [] }),
      onStepFinish: ({ text }) => void text.length,
      toolApproval: { streamed: ({ task }) => (task === '' ? 'user-approval' : undefined) },
    },
    toolkit,
  ),
);
const answered: string = {} as InferUITools<(typeof lead)['tools']>['streamed']['output'];
void answered;
// @ts-expect-error a typo
withSkills({ model, tools: { streamed }, activeTools: ['stremed'] }, toolkit);
prepareModelCall(toolkit, {
  messages: [],
  tools: { streamed },
  activeTools: ['streamed'],
  toolApproval: { streamed: ({ task }) => (task === '' ? 'user-approval' : undefined) },
});

// @ts-expect-error a tool that the application does not have, because it has none
withSkills({ model, activeTools: ['lokup'] }, toolkit);
// @ts-expect-error the same in a loop of its own
prepareModelCall(toolkit, { messages: [], activeTools: ['lokup'] });
// @ts-expect-error the context of a tool is missing
new ToolLoopAgent(withSkills({ model, tools: { withContext } }, toolkit));
// @ts-expect-error a typo in what a step returns
withSkills({ model, tools: { lookup }, prepareStep: () => ({ activeTools: ['lokup'] }) }, toolkit);
// @ts-expect-error the same typo in a promise
withSkills({ model, tools: { lookup }, prepareStep: async () => ({ activeTools: ['lokup'] }) }, toolkit);
// @ts-expect-error another context
withSkills({ model, runtimeContext: { tenant: 'a' }, prepareStep: () => ({ runtimeContext: { tenant: 1 } }) }, toolkit);
// @ts-expect-error a tool that the application does not have
new ToolLoopAgent(withSkills({ model, tools: { lookup }, toolChoice: { type: 'tool', toolName: 'lokup' } }, toolkit));
// Settings may have a type of the AI SDK, as in a function that creates agents.
type Declared = ToolLoopAgentSettings<{ tenant: string }, { lookup: typeof lookup }>;
const createAgent = (settings: Declared) => new ToolLoopAgent(withSkills(settings, toolkit));
const created = createAgent({ model, tools: { lookup } });
const createdParts = {} as InferUITools<(typeof created)['tools']>;
void (createdParts.lookup.output.found satisfies string);
void (createdParts.activate_skill.input.name satisfies string);
// @ts-expect-error another option
created.generate({ prompt: '', options: { tenants: 'north' } });
type Streamed = Parameters<typeof streamText>[0];
const stream = (settings: Streamed) => streamText(withSkills(settings, toolkit));
void stream({ model, prompt: '', onChunk: ({ chunk }) => void chunk.type }).text;
const condition = { model, tools: { lookup }, stopWhen: [hasToolCall('lookup')] } satisfies Partial<Declared>;
new ToolLoopAgent(withSkills(condition, toolkit));
// biome-ignore lint/suspicious/noExplicitAny: the model of another version of the AI SDK
new ToolLoopAgent(withSkills({ model: model as any }, toolkit));
// Every other setting may be written in place, too.
new ToolLoopAgent(
  withSkills(
    {
      model,
      tools: { lookup },
      instructions: { role: 'system', content: '', providerOptions: { anthropic: { cacheControl: {} } } },
      toolChoice: { type: 'tool', toolName: 'lookup' },
      toolOrder: ['lookup', 'activate_skill'],
      stopWhen: ({ steps }) => steps.some(({ text }) => text.length > 0),
      output: Output.object({ schema: jsonSchema<{ a: number }>({}) }),
      onStart: ({ modelId }) => void modelId.length,
      onError: ({ error }) => void error,
      onToolExecutionStart: ({ toolCall }) => void toolCall.toolName,
    },
    toolkit,
  ),
);
generateText({ ...withSkills({ model, toolChoice: 'required' }, toolkit), prompt: '' });
const withAny = <Tools extends ToolSet>(tools: Tools) => withSkills({ model, tools }, toolkit);
void withAny({ lookup }).tools.lookup;
withSkills(
  { model, toolApproval: ({ toolCall }) => (toolCall.toolName === 'activate_skill' ? 'approved' : undefined) },
  toolkit,
);

withSkills(
  {
    model,
    tools: { lookup },
    toolApproval: { lookup: ({ query }) => (query === 'all' ? { type: 'user-approval', reason: query } : undefined) },
  },
  toolkit,
  { asks: false },
);
// @ts-expect-error a tool that the application does not have
new ToolLoopAgent(withSkills({ model, tools: { lookup }, toolApproval: { lokup: 'user-approval' } }, toolkit));

const both = new ToolLoopAgent(
  withSkills(
    {
      model,
      tools: { lookup },
      output: Output.object({ schema: jsonSchema<{ a: number }>({}) }),
      callOptionsSchema: jsonSchema<{ tenant: string }>({}),
      telemetry: { functionId: 'writer' },
      prepareCall: ({ options, ...call }) => ({ ...call, instructions: options.tenant }),
    },
    toolkit,
  ),
);
const b: number = (await both.generate({ prompt: '', options: { tenant: 'north' } })).output.a;
void b;
// @ts-expect-error another option
both.generate({ prompt: '', options: { tenants: 'north' } });
// @ts-expect-error settings without a model
new ToolLoopAgent(withSkills({ temperature: 0 }, toolkit));
// @ts-expect-error a misspelt setting, because of which nobody would be asked
withSkills({ model, tools: { lookup }, toolApprovals: { lookup: 'user-approval' } }, toolkit);
// @ts-expect-error an option of skills among the settings
withSkills({ model, mentions: false }, toolkit);
new ToolLoopAgent({ model, tools: { lookup }, prepareCall: (call) => withSkills(call, toolkit) });
class Settings {
  readonly model = model;
  describe(): string {
    return 'mine';
  }
}
withSkills(new Settings(), toolkit);
const ofAny = <Call, Tools extends ToolSet>(given: ToolLoopAgentSettings<Call, Tools>) => withSkills(given, toolkit);
void ofAny;
declare const anySettings: Record<string, unknown>;
withSkills({ ...anySettings, model }, toolkit);
// @ts-expect-error a misspelt option
withSkills({ model }, toolkit, { requests: 'north' });
const { temperature } = withSkills({ model, temperature: 0 }, toolkit, { request: { tenant: 'north' } });
const t: number = temperature;
void t;
// @ts-expect-error a decision is an object
decide(toolkit, ['pdf'], []);

type ChatMessage = UIMessage<unknown, SkillDataParts, InferUITools<(typeof agent)['tools']>>;
declare const writer: UIMessageStreamWriter<ChatMessage>;
withSkills({ model }, toolkit, toolkit.createNewsWriter(writer));
declare const part: ChatMessage['parts'][number];
if (part.type === 'data-skill') {
  const skill: string = part.data.skill;
  void skill;
}
if (part.type === 'tool-lookup' && part.state === 'output-available') {
  const q: string = part.output.found;
  void q;
}

const prepared = await prepareModelCall(toolkit, {
  messages: [],
  tools: { lookup },
  activeTools: ['lookup', 'activate_skill'],
  toolApproval: { lookup: ({ query }) => (query === 'all' ? 'user-approval' : undefined) },
  instructions: { role: 'system', content: '' },
  model,
});
const offered: ('lookup' | keyof SkillTools)[] = prepared.activeTools;
void offered;
const { state, active: skills, ...step } = prepared;
const { toolResults } = await generateText({ model, ...step });
for (const result of toolResults) {
  if (result.dynamic !== true && result.toolName === 'lookup') {
    const q: string = result.output.found;
    void q;
  }
}
streamText({ model, ...(await prepareModelCall(toolkit, { messages: [], state })) });
const by: string | undefined = skills[0]?.by;
void by;
// @ts-expect-error a typo
prepareModelCall(toolkit, { messages: [], tools: { lookup }, activeTools: ['lokup'] });
// @ts-expect-error a tool that the application does not have
prepareModelCall(toolkit, { messages: [], tools: { lookup }, toolApproval: { lokup: 'user-approval' } });
// @ts-expect-error without messages
prepareModelCall(toolkit, { tools: { lookup } });

// A catalog function may take a request of a certain type.
const ofTenant = createToolkit<{ tenant: string }>(() => loadCatalog([]));
const request = { tenant: 'north' };
withSkills({ model, tools: { lookup } }, ofTenant, { request }).tools.lookup satisfies typeof lookup;
prepareModelCall(ofTenant, { messages: [], request });
activeSkills(ofTenant, [], { request });
const withRequest = <R>(given: SkillToolkit<R>, own: R) => withSkills({ model }, given, { request: own });
withRequest(ofTenant, request);
const withOptions = <R>(given: SkillToolkit<R>, options: SkillsOptions<R>) => withSkills({ model }, given, options);
withOptions(ofTenant, { request });
withSkills({ model }, {} as SkillToolkit<{ tenant: string } | undefined>);
const ofUser = createToolkit<{ user: string } | { tenant: string } | null>(() => loadCatalog([]));
withSkills({ model }, ofUser, { request: { user: 'ada' } });
prepareModelCall(ofUser, { messages: [], request: { tenant: 'north' } });
// @ts-expect-error the catalog function needs a tenant
withSkills({ model }, ofTenant);
// @ts-expect-error the same with options
skillTools(ofTenant, { asks: false });
// @ts-expect-error the same in a loop of its own
prepareModelCall(ofTenant, { messages: [] });
// @ts-expect-error a tenant is a string
decide(ofTenant, {}, [], { request: { tenant: 7 } });

// A tool that calls other tools.
declare const code: Experimental_ToolCallerTool;
const callers = { code, lookup };
new ToolLoopAgent(withSkills({ model, tools: callers, experimental_toolCallers: { lookup: ['code'] } }, toolkit));
// @ts-expect-error a tool that calls none
new ToolLoopAgent(withSkills({ model, tools: callers, experimental_toolCallers: { code: ['lookup'] } }, toolkit));
// @ts-expect-error a typo
new ToolLoopAgent(withSkills({ model, tools: callers, experimental_toolCallers: { lokup: ['code'] } }, toolkit));
