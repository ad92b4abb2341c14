// The core reads each case of the corpus as the corpus expects.

import { hasErrors, type SkillProfile } from '@skillful/core';
import { parseSkill } from '@skillful/core/authoring';
import { describe, expect, it } from 'vitest';
import { type FormatCase, readFormatCorpus } from '../src/format-corpus.ts';

const profiles: readonly SkillProfile[] = ['strict', 'lenient', 'portable'];
const { cases } = await readFormatCorpus();

function read({ bytes, directory }: FormatCase, profile: SkillProfile): ReturnType<typeof parseSkill> {
  return parseSkill(bytes, { directoryName: directory, profile });
}

describe('the corpus', () => {
  it('has every case once', () => {
    expect(cases.length).toBeGreaterThan(160);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  describe.each(profiles)('under the %s profile', (profile) => {
    it.each(cases)('has the outcome that corpus/format.json expects of $id, $title', (entry) => {
      const { diagnostics } = read(entry, profile);
      const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
      expect({ loads: !hasErrors(diagnostics), codes }).toEqual(entry.expected[profile]);
    });

    it.each(cases)('reads the data of $id whatever the profile', (entry) => {
      const { properties } = read(entry, profile);
      if (entry.reads === null) expect(properties).toBeUndefined();
      else expect(properties).toMatchObject(entry.reads);
    });
  });

  it('never lets a skill pass as portable that a known validator refuses', () => {
    const lax = cases.filter(({ expected, validators }) => {
      return expected.portable.loads && Object.values(validators).some((verdict) => verdict !== 'accepts');
    });
    expect(lax.map(({ id }) => id)).toEqual([]);
  });

  it('never lets a skill load under strict or portable that lenient refuses', () => {
    const odd = cases.filter(({ expected: { strict, lenient, portable } }) => {
      return (strict.loads || portable.loads) && !lenient.loads;
    });
    expect(odd.map(({ id }) => id)).toEqual([]);
  });
});
