// A user of the contract suites: a source, an adapter with its session, and the corpus, in a project that has only Vitest.

import { fileURLToPath } from 'node:url';
import { memorySource } from '@skillful/core';
import { parseSkill } from '@skillful/core/authoring';
import { testAdapter, testSession, testSource } from '@skillful/testing';
import { readFormatCorpus } from '@skillful/testing/corpus';
import stored from '@skillful/testing/corpus/format.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { harness } from '../../packages/adapter-vercel-ai/test/harness.ts';

testSource({ name: 'memorySource', create: (files) => memorySource(files) });
testAdapter(harness);
testSession(harness.framework, fileURLToPath(new URL('./harness.ts', import.meta.url)));

const { cases } = await readFormatCorpus();

it.each(cases)('reads what the corpus says of $id', ({ bytes, directory, reads }) => {
  const { properties } = parseSkill(bytes, { directoryName: directory });
  if (reads === null) expect(properties).toBeUndefined();
  else expect(properties).toMatchObject(reads);
});

it('has the corpus as plain JSON', () => {
  expect(stored.cases.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
});
