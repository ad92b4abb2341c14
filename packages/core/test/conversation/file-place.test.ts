import { describe, expect, it } from 'vitest';
import { placeFiles } from '../../src/conversation/file-place.ts';

const files = ['image/png', 'image/gif', 'application/pdf', 'audio/mpeg'].map((mediaType) => ({ mediaType }));
const named = (some: readonly { mediaType: string }[]): string =>
  some.map(({ mediaType }) => mediaType.split('/')[1]).join(' ');

describe('placeFiles', () => {
  it.each([
    ['anything', 'png gif pdf mpeg', '', true],
    ['openai.responses', 'png gif pdf', '', false],
    ['azure.responses', 'png gif pdf', '', false],
    ['openai.chat', '', 'png gif pdf', false],
    ['deepseek.chat', '', '', false],
    ['openai.completion', '', '', false],
    ['anthropic.messages', 'png gif pdf', '', false],
    ['vertex.anthropic.messages', 'png gif pdf', '', false],
    ['amazon-bedrock', 'png gif pdf', '', false],
    ['google.generative-ai', 'png', 'pdf mpeg', false],
    ['google.vertex.chat', 'png', 'pdf mpeg', false],
    ['ollama.responses', '', 'png gif', false],
    ['xai.responses', 'png gif', '', false],
    ['openai/gpt-5', 'png gif pdf', '', false],
    ['anthropic/claude-sonnet-4.5', 'png gif pdf', '', false],
    ['google/gemini-3-pro', 'png', 'pdf mpeg', false],
    ['deepseek/deepseek-v3', '', '', false],
    ['google/', 'png', 'pdf mpeg', false],
  ])('%s: in the result %j, in a message %j', (model, inResult, inMessage, isAllSeen) => {
    const placed = placeFiles(model, 'A file.', files);
    expect([named(placed.inResult), named(placed.inMessage), placed.text]).toEqual([
      inResult,
      inMessage,
      isAllSeen ? 'A file.' : 'A file. This model cannot read it.',
    ]);
  });
});
