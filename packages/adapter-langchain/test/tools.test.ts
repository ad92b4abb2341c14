// A file reaches the model in the content block that LangChain has for its kind.

import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { AIMessage, createAgent, fakeModel, HumanMessage, ToolMessage } from 'langchain';
import { expect, it } from 'vitest';
import { skillsMiddleware } from '../src/index.ts';

const toolkit = createToolkit(
  await loadCatalog([
    memorySource({
      'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nBody.\n',
      'report/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
      'report/form.pdf': new TextEncoder().encode('%PDF-1.4'),
      'report/note.mp3': new Uint8Array([0x49, 0x44, 0x33, 0, 255]),
      'report/note.wav': new TextEncoder().encode('RIFF\u0000\u0001\u0001\u0001WAVE'),
    }),
  ]),
);

it.each([
  ['seal.png', 'image', 'image/png', 'iVBORwD/', 6],
  ['form.pdf', 'file', 'application/pdf', 'JVBERi0xLjQ=', 8],
  ['note.mp3', 'audio', 'audio/mpeg', 'SUQzAP8=', 5],
  ['note.wav', 'audio', 'audio/wav', 'UklGRgABAQFXQVZF', 12],
])('sends %s as a block of the type %s', async (path, type, mimeType, data, bytes) => {
  const call = { type: 'tool_call' as const, id: 'one', name: 'read_skill_resource', args: { skill: 'report', path } };
  const model = fakeModel()
    .respond(new AIMessage({ content: '', tool_calls: [call] }))
    .respond(new AIMessage('Done.'));
  await createAgent({ model, middleware: [skillsMiddleware(toolkit)] }).invoke({
    messages: [new HumanMessage('Read.')],
  });
  const message = model.calls.at(-1)?.messages.find((one) => ToolMessage.isInstance(one));
  expect(message?.content).toEqual([
    { type: 'text', text: `\`${path}\` of skill \`report\` is not text: ${mimeType}, ${bytes} bytes.` },
    { type, mimeType, data },
  ]);
});
