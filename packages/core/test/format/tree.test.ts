import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/format/frontmatter/yaml.ts';
import { describeKind, describeType, type FrontmatterNode, toData } from '../../src/format/tree.ts';

function fieldsOf(text: string): readonly { key: string; value: FrontmatterNode; line: number; column: number }[] {
  const result = parseYaml(text, 2);
  if ('problem' in result) throw new Error(result.problem.code);
  return result.fields;
}

const readValue = (text: string): FrontmatterNode => {
  const [field] = fieldsOf(`a: ${text}`);
  if (field === undefined) throw new Error('no field');
  return field.value;
};

it('leaves the stacks of errors as they were, whether a text is valid or not', () => {
  const { stackTraceLimit } = Error;
  for (const text of ['a: b', 'a: b: c', `a: ${'['.repeat(150)}`]) parseYaml(text, 2);
  expect([stackTraceLimit > 0, Error.stackTraceLimit]).toEqual([true, stackTraceLimit]);
});

describe('the two views of a value', () => {
  it.each([
    ['text', 'text', 'text', undefined],
    ['1.10', '1.10', 1.1, 'a number'],
    ['1e3', '1e3', 1000, 'a number'],
    ['0o17', '0o17', 15, 'a number'],
    ['012', '012', 12, 'a number'],
    ['true', 'true', true, 'a boolean'],
    ['yes', 'yes', 'yes', 'a boolean'],
    ['2026-01-01', '2026-01-01', '2026-01-01', 'a date'],
    ['12:30', '12:30', '12:30', 'a number'],
    ['1_000', '1_000', '1_000', 'a number'],
    ['1_0.5_0', '1_0.5_0', '1_0.5_0', 'a number'],
    ['.5_0', '.5_0', '.5_0', 'a number'],
    ['-0x1F', '-0x1F', '-0x1F', 'a number'],
    ['0b101', '0b101', '0b101', 'a number'],
    ['2026-1-1 12:30:00', '2026-1-1 12:30:00', '2026-1-1 12:30:00', 'a date'],
    ['2026-01-01 was a day', '2026-01-01 was a day', '2026-01-01 was a day', undefined],
    ['1.2.3', '1.2.3', '1.2.3', undefined],
    ['"1.10"', '1.10', '1.10', undefined],
    ["'yes'", 'yes', 'yes', undefined],
    ['~', '~', null, undefined],
    ['', '', null, undefined],
    ['"a\\tb"', 'a\tb', 'a\tb', undefined],
    ['|\n  a\n  b\n', 'a\nb\n', 'a\nb\n', undefined],
  ])('reads %j as the text %j and the data %j', (written, text, data, type) => {
    const value = readValue(written);
    expect(value).toMatchObject({ kind: 'scalar', text, data });
    expect(value.kind === 'scalar' ? describeType(value) : 'not a scalar').toBe(type);
  });

  it('returns lists and maps as data without prototypes', () => {
    const data = toData(readValue('{ x: [1, "1", { y: true }], z: null }'));
    expect(data).toEqual({ x: [1, '1', { y: true }], z: null });
    expect(Object.getPrototypeOf(data)).toBeNull();
  });

  it('names the kinds of values', () => {
    expect(['[a]', '{ a: b }', '', '1', 'true', 'x'].map((text) => describeKind(readValue(text)))).toEqual([
      ...['a list', 'a map', 'empty', 'a number', 'a boolean', 'a text'],
    ]);
  });
});

describe('places', () => {
  it('are those of keys and values in the file', () => {
    const text = 'name: pdf\n\nmetadata:\n  a:   b\n  "c d": [e, f]\n';
    expect(fieldsOf(text)).toMatchObject([
      { key: 'name', line: 2, column: 1, value: { line: 2, column: 7 } },
      {
        key: 'metadata',
        line: 4,
        column: 1,
        value: {
          line: 5,
          column: 3,
          entries: [
            { key: 'a', line: 5, column: 3, value: { line: 5, column: 8 } },
            {
              key: 'c d',
              line: 6,
              column: 3,
              value: {
                flow: true,
                items: [
                  { line: 6, column: 11 },
                  { line: 6, column: 14 },
                ],
              },
            },
          ],
        },
      },
    ]);
  });

  it.each([
    ['a: b: c', 'yaml-invalid', 2, 5],
    ['a: x\nb: "c', 'yaml-invalid', 3, 4],
    ['a: x\nb: &c d', 'yaml-forbidden', 3, 4],
    ['a: x\nb: !!str d', 'yaml-forbidden', 3, 4],
    ['a: !tag d', 'yaml-invalid', 2, 4],
    ['a: *b', 'yaml-invalid', 2, 4],
    ['- a', 'frontmatter-not-mapping', 2, 1],
    ['text', 'frontmatter-not-mapping', 2, 1],
    ['a: 1\n...\nb: 2', 'yaml-invalid', 4, 1],
    ['%YAML 1.1\na: 1', 'yaml-invalid', 3, 1],
  ])('of what is wrong with %j are exact', (text, code, line, column) => {
    expect(parseYaml(text, 2)).toEqual({ problem: expect.objectContaining({ code, line, column }) });
  });
});

describe('keys', () => {
  it('are text, each of them once, and the first counts', () => {
    const result = parseYaml('1: a\ntrue: b\na: c\na: d\n? [x]\n: e\nm:\n  n: 1\n  n: 2\n', 2);
    expect(result).toMatchObject({
      fields: [
        { key: '1' },
        { key: 'true' },
        { key: 'a', value: { text: 'c' } },
        { key: 'm', value: { entries: [{ key: 'n', value: { text: '1' } }] } },
      ],
      notes: [
        { code: 'key-duplicate', subject: 'a', line: 5, column: 1 },
        { code: 'key-invalid', subject: 'a list', line: 6, column: 3 },
        { code: 'key-duplicate', subject: 'm.n', line: 10, column: 3 },
      ],
    });
  });

  it('are missing in an empty text', () => {
    for (const text of ['', '\n', '# comment\n', '~', '{}'])
      expect(parseYaml(text, 2)).toEqual({ fields: [], notes: [] });
  });

  it('never merge', () => {
    expect(toData(readValue('{ "<<": { x: 1 }, y: 2 }'))).toEqual({ '<<': { x: 1 }, y: 2 });
  });
});
