// A user of the core alone, with its own agent loop: what a model gets, which every adapter has to match.

import {
  createToolkit,
  loadCatalog,
  type MessageView,
  type SkillContext,
  type SkillState,
  type SkillToolkit,
  type ToolCall,
} from '@skillful/core';
import { fileSource } from '@skillful/core/node';

const [directory = '', empty = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const calls: readonly ToolCall[] = [
  { name: 'activate_skill', input: { name: 'greeting' } },
  { name: 'read_skill_resource', input: { skill: 'greeting', path: 'references/ways.md' } },
  { name: 'read_skill_resource', input: { skill: 'greeting', path: 'assets/seal.png' } },
  { name: 'greeting', input: {} },
];

/** What the model reads of a conversation, and what is kept of it. */
async function prepare(skills: SkillToolkit, messages: readonly MessageView[], context: SkillContext) {
  const { system, hiddenTools, edits, state } = await skills.prepare(messages, context);
  const textOf = (key: string, text: string): string =>
    edits.reduce((read, edit) => ('append' in edit && edit.key === key ? `${read}\n\n${edit.append}` : read), text);
  const call = {
    system: ['You are kind.', system].filter((part) => part !== '').join('\n\n'),
    tools: skills.tools.map(({ name }) => name).filter((name) => !hiddenTools.includes(name)),
    users: messages.flatMap(({ key, role, text = '' }) => (role === 'user' ? [textOf(key, text)] : [])),
    results: messages.flatMap(({ key, results = [] }) =>
      results.map(
        ({ text }) => edits.flatMap((edit) => ('result' in edit && edit.key === key ? [edit.text] : []))[0] ?? text,
      ),
    ),
  };
  return { call, state };
}

async function converse(skills: SkillToolkit, script: readonly ToolCall[], shown?: number) {
  const messages: MessageView[] = [{ key: '0', role: 'user', text: 'Greet me.' }];
  const files: string[] = [];
  const given: object[] = [];
  let state: SkillState | undefined;
  for (const scripted of [...script, undefined]) {
    const { call, state: kept } = await prepare(skills, messages.slice(0, shown), { state, messages });
    state = kept;
    given.push({ ...call, files: [...files] });
    const meant = scripted && ((await skills.correctCall(scripted)) ?? scripted);
    const tool = skills.tools.find(({ name }) => name === meant?.name);
    if (meant === undefined || tool === undefined) break;
    const result = await tool.execute(meant.input, { messages, state });
    const key = String(messages.length);
    messages.push({ key, role: 'tool', results: [{ id: key, tool: tool.name, text: result.text }] });
    files.push(...result.files.map(({ mediaType }) => mediaType));
  }
  return given;
}

/** After the activation, the application deactivates the skill; returns what the model gets in the next turn. */
async function end() {
  const text = (await toolkit.tools[0]?.execute(calls[0]?.input))?.text ?? '';
  const messages: readonly MessageView[] = [
    { key: '0', role: 'user', text: 'Greet me.' },
    { key: '1', role: 'tool', results: [{ id: '1', tool: 'activate_skill', text }] },
  ];
  const state = await toolkit.decide({ deactivate: ['greeting'] }, messages);
  const next: MessageView = { key: '2', role: 'user', text: 'Go on.' };
  const { call } = await prepare(toolkit, [...messages, next], { state });
  return [{ ...call, files: [] }];
}

console.log(
  JSON.stringify({
    generate: await converse(toolkit, calls),
    stream: await converse(toolkit, calls),
    shorten: await converse(toolkit, calls.slice(0, 1), 1),
    end: await end(),
    empty: await converse(createToolkit(await loadCatalog([fileSource(empty)])), []),
  }),
);
