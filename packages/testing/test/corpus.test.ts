import { readFileSync } from 'node:fs';
import { hasErrors, type SkillProfile } from '@skillful/core';
import { parseSkill } from '@skillful/core/authoring';
import { describe, expect, it } from 'vitest';

interface Outcome {
  readonly loads: boolean;
  readonly codes: readonly string[];
}

interface Case {
  readonly id: string;
  readonly title: string;
  readonly directory: string;
  readonly text?: string;
  readonly base64?: string;
  readonly expected: Readonly<Record<SkillProfile, Outcome>>;
  readonly reads: Readonly<Record<string, unknown>> | null;
  readonly validators: Readonly<Record<string, 'accepts' | 'refuses' | 'crash' | readonly string[]>>;
}

const profiles: readonly SkillProfile[] = ['strict', 'lenient', 'portable'];
const { cases }: { cases: readonly Case[] } = JSON.parse(
  readFileSync(new URL('../corpus/format.json', import.meta.url), 'utf8'),
);

function read(entry: Case, profile: SkillProfile): ReturnType<typeof parseSkill> {
  const bytes = entry.base64 === undefined ? (entry.text ?? '') : Uint8Array.from(Buffer.from(entry.base64, 'base64'));
  return parseSkill(bytes, { directoryName: entry.directory, profile });
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
