// The table of known fields, from which parsing, "did you mean" and the JSON Schema are derived.

import { maxCompatibilityLength, maxDescriptionLength, maxNameLength } from '../skill/limits.ts';
import { closestNames } from '../text/closest.ts';
import { remember } from './remember.ts';

/** What a field contains and where it comes from. */
export interface FieldDefinition {
  readonly type: 'text' | 'text-map' | 'tools' | 'boolean' | 'words';
  /** True for the six fields of the specification; the others come from clients. */
  readonly standard?: true;
  readonly required?: true;
  /** Code points. */
  readonly maxLength?: number;
  /** For the authors of skills. */
  readonly description: string;
}

/** The fields by name, in the order in which they are written. */
export const fieldTable: ReadonlyMap<string, FieldDefinition> = new Map<string, FieldDefinition>([
  [
    'name',
    {
      type: 'text',
      standard: true,
      required: true,
      maxLength: maxNameLength,
      description: 'Lowercase letters, digits and single hyphens; equal to the name of the directory.',
    },
  ],
  [
    'description',
    {
      type: 'text',
      standard: true,
      required: true,
      maxLength: maxDescriptionLength,
      description: 'What the skill does and when to use it: all that a model sees before it activates the skill.',
    },
  ],
  ['license', { type: 'text', standard: true, description: 'Name of a license or of a bundled license file.' }],
  [
    'compatibility',
    {
      type: 'text',
      standard: true,
      maxLength: maxCompatibilityLength,
      description: 'What the skill needs: products, packages, network access.',
    },
  ],
  ['metadata', { type: 'text-map', standard: true, description: 'Anything else, as a map from text to text.' }],
  [
    'allowed-tools',
    {
      type: 'tools',
      standard: true,
      description: 'Tools that the skill asks to have pre-approved, separated by spaces: `Read Bash(git add *)`.',
    },
  ],
  ['disable-model-invocation', { type: 'boolean', description: 'True if only a user may activate the skill.' }],
  ['user-invocable', { type: 'boolean', description: 'False if a user cannot activate the skill by name.' }],
  ['when_to_use', { type: 'text', description: 'When to use the skill, shown after the description.' }],
  ['argument-hint', { type: 'text', description: 'What a user may write after the name of the skill.' }],
  [
    'arguments',
    { type: 'words', description: 'Names of the arguments that the body refers to, separated by spaces or as a list.' },
  ],
]);

const knownFields = [...fieldTable.keys()];

// Fields of other clients and catalogs that are common in public skills, so that none of them is a typo.
const foreignFields: ReadonlySet<string> = new Set(
  (
    'agent author authors capabilities category changelog color complexity context created_at credentials ' +
    'd3fend_techniques date_added dependencies domain emoji env examples framework github_stars handler homepage ' +
    'hooks icon id inputs keywords language license_url mode model nist_csf origin outputs package paths permissions ' +
    'platform platforms price priority publisher publisher_type quality repository requires risk role scope slug ' +
    'source source_url status subdomain summary tags title tool_ecosystem tools triggers type updated updated_at url ' +
    'user verification version'
  ).split(' '),
);

/** Returns the known field that an unknown one was probably meant to be. */
export const suggestField: (key: string) => string | undefined = remember((key) => {
  if (foreignFields.has(key)) return undefined;
  const [closest] = closestNames(key, knownFields);
  // `description-cn` is a field of its own.
  return closest === undefined || new RegExp(`^${closest}[-_]`, 'i').test(key) ? undefined : closest;
});
