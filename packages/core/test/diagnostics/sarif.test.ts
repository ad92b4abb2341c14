import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../src/diagnostics/diagnostic.ts';
import { toSarif } from '../../src/diagnostics/sarif.ts';

describe('toSarif', () => {
  const diagnostics = [
    createDiagnostic(
      'name-uppercase',
      { location: 'skills/a b/SKILL.md', line: 2, column: 7 },
      { name: 'A', suggestion: 'a', rename: '' },
      'strict',
    ),
    createDiagnostic('body-empty', { location: 'C:\\skills\\b\\SKILL.md' }),
    createDiagnostic('root-missing', { location: 'skills/%/#' }),
  ];
  const log = toSarif(diagnostics, { version: '1.2.3' });
  const run = log.runs[0];

  it('is a log of version 2.1.0 with one run of this tool', () => {
    expect(log).toMatchObject({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' });
    expect(log.runs).toHaveLength(1);
    expect(run?.tool.driver).toMatchObject({ name: 'skillful', version: '1.2.3' });
    expect(run?.columnKind).toBe('utf16CodeUnits');
  });

  it('has one rule a code, and results that point at it', () => {
    const ids = run?.tool.driver.rules.map(({ id }) => id);
    expect(ids).toEqual(['body-empty', 'name-uppercase', 'root-missing']);
    expect(run?.results.map(({ ruleId, ruleIndex }) => ids?.[ruleIndex] === ruleId)).toEqual([true, true, true]);
  });

  it('has the place, level and words of every diagnostic', () => {
    expect(run?.results[0]).toEqual({
      ruleId: 'name-uppercase',
      ruleIndex: 1,
      level: 'error',
      message: { text: 'The name `A` has uppercase letters, expected lowercase. Write `name: a`.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'skills/a%20b/SKILL.md' },
            region: { startLine: 2, startColumn: 7 },
          },
        },
      ],
    });
    expect(run?.results.slice(1).map(({ level, locations }) => ({ level, ...locations[0].physicalLocation }))).toEqual([
      { level: 'warning', artifactLocation: { uri: 'file:///C:/skills/b/SKILL.md' } },
      { level: 'note', artifactLocation: { uri: 'skills/%25/%23' } },
    ]);
  });

  it('names a file on a share of Windows with its server', () => {
    const { runs } = toSarif([createDiagnostic('body-empty', { location: '\\\\host\\skills\\a b\\SKILL.md' })]);
    const uri = 'file://host/skills/a%20b/SKILL.md';
    expect(runs[0]?.results[0]?.locations[0].physicalLocation.artifactLocation).toEqual({ uri });
  });

  it('has no live links, whatever a skill is called', () => {
    const name = '[click](https://evil.example) [a][b] <https://evil.example> \\](x)';
    const location = 'x/SKILL.md';
    const [result] =
      toSarif([createDiagnostic('skill-shadowed', { location }, { name, winner: location })]).runs[0]?.results ?? [];
    expect(result?.message.text).toContain('`[click] (https://evil.example) [a] [b] < https://evil.example> \\] (x)`');
  });

  it('is an empty run for no diagnostics', () => {
    const empty = toSarif([]);
    expect(empty.runs[0]?.results).toEqual([]);
    expect(empty.runs[0]?.tool.driver).not.toHaveProperty('version');
  });
});
