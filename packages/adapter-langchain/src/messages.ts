// Converts LangChain's messages for the core, and applies the core's changes to copies of them.

import type { ModelProfile } from '@langchain/core/language_models/profile';
import { AIMessage, type BaseMessage, type ContentBlock, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type {
  FilePlace,
  MessageForm,
  MessageView,
  SkillToolkit,
  SkillToolPart,
  TextPart,
  UnkeyedMessage,
} from '@skillful/core';

const roles: Readonly<Record<string, MessageView['role']>> = { human: 'user', ai: 'assistant', tool: 'tool' };

/** Returns messages as the core views them. */
export function viewMessages(messages: readonly BaseMessage[], toolkit: SkillToolkit): readonly MessageView[] {
  return toolkit.viewMessages(messages, { view });
}

/** Views a message. Summaries of LangChain are user messages, but no person wrote them. */
function view(message: BaseMessage): readonly [UnkeyedMessage] {
  const { id, type, text, name: tool = '', additional_kwargs: kwargs } = message;
  const role = roles[type] ?? 'other';
  if (ToolMessage.isInstance(message)) {
    // Some models give their calls no id, whatever the type says.
    const { tool_call_id: call = '', status } = message;
    return [{ said: id ?? call, role, results: [{ id: call, tool, text, isError: status === 'error' }] }];
  }
  // LangChain's `text` would join the words of two parts.
  const lines = partsOf(message).flatMap((part) => (part.type === 'text' ? [part['text']] : []));
  const made = (AIMessage.isInstance(message) && message.tool_calls) || [];
  // A message without an id is identified by its words and calls. JSON of a file in it would take seconds.
  const said = id ?? [type, ...lines, ...made.map((call) => call.id)].join('\n');
  if (role === 'user' && kwargs['lc_source'] === undefined) return [{ said, role, text: lines.join('\n') }];
  const calls = made.map(({ id: call = '', name, args: input }) => ({ id: call, name, input }));
  // With `outputVersion: 'v1'`, the part is in another one.
  const compacts = partsOf(message).some((part) => [part.type, Object(part['value']).type].includes('compaction'));
  return [{ said, role, calls, ...(compacts && { compacts }) }];
}

/** Creates the form of messages for a model. */
export function createForm(toolkit: SkillToolkit, model: object = {}): MessageForm<BaseMessage, SkillToolPart> {
  return {
    view,
    model: (mediaType) => placeOf(mediaType, model),
    createUser(parts) {
      const content = createContent(parts);
      if (typeof content === 'string') return new HumanMessage(content);
      return new HumanMessage({ content, response_metadata: { output_version: 'v1' } });
    },
    createResult({ id: call, name }, content) {
      return new ToolMessage({ name, content, tool_call_id: call, status: 'error' });
    },
    change(message, { rewrite, appended }) {
      if (ToolMessage.isInstance(message)) {
        const { tool_call_id: call = '', artifact, text, name = '' } = message;
        const result = rewrite(call, toolkit.readResult(name, { text, files: Object(artifact).files }).files);
        return result === undefined ? message : withContent(message, createContent(result.content));
      }
      if (appended.length === 0) return message;
      const { content: said } = message;
      if (typeof said !== 'string') return withContent(message, [...said, ...appended]);
      return withContent(message, createContent([{ type: 'text', text: said }, ...appended]));
    },
    restore(message, resultOf) {
      if (!ToolMessage.isInstance(message)) return message;
      const result = resultOf(message.tool_call_id ?? '');
      if (result === undefined) return message;
      const { text, files } = result;
      // Other fields of a part are kept, because they may mark where a provider's cache ends.
      const parts = partsOf(message).map((part) => (part.type === 'text' ? { ...part, text } : part));
      const restored = withContent(message, typeof message.content === 'string' ? text : parts);
      return Object.assign(restored, { artifact: { ...message.artifact, files } });
    },
  };
}

/** Creates the content of a message: a text if there are no files, because some models accept no parts. */
function createContent(parts: readonly (TextPart | SkillToolPart)[]): BaseMessage['content'] {
  const texts = parts.flatMap((part) => ('mediaType' in part ? [] : part.text));
  return texts.length === parts.length
    ? texts.join('\n\n')
    : parts.map((part) => ('mediaType' in part ? createBlock(part) : part));
}

/** Returns a file in LangChain's standard form, but an image in the older one: Bedrock, Groq and Ollama refuse the other. */
function createBlock({ mediaType: mimeType, data, filename }: SkillToolPart): ContentBlock {
  const [kind] = mimeType.split('/');
  if (kind === 'image') return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
  // OpenAI and Google know MPEG audio by its older name.
  if (kind === 'audio') return { type: kind, data, mimeType: mimeType.replace('mpeg', 'mp3') };
  return { type: 'file', data, mimeType, metadata: { filename } };
}

/** Returns where a model can read a file. Integrations without profiles, such as Ollama's, throw for all but images. */
function placeOf(mediaType: string, model: object): FilePlace {
  // LangChain's own middleware, too, finds the provider by these names.
  const { profile, _defaultConfig: config, model: id = config?.model } = Object(model);
  const provider = `${Object(model).getName?.()} ${config?.modelProvider}`;
  const { imageInputs, audioInputs, pdfInputs }: ModelProfile = profile ?? {};
  if (!mediaType.startsWith('image/'))
    return (mediaType.startsWith('audio/') ? audioInputs : pdfInputs) ? 'message' : 'nowhere';
  const name = `${provider} ${id}`;
  // Mistral's models, such as Devstral and Pixtral, accept no user message after a result. Ollama makes them accept it. A
  // deployment may be named after its region, such as `australiaeast`.
  const isMistral = /[sx]tral(?!i)/i.test(name) && !/ollama/i.test(provider);
  // Cohere's integration accepts no parts, and Gemini no GIF. Gateways pass that on.
  const refusing = mediaType === 'image/gif' ? /cohere|google|gemini|vertex/i : /cohere/i;
  if (imageInputs === false || isMistral || refusing.test(name)) return 'nowhere';
  // Bedrock accepts no user message after a result either, but images in it.
  return /bedrock|aws/i.test(provider) ? 'result' : 'message';
}

function partsOf({ content }: BaseMessage): Exclude<BaseMessage['content'], string> {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Copies a message with its class, id, artifact and status. */
function withContent(message: BaseMessage, content: BaseMessage['content']): BaseMessage {
  const copy: BaseMessage = Object.create(Object.getPrototypeOf(message));
  return Object.assign(copy, message, { content });
}
