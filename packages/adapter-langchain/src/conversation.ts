// Reads from LangChain messages what the ledger needs, and puts back what it changes.

import type { BaseMessage } from '@langchain/core/messages';
import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { HumanMessage, ToolMessage } from 'langchain';

/** Gives the words of the user and the results of the skill tools, oldest first. */
export function readItems(messages: readonly BaseMessage[], toolkit: SkillToolkit): readonly ConversationItem[] {
  return messages.flatMap((message): readonly ConversationItem[] => {
    if (isUserMessage(message)) return [{ kind: 'user', text: message.text }];
    return isSkillResult(message, toolkit) ? [{ kind: 'result', tool: message.name ?? '', text: message.text }] : [];
  });
}

/** Puts texts in the place of the results of the skill tools, in the order in which `readItems` gives them. */
export function replaceResults(
  messages: readonly BaseMessage[],
  toolkit: SkillToolkit,
  results: readonly string[],
): BaseMessage[] {
  const remaining = [...results];
  return messages.map((message) => {
    if (!isSkillResult(message, toolkit)) return message;
    const content = remaining.shift();
    if (content === undefined || content === message.text) return message;
    const { id, name, tool_call_id, status, artifact } = message;
    return new ToolMessage({
      content,
      tool_call_id,
      artifact,
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(status === undefined ? {} : { status }),
    });
  });
}

/** True for what a user said; LangChain writes its summaries as messages of the user, too. */
function isUserMessage(message: BaseMessage): message is HumanMessage {
  return HumanMessage.isInstance(message) && message.additional_kwargs['lc_source'] === undefined;
}

function isSkillResult(message: BaseMessage, toolkit: SkillToolkit): message is ToolMessage {
  return ToolMessage.isInstance(message) && toolkit.tools.some((tool) => tool.name === message.name);
}
