// The loader returns every case as bytes, whichever way they are stored.

import { expect, it } from 'vitest';
import { readFormatCorpus } from '../src/format-corpus.ts';

const { validators, cases } = await readFormatCorpus();
const caseOf = (id: string) => cases.find((entry) => entry.id === id);

it('returns the fields of a case, and not how it is stored', () => {
  expect(caseOf('F01')).toEqual({
    id: 'F01',
    title: 'minimal valid',
    directory: 'my-skill',
    bytes: new TextEncoder().encode('---\nname: my-skill\ndescription: A test skill\n---\nBody\n'),
    expected: {
      strict: { loads: true, codes: [] },
      lenient: { loads: true, codes: [] },
      portable: { loads: true, codes: [] },
    },
    reads: { name: 'my-skill', description: 'A test skill' },
    validators: { 'skills-ref': 'accepts', quick_validate: 'accepts' },
  });
  expect(cases.map(Object.keys)).toEqual(cases.map(() => expect.not.arrayContaining(['text', 'base64'])));
});

it('returns bytes that are not text', () => {
  const broken = cases.filter(({ expected }) => expected.lenient.codes.includes('encoding-invalid'));
  const decode = ({ bytes }: { bytes: Uint8Array }) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  expect(broken.map(({ id }) => id)).toEqual(['F25']);
  for (const entry of broken) expect(() => decode(entry)).toThrow(TypeError);
});

it('knows a verdict of each validator for each case', () => {
  const names = Object.keys(validators);
  expect(names).toEqual(['skills-ref', 'quick_validate']);
  expect(cases.filter((entry) => Object.keys(entry.validators).join() !== names.join())).toEqual([]);
});
