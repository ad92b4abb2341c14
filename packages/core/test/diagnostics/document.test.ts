import { describe, expect, it } from 'vitest';
import { diagnosticCodes, documentOf, explainDiagnostic } from '../../src/diagnostics/document.ts';
import { fixers } from '../../src/format/write/fixers.ts';

describe('the documentation of the codes', () => {
  it.each(diagnosticCodes())('explains %s in whole sentences', (code) => {
    const { cause, fix } = documentOf(code);
    for (const text of [cause, fix]) expect(text).toMatch(/^[A-Z`].*[.]$/);
  });

  it('promises `skillful validate --fix` for the codes that it can fix, and for no others', () => {
    const promised = diagnosticCodes().filter((code) => documentOf(code).fix.includes('`skillful validate --fix`'));
    expect(promised.sort()).toEqual([...fixers.keys()].sort());
  });

  it('shows the words that a message leaves open', () => {
    expect(explainDiagnostic('metadata-nested')).toContain('> `metadata.<key>` is *kind*, expected text;');
    expect(documentOf('colon-space-missing').fix).toBe('Write `<field>: …`. `skillful validate --fix` can do this.');
  });

  it('has one page per code, with cause and fix', () => {
    expect(explainDiagnostic('key-duplicate')).toBe(
      [
        '# key-duplicate',
        '',
        '> *field* is given more than once; *outcome*.',
        '',
        'YAML forbids duplicate keys, and readers disagree on which one wins, so a reviewer and an agent may see different values. The first value counts here, but a switch restricts the skill.',
        '',
        '**Fix.** Remove all but one.',
        '',
        '**Severity.** `error` in `strict` and `portable`, `warning` in `lenient`. **Refused by** skills-ref, Claude Code.',
        '',
      ].join('\n'),
    );
  });

  it('says last in which profiles a code is not reported', () => {
    expect(explainDiagnostic('field-of-client')).toContain(
      '**Severity.** `info` in `strict`, `error` in `portable`, not reported in `lenient`. **Refused by** ',
    );
    expect(explainDiagnostic('body-empty')).toContain('**Severity.** `warning` in every profile.\n');
  });

  it('has no page for anything else', () => {
    expect([explainDiagnostic('no-such-code'), explainDiagnostic('constructor'), explainDiagnostic('')]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });
});
