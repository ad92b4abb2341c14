// How diagnostics look to people, at any width.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../src/diagnostics/diagnostic.ts';
import { formatDiagnostic } from '../../src/diagnostics/format.ts';

const site = { source: 'project', location: 'skills/pdf/SKILL.md', line: 2, column: 7 };

describe('formatDiagnostic', () => {
  it('marks the column in the line and shows its neighbours', () => {
    const text = '---\r\nname: PDF\r\ndescription: x\r\n---\r\n';
    const diagnostic = createDiagnostic('name-uppercase', site, { name: 'PDF', suggestion: 'pdf', rename: '' });
    expect(formatDiagnostic(diagnostic, text)).toBe(
      [
        'skills/pdf/SKILL.md:2:7 warning: The name `PDF` has uppercase letters, expected lowercase. (name-uppercase)',
        '  1 | ---',
        '> 2 | name: PDF',
        '    |       ^',
        '  3 | description: x',
        '  hint: Write `name: pdf`.',
      ].join('\n'),
    );
  });

  it('shows no frame without a text or a line', () => {
    const { line: _line, column: _column, ...place } = site;
    expect(formatDiagnostic(createDiagnostic('root-missing', place), 'text')).toBe(
      'skills/pdf/SKILL.md info: The directory does not exist. (root-missing)\n  hint: Create it to keep skills there.',
    );
  });

  it('shows the part of a long line that the column is in, and never throws', () => {
    const diagnostic = createDiagnostic('yaml-invalid', { ...site, line: 1, column: 5001 }, { reason: 'x' });
    const [, frame, mark] = formatDiagnostic(diagnostic, `${'a'.repeat(5000)}B${'c'.repeat(5000)}`).split('\n');
    expect(frame?.[mark?.indexOf('^') ?? 0]).toBe('B');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(99), fc.nat(99), (text, line, column) => {
        const shown = formatDiagnostic({ ...diagnostic, line: line + 1, column: column + 1 }, text);
        expect(shown).not.toMatch(/[^\P{C}\n]/u);
      }),
    );
  });

  it('cuts lines of the file around the column, and breaks the words between them, to fit a terminal', () => {
    const text = `---\nname: ${'long '.repeat(124)}Here ${'after '.repeat(20)}\n${'x'.repeat(80)}\n`;
    const place = { ...site, column: 627 };
    const diagnostic = createDiagnostic('name-uppercase', place, { name: 'Here', suggestion: 'here', rename: '' });
    expect(formatDiagnostic(diagnostic, text, { columns: 50 }).split('\n')).toEqual([
      'skills/pdf/SKILL.md:2:627 warning: The name `Here`',
      '  has uppercase letters, expected lowercase.',
      '  (name-uppercase)',
      '  1 | ---',
      '> 2 | …g long long long long Here after after aft…',
      '    |                        ^',
      '  3 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…',
      '  hint: Write `name: here`.',
    ]);
    expect(formatDiagnostic(diagnostic, undefined, { columns: 50, withoutHint: true }).split('\n').length).toBe(3);
  });

  it('breaks no line within code, so that a command can be copied', () => {
    const diagnostic = createDiagnostic('root-missing', { location: 'skills' });
    const hint = 'Run `npx skillful new my-skill --scope project` to create one, or look at ` and more words after it.';
    expect(
      formatDiagnostic({ ...diagnostic, hint }, undefined, { columns: 44 })
        .split('\n')
        .slice(1),
    ).toEqual([
      '  (root-missing)',
      '  hint: Run',
      '        `npx skillful new my-skill --scope project`',
      '        to create one, or look at ` and more',
      '        words after it.',
    ]);
  });

  it('puts the mark below the column even behind wide characters', () => {
    const diagnostic = createDiagnostic(
      'name-uppercase',
      { ...site, column: 14 },
      { name: 'X', suggestion: 'x', rename: '' },
    );
    const lines = formatDiagnostic(diagnostic, '---\n読みー 😀⚠️ ｱe\u0301aX\n').split('\n');
    expect(lines.slice(2, 4)).toEqual(['> 2 | 読みー 😀⚠️ ｱe\u0301aX', '    | \u3000\u3000\u3000 \u3000\u3000    ^']);
  });

  it('never shows a line that is wider than the terminal, except for a long word', () => {
    const widths = { a: 1, ' ': 1, 'e\u0301': 1, 読: 2, '😀': 2, '⚠️': 2, '1️⃣': 2 };
    const text = fc.string({ unit: fc.constantFrom(...Object.keys(widths)), maxLength: 400 });
    const widthOf = (line: string): number =>
      [...new Intl.Segmenter().segment(line)].reduce(
        (sum, { segment }) => sum + (new Map(Object.entries(widths)).get(segment) ?? segment.length),
        0,
      );
    fc.assert(
      fc.property(text, fc.nat(450), fc.integer({ min: 40, max: 120 }), (line, column, columns) => {
        const place = { location: 'SKILL.md', line: 1, column: column + 1 };
        const diagnostic = createDiagnostic('name-uppercase', place, { name: 'X', suggestion: 'x', rename: '' });
        const lines = formatDiagnostic(diagnostic, line, { columns }).split('\n');
        const marked = lines.findIndex((each) => /^ +\| +\^$/u.test(each));
        const wide = lines.filter(
          (each, index) => widthOf(each) > columns && !(index === marked && column >= line.length),
        );
        expect(wide).toEqual([]);
      }),
    );
  });
});
