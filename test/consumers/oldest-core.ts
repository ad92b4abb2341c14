// A user of the core alone, with its own agent loop: what a model gets, which every adapter has to match.

import { type ConversationItem, createToolkit, loadCatalog, type SkillToolkit, type ToolCall } from '@skillful/core';
import { fileSource } from '@skillful/core/node';

const [directory = '', empty = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const calls: readonly ToolCall[] = [
  { name: 'activate_skill', input: { name: 'greeting' } },
  { name: 'read_skill_resource', input: { skill: 'greeting', path: 'references/ways.md' } },
  { name: 'read_skill_resource', input: { skill: 'greeting', path: 'assets/seal.png' } },
  { name: 'greeting', input: {} },
];

async function converse(skills: SkillToolkit, script: readonly ToolCall[], shown?: number) {
  const items: ConversationItem[] = [{ kind: 'user', text: 'Greet me.' }];
  const files: string[] = [];
  const given: object[] = [];
  for (const call of [...script, undefined]) {
    const { system: catalogText, tools } = await skills.disclose();
    const active = await skills.readActive({ conversation: { items } });
    const { results, text } = await skills.attach({ conversation: { items: items.slice(0, shown), active } });
    const system = ['You are kind.', catalogText, text].filter((part) => part !== '').join('\n\n');
    given.push({ system, tools: tools.map(({ name }) => name), results, files: [...files] });
    const meant = call && ((await skills.recoverCall(call)) ?? call);
    const tool = tools.find(({ name }) => name === meant?.name);
    if (meant === undefined || tool === undefined) break;
    const result = await tool.execute(meant.input, { conversation: { items } });
    items.push({ kind: 'result', tool: tool.name, text: result.text });
    files.push(...result.parts.map(({ mediaType }) => mediaType));
  }
  return given;
}

/** After the activation, the application deactivates the skill; returns what the model gets in the next turn. */
async function end() {
  const activated = await toolkit.tools[0]?.execute(calls[0]?.input);
  const items: ConversationItem[] = [
    { kind: 'user', text: 'Greet me.' },
    { kind: 'result', tool: 'activate_skill', text: activated?.text ?? '' },
    ...(await toolkit.decide({ deactivate: ['greeting'] })),
    { kind: 'user', text: 'Go on.' },
  ];
  const { system: catalogText, tools } = await toolkit.disclose();
  const { results } = await toolkit.attach({ conversation: { items } });
  const system = `You are kind.\n\n${catalogText}`;
  return [{ system, tools: tools.map(({ name }) => name), results, files: [] }];
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
