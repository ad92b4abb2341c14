// What skills change in one model call, for the middleware and for a graph of one's own.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import { type AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { ActiveSkill, SkillState, SkillToolkit } from '@skillful/core';
import { createContext, type NodeConfig, rememberCall, type SkillsOptions } from './context.ts';
import { correctCalls } from './correct.ts';
import { placeFiles } from './files.ts';
import { editMessages, viewMessages } from './messages.ts';

/** A model call before skills change it. */
export interface ModelCall<Tool extends object> extends SkillsOptions {
  /** As the model is about to read them: redacted, trimmed and summarised. */
  readonly messages: readonly BaseMessage[];
  /** All messages, if the model reads only some of them. */
  readonly conversation?: readonly BaseMessage[] | undefined;
  /** What was returned for the call before. */
  readonly state?: SkillState | undefined;
  readonly systemMessage?: SystemMessage | undefined;
  /** All tools of the call, those of `skillTools` too. */
  readonly tools: readonly Tool[];
  readonly config?: NodeConfig | undefined;
  /** Its profile says which files it takes. */
  readonly model?: object | undefined;
}

/** A model call with skills in it. */
export interface PreparedModelCall<Tool extends object> {
  readonly systemMessage: SystemMessage;
  readonly messages: BaseMessage[];
  readonly tools: Tool[];
  /** To keep in the graph, in a field whose reducer is the toolkit's `merge`. */
  readonly state: SkillState;
  readonly active: readonly ActiveSkill[];
  /** Corrects calls of a skill's name in the answer, and lets the tools that it calls use the same catalog. */
  accept(answer: AIMessage): Promise<AIMessage>;
}

/** Works out what skills change in a model call, last before the model is called. */
export async function prepareModelCall<Tool extends object>(
  toolkit: SkillToolkit,
  call: ModelCall<Tool>,
): Promise<PreparedModelCall<Tool>> {
  const { conversation, systemMessage = new SystemMessage(''), tools, state: before, config = {} } = call;
  const { profile = {} }: { readonly profile?: ModelProfile } = Object(call.model);
  const offered = tools.map(nameOf);
  const messages = conversation && viewMessages(conversation);
  const context = { ...createContext(config, call), run: {}, messages, state: before, offered };
  const { system, withheld, edits, state, active } = await toolkit.prepare(viewMessages(call.messages), context);
  return {
    systemMessage: system === '' ? systemMessage : appendText(systemMessage, system),
    messages: placeFiles(editMessages(call.messages, edits), profile),
    tools: tools.filter((tool) => !withheld.includes(nameOf(tool))),
    state,
    active,
    async accept(answer) {
      const accepted = await correctCalls(answer, offered, toolkit, context);
      rememberCall(accepted, context);
      return accepted;
    },
  };
}

/** Returns the name of a tool; a provider's own may have none. */
export function nameOf(tool: object): string {
  return 'name' in tool ? String(tool.name) : '';
}

function appendText(system: SystemMessage, text: string): SystemMessage {
  const separated = system.text === '' ? text : `\n\n${text}`;
  return system.concat(new SystemMessage({ content: [{ type: 'text', text: separated }] }));
}
