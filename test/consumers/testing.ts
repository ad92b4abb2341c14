// A user of the corpus, in a project that has only Vitest; the suites are used as in their README.

import { parseSkill } from '@skillful/core/authoring';
import { readFormatCorpus } from '@skillful/testing/corpus';
import stored from '@skillful/testing/corpus/format.json' with { type: 'json' };
import { expect, it } from 'vitest';

const { cases } = await readFormatCorpus();

it.each(cases)('reads what the corpus says of $id', ({ bytes, directory, reads }) => {
  const { properties } = parseSkill(bytes, { directoryName: directory });
  if (reads === null) expect(properties).toBeUndefined();
  else expect(properties).toMatchObject(reads);
});

it('has the corpus as plain JSON', () => {
  expect(stored.cases.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
});
