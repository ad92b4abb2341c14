// Makes the JSON Schema of the frontmatter, for completion, descriptions and simple checks in editors.

import { maxNameLength } from '../../skill/limits.ts';
import { type FieldDefinition, fieldTable } from '../fields.ts';

/** A JSON Schema as data. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Returns the JSON Schema (draft 7) of the frontmatter of a `SKILL.md`. Other fields are allowed, as in the specification. */
export function frontmatterSchema(): JsonSchema {
  const fields = [...fieldTable];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://raw.githubusercontent.com/skillful/skillful/main/packages/core/schema/skill-frontmatter.schema.json',
    title: 'Frontmatter of a SKILL.md',
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(name, field)])),
    required: fields.filter(([, field]) => field.required).map(([name]) => name),
    additionalProperties: true,
  };
}

function fieldSchema(name: string, field: FieldDefinition): JsonSchema {
  const { description } = field;
  switch (field.type) {
    case 'boolean':
      return { description, type: 'boolean' };
    case 'text-map':
      return { description, type: 'object', additionalProperties: { type: 'string' } };
    case 'words':
      return { description, oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    case 'tools':
      return { description, type: 'string' };
    case 'text':
      return {
        description,
        type: 'string',
        ...(field.maxLength === undefined ? {} : { minLength: 1, maxLength: field.maxLength }),
        ...(name === 'name' ? { pattern: `^(?=.{1,${maxNameLength}}$)[a-z0-9]+(?:-[a-z0-9]+)*$` } : {}),
      };
  }
}
