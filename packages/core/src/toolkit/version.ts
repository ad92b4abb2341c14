// Refuses a framework that is too old for an adapter: it would silently leave skills out.

import { SkillError } from '../skill/error.ts';

/** Checks that a framework has at least a version. A pre-release counts as its release. */
export function assertVersion(
  adapter: string,
  { name, version }: { readonly name: string; readonly version: string },
  oldest: string,
): void {
  const given = numbersOf(version);
  const needed = numbersOf(oldest);
  const index = needed.findIndex((number, at) => number !== given[at]);
  if (index === -1 || Number(given[index]) > Number(needed[index])) return;
  throw new SkillError(
    'framework-too-old',
    `\`${adapter}\` needs \`${name}\` ${oldest} or later, but ${version} is installed. Update \`${name}\`.`,
  );
}

function numbersOf(version: string): readonly number[] {
  return version.split('.', 3).map((part) => Number.parseInt(part, 10));
}
