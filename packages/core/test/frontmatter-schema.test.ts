import { describe, expect, it } from 'vitest';
import { fieldTable } from '../src/fields.ts';
import { frontmatterSchema } from '../src/frontmatter-schema.ts';

describe('frontmatterSchema', () => {
  const schema = frontmatterSchema();
  const properties = schema.properties as Record<string, Record<string, unknown>>;

  it('has every field of the table and asks for the two that are required', () => {
    expect(Object.keys(properties)).toEqual([...fieldTable.keys()]);
    expect(schema).toMatchObject({ type: 'object', required: ['name', 'description'], additionalProperties: true });
  });

  it('carries the limits of the specification', () => {
    expect(properties.description).toMatchObject({ type: 'string', minLength: 1, maxLength: 1024 });
    expect(properties.compatibility).toMatchObject({ type: 'string', minLength: 1, maxLength: 500 });
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
});
