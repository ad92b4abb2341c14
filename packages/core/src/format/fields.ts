// The known fields: those of the specification, and those of clients that Skillful understands.

import { closestNames } from '../text/closest.ts';
import { remember } from './remember.ts';

/** The fields of the specification. */
export const standardFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);

/** The fields of the specification and of clients. The JSON Schema for editors describes each of them. */
export const knownFields: ReadonlySet<string> = new Set([
  ...standardFields,
  'disable-model-invocation',
  'user-invocable',
  'when_to_use',
  'argument-hint',
  'arguments',
]);

// Fields of other clients and catalogs that are common in public skills, so that they are not taken for typos.
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

/** Returns the known field that was probably meant by an unknown one. */
export const suggestField: (key: string) => string | undefined = remember((key) => {
  if (foreignFields.has(key)) return undefined;
  const [closest] = closestNames(key, [...knownFields]);
  // `description-cn` is a separate field, not a typo.
  return closest === undefined || new RegExp(`^${closest}[-_]`, 'i').test(key) ? undefined : closest;
});
