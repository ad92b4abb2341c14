import { expect, it } from 'vitest';
import { writeOutput } from '../../src/conversation/prompt-results.ts';

const data = 'AAAA';
const image = { mediaType: 'image/png', data };
const pdf = { mediaType: 'application/pdf', data };

it.each([
  [
    'v2',
    [
      { type: 'media', ...image },
      { type: 'media', ...pdf },
    ],
  ],
  [
    'v3',
    [
      { type: 'image-data', ...image },
      { type: 'file-data', ...pdf, filename: 'form.pdf' },
    ],
  ],
  [
    'v4',
    [
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data }, filename: 'form.pdf' },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data }, filename: 'form.pdf' },
    ],
  ],
])('writes the files of a result in the form of models of %s', (version, files) => {
  const result = { text: 'Two files.', isError: false, files: [image, pdf], filename: 'form.pdf' };
  expect(writeOutput(result, version)).toEqual({
    type: 'content',
    value: [{ type: 'text', text: 'Two files.' }, ...files],
  });
});

it('writes a result without files as text, and an error as such', () => {
  const result = { text: 'No.', isError: true, files: [] };
  expect(writeOutput(result, 'v3')).toEqual({ type: 'error-text', value: 'No.' });
  expect(writeOutput({ ...result, isError: false }, 'v3')).toEqual({ type: 'text', value: 'No.' });
});
