import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diskCodes } from '../../src/diagnostics/codes/disk.ts';
import { fieldCodes } from '../../src/diagnostics/codes/fields.ts';
import { fileCodes } from '../../src/diagnostics/codes/file.ts';
import { nameCodes } from '../../src/diagnostics/codes/name.ts';
import { sourceCodes } from '../../src/diagnostics/codes/source.ts';
import { yamlCodes } from '../../src/diagnostics/codes/yaml.ts';
import { createDiagnostic, hasErrors, type SkillProfile, showText } from '../../src/diagnostics/diagnostic.ts';
import { diagnosticCodes } from '../../src/diagnostics/document.ts';
import { type DiagnosticRow, diagnosticTable, severityOf } from '../../src/diagnostics/table.ts';

const site = { source: 'project', location: 'skills/pdf/SKILL.md', line: 2, column: 7 };

describe('createDiagnostic', () => {
  it('takes severity, message and hint from the row of the code', () => {
    expect(createDiagnostic('name-uppercase', site, { name: 'PDF', suggestion: 'pdf', rename: '' }, 'strict')).toEqual({
      code: 'name-uppercase',
      severity: 'error',
      message: 'The name `PDF` has uppercase letters, expected lowercase.',
      hint: 'Write `name: pdf`.',
      ...site,
    });
  });

  it('names who would refuse the file under the portable profile', () => {
    const { severity, message } = createDiagnostic('description-angle-brackets', site, { character: '<' }, 'portable');
    expect({ severity, message }).toEqual({
      severity: 'error',
      message: '`description` contains `<`. Refused by quick_validate and claude.ai.',
    });
  });

  it('leaves out the source, the line and the column that it is not given', () => {
    expect(Object.keys(createDiagnostic('root-missing', { location: 'skills', line: undefined }))).toEqual([
      ...['code', 'severity', 'message', 'hint', 'location'],
    ]);
  });

  it('puts details in without reading them again', () => {
    const { message } = createDiagnostic('name-uppercase', site, {
      name: '{suggestion}$&$1',
      suggestion: 'x',
      rename: '',
    });
    expect(message).toBe('The name `{suggestion}$&$1` has uppercase letters, expected lowercase.');
  });

  it('escapes what cannot be seen and shortens what is long', () => {
    const { message } = createDiagnostic('skill-file-unreadable', site, {
      reason: `a\n\u202eb\u{e0041}${'x'.repeat(500)}`,
    });
    expect(message).toMatch(/^`SKILL\.md` could not be read: a\\n\\u\{202e\}b\\u\{e0041\}x+…\.$/);
    expect(message.length).toBeLessThan(200);
  });
});

describe('hasErrors', () => {
  it('finds an error among the others', () => {
    const warning = createDiagnostic('root-missing', site);
    const error = createDiagnostic('description-missing', site);
    expect([hasErrors([]), hasErrors([warning]), hasErrors([warning, error])]).toEqual([false, false, true]);
  });
});

describe('showText', () => {
  it('always returns one visible line within the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), (text) => {
        const shown = showText(text);
        expect(shown).toMatch(/^\P{C}*$/u);
        expect([...showText('x'.repeat(500))]).toHaveLength(120);
      }),
    );
  });
});

describe('the table of diagnostics', () => {
  it('has each code once, in the file of one topic', () => {
    const topics = [fileCodes, yamlCodes, fieldCodes, nameCodes, diskCodes, sourceCodes];
    expect(topics.flatMap((codes) => Object.keys(codes))).toEqual(diagnosticCodes());
  });

  it.each(diagnosticCodes())('describes %s in whole sentences', (code) => {
    const { message, hint }: DiagnosticRow = diagnosticTable[code];
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    for (const text of [message, hint]) expect(text).toMatch(/^[A-Z`{].*[.?]$/);
  });

  it.each(diagnosticCodes())('never lets %s weigh more under lenient than elsewhere', (code) => {
    const weight = (profile: SkillProfile) => ['none', 'info', 'warning', 'error'].indexOf(severityOf(code, profile));
    expect(weight('lenient')).toBeLessThanOrEqual(weight('strict'));
    expect(weight('lenient')).toBeLessThanOrEqual(weight('portable'));
  });

  it.each(diagnosticCodes())('says who refuses %s if only some do', (code) => {
    const { refusedBy }: DiagnosticRow = diagnosticTable[code];
    if (severityOf(code, 'portable') === 'error' && severityOf(code, 'strict') !== 'error')
      expect(refusedBy).toBeDefined();
    expect(refusedBy?.length).not.toBe(0);
  });
});
