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

/** Other fields that a client acts on, so that they would lose their effect below `metadata`. */
export const clientFields: ReadonlySet<string> = new Set([
  'agent',
  'background',
  'context',
  'disallowed-tools',
  'effort',
  'hooks',
  'model',
  'paths',
  'shell',
]);

/** Returns the known field that was probably meant by an unknown one. */
export const suggestField: (key: string) => string | undefined = remember((key) => {
  // Following a suggestion for a typo of `disallowed-tools` would allow the tools.
  const [closest] = closestNames(key, [...knownFields, 'disallowed-tools']);
  if (closest === undefined || closest === 'disallowed-tools') return undefined;
  // `description-cn` and `unallowed-tools` are separate fields, not typos.
  const isSeparate = new RegExp(`^${closest}[-_]|^..+${closest.replaceAll('-', '[-_]?')}$`, 'i').test(key);
  return isSeparate ? undefined : closest;
});
