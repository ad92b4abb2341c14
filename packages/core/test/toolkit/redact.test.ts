import { createToolkit, loadCatalog } from '@skillful/core';
import { expect, it } from 'vitest';

it('redactResult keeps names, digests and sizes', async () => {
  const { redactResult } = createToolkit(await loadCatalog([]));
  const details = { kind: 'resource', skill: 'kit', path: 'seal.png', mediaType: 'image/png' } as const;
  const files = [{ mediaType: 'image/png', data: Buffer.from('SEAL').toString('base64') }];
  expect(redactResult({ text: 'A seal.', files, isError: false, details })).toEqual({
    ...details,
    isError: false,
    characters: 7,
    files: [{ mediaType: 'image/png', bytes: 4 }],
  });
});
