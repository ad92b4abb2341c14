import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDiagnosticLog } from '../../../src/diagnostics/log.ts';
import { parseSkill } from '../../../src/format/parse.ts';
import { normalizeName, suggestName } from '../../../src/format/properties/name.ts';
import { validateName } from '../../../src/format/properties/name-field.ts';

function codes(written: string): string[] {
  const log = createDiagnosticLog({ location: 'SKILL.md' }, 'strict');
  const start = { line: 1, column: 1 };
  validateName(written, normalizeName(written), start, { log, directoryName: undefined });
  return log.diagnostics.map(({ code }) => code);
}

/** The rule of the reference tool, in its own steps. */
function referenceAccepts(name: string): boolean {
  const points = [...name];
  if (points.length === 0 || points.length > 64 || name !== name.toLowerCase()) return false;
  if (name.startsWith('-') || name.endsWith('-') || name.includes('--')) return false;
  return points.every((point) => /[\p{L}\p{N}-]/u.test(point));
}

describe('validateName', () => {
  it('agrees with the reference tool on every name that is safe', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'a',
        'z',
        '0',
        '-',
        '--',
        '_',
        ' ',
        'A',
        'é',
        'ß',
        '技',
        'ж',
        '٣',
        '½',
        'ｂ',
        '😀',
        'ิ',
        'a'.repeat(60),
      ),
      fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const written = parts.join('');
        const name = normalizeName(written);
        fc.pre(name !== '');
        const errors = codes(written).filter((code) => code !== 'name-normalized' && code !== 'name-reserved');
        fc.pre(!errors.includes('name-unsafe') && !errors.includes('name-confusable'));
        expect({ name, accepted: errors.length === 0 }).toEqual({ name, accepted: referenceAccepts(name) });
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['../x', 'name-unsafe'],
    ['\ufeffpdf', 'name-unsafe'],
    ['pdf \ufeff', 'name-unsafe'],
    ['a'.repeat(256), 'name-too-long'],
    ['a'.repeat(257), 'name-unsafe'],
    ['a\\b', 'name-unsafe'],
    ['user\u2571pdf', 'name-unsafe'],
    ['..', 'name-unsafe'],
    ['a\u0000b', 'name-unsafe'],
    ['a\u202eb', 'name-unsafe'],
    ['a\u200bb', 'name-unsafe'],
    ['a\u{e0041}b', 'name-unsafe'],
    ['\u200d', 'name-unsafe'],
    ['p\u0430ypal', 'name-confusable'],
    ['p\uab7aypal', 'name-confusable'],
    ['git\u2010hub', 'name-confusable'],
    ['git\u2212hub', 'name-confusable'],
    ['\u03bfpen', 'name-confusable'],
  ])('refuses %j and says nothing else about it', (name, code) => {
    expect(codes(name)).toEqual([code]);
  });

  it.each(['api-навык', 'pdf-解析', 'goog1e', 'constructor'])('accepts %j', (name) => {
    expect(codes(name)).toEqual([]);
  });
});

describe('the name of a directory', () => {
  const parse = (fields: string, directoryName: string) =>
    parseSkill(`---\n${fields}description: d\n---\nb\n`, { directoryName });

  it('is the name of the skill, though a disk composes its letters in another way', () => {
    const { diagnostics } = parse('name: caf\u00e9\n', 'cafe\u0301');
    expect(diagnostics).toEqual([]);
  });

  it('is changed if it could be taken for a qualified name', () => {
    expect(parse('', 'user:pdf').properties?.name).toBe('user-pdf');
  });

  it('is no name if nothing of it can be seen', () => {
    const { properties, diagnostics } = parse('', ' ');
    expect([properties, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['name-unavailable']]);
  });
});

describe('the hint about a name', () => {
  const part = fc.constantFrom(
    'pdf',
    'PDF',
    'a',
    '9',
    '-',
    '--',
    ' ',
    '_',
    '.',
    'é',
    '技',
    '\u0440',
    '\u200b',
    '/',
    ':',
    'con',
    'null',
    '0x1',
  );
  const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

  it('leads to a name that breaks no rule in its directory', () => {
    fc.assert(
      fc.property(
        text,
        text.filter((name) => !/[/\u200b]|^\.+$/.test(name) && name.trim() !== ''),
        (name, directory) => {
          const written = (value: string): string => `---\nname: ${value}\ndescription: d\n---\nb\n`;
          const given = written(JSON.stringify(name));
          const codes = (value: string, directoryName: string): readonly string[] => {
            const { diagnostics } = parseSkill(written(value), { directoryName, profile: 'strict' });
            return diagnostics.map(({ code }) => code);
          };
          for (const { hint = '' } of parseSkill(given, { directoryName: directory, profile: 'strict' }).diagnostics) {
            const [, suggestion, also] = /^Write `name: (.+?)`(, and rename the directory to it)?/.exec(hint) ?? [];
            const [, renamed] = /[Rr]ename the directory to `(.+?)`/.exec(hint) ?? [];
            const other = also === undefined ? directory : (suggestion ?? '').replaceAll('"', '');
            const ways = [
              ...(suggestion === undefined ? [] : [codes(suggestion, other)]),
              ...(renamed === undefined ? [] : [codes(JSON.stringify(name), renamed)]),
            ];
            expect({ name, directory, hint, ways: ways.flat() }).toEqual({ name, directory, hint, ways: [] });
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['PDF', 'pdf', 'Write `name: pdf`.'],
    ['PDF', 'PDF', 'Write `name: pdf`, and rename the directory to it.'],
    ['pdf', 'my-pdf', 'Write `name: my-pdf`, or rename the directory to `pdf`.'],
    ['pdf', 'PDF tools', 'Rename the directory to `pdf`.'],
    ['pdf', 'skills', 'Move it into a directory `pdf`.'],
    ['P D F', undefined, 'Write `name: p-d-f`.'],
    ['\u2764', '\u2764', 'Write `name: my-skill`, and rename the directory to it.'],
    ['', 'null', 'Write `name: "null"`.'],
    ['pdf', '2026-01-01', 'Write `name: "2026-01-01"`, or rename the directory to `pdf`.'],
    ['3D', '3d', 'Write `name: 3d`.'],
    ['\u2764', 'Read PDF', 'Write `name: read-pdf`, and rename the directory to it.'],
    ['Prüfung', 'prüfung'.normalize('NFD'), 'Write `name: prüfung`.'],
    ['Read\u3164', 'Read PDF', 'Write `name: read-pdf`, and rename the directory to it.'],
  ])('says what to do about %j in %j', (name, directoryName, hint) => {
    const { diagnostics } = parseSkill(`---\nname: ${name}\ndescription: d\n---\nb\n`, {
      directoryName,
      profile: 'strict',
    });
    expect(new Set(diagnostics.map((diagnostic) => diagnostic.hint))).toEqual(new Set([hint]));
  });
});

describe('suggestName', () => {
  it.each([
    ['My Skill', 'my-skill'],
    ['my_skill--2', 'my-skill-2'],
    ['-x-', 'x'],
    ['GitLab CI/CD', 'gitlab-ci-cd'],
    ['ａｂｃ', 'abc'],
    ['!!!', ''],
    ['हिन्दी', ''],
    ['ภาษาที่ 2', ''],
    ['Café\u{1f600}\ufe0f pdf\ufe0f', 'café-pdf'],
  ])('makes of %j the name %j', (text, name) => {
    expect(suggestName(text)).toBe(name);
  });

  it('always returns a valid name or nothing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 90, unit: 'binary' }), (text) => {
        const name = suggestName(text);
        expect(name === '' || referenceAccepts(name)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
