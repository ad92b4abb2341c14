import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { knownFields } from '../../src/format/fields.ts';
import { maxCompatibilityLength, maxDescriptionLength, maxNameLength } from '../../src/skill/limits.ts';

describe('the JSON Schema of the frontmatter', () => {
  const file = new URL('../../schema/skill-frontmatter.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  const properties: Record<string, Record<string, unknown>> = schema.properties;

  it('describes every known field and asks for the two that are required', () => {
    expect(Object.keys(properties)).toEqual([...knownFields]);
    for (const { description } of Object.values(properties)) expect(description).toMatch(/^[A-Z].*\.$/);
    expect(schema).toMatchObject({ type: 'object', required: ['name', 'description'], additionalProperties: true });
  });

  it('carries the limits of the specification', () => {
    expect(properties.name).toMatchObject({ type: 'string', minLength: 1, maxLength: maxNameLength });
    expect(properties.description).toMatchObject({ type: 'string', minLength: 1, maxLength: maxDescriptionLength });
    expect(properties.compatibility).toMatchObject({ type: 'string', minLength: 1, maxLength: maxCompatibilityLength });
    expect(properties.metadata).toMatchObject({ type: 'object', additionalProperties: { type: 'string' } });
  });

  it.each([
    ['pdf', true],
    ['pdf-2', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['PDF', false],
    ['-a', false],
    ['a-', false],
    ['a--b', false],
    ['a_b', false],
    ['', false],
  ])('judges the name %j', (name, valid) => {
    expect(new RegExp(String(properties.name?.pattern)).test(name)).toBe(valid);
  });

  describe('in a validator of JSON Schema', () => {
    const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);

    it('accepts every frontmatter of the corpus that is portable', () => {
      const corpus: { cases: { id: string; text?: string; expected: { portable: { codes: string[] } } }[] } =
        JSON.parse(readFileSync(new URL('../../../testing/corpus/format.json', import.meta.url), 'utf8'));
      // What a schema cannot express: spaces around a name do not count, an empty field is missing, `2` is the text as written.
      const beyond = ['N41', 'O05', 'O06', 'O20', 'O23', 'O30'];
      const portable = corpus.cases.filter(({ id, expected }) => {
        return expected.portable.codes.length === 0 && !beyond.includes(id);
      });
      expect(portable.length).toBeGreaterThan(15);
      for (const { id, text = '' } of portable) {
        const data: unknown = parse(text.replaceAll('\r', '\n').split(/^--- *$/m)[1] ?? '');
        expect({ id, valid: validate(data), errors: validate.errors }).toEqual({ id, valid: true, errors: null });
      }
    });

    it.each([
      ['no description', { name: 'pdf' }],
      ['a name in uppercase', { name: 'PDF', description: 'x' }],
      ['a long description', { name: 'pdf', description: 'x'.repeat(1025) }],
      ['an empty compatibility', { name: 'pdf', description: 'x', compatibility: '' }],
      ['metadata that is not text', { name: 'pdf', description: 'x', metadata: { version: 1.1 } }],
      ['a list of tools', { name: 'pdf', description: 'x', 'allowed-tools': ['Read'] }],
      ['a switch that is text', { name: 'pdf', description: 'x', 'user-invocable': 'no' }],
    ])('refuses %s', (_title, data) => {
      expect(validate(data)).toBe(false);
    });

    it('accepts a list of arguments and fields of clients', () => {
      expect(validate({ name: 'pdf', description: 'x', arguments: ['file'], model: 'inherit' })).toBe(true);
    });
  });
});
