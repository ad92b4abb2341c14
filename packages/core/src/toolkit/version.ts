// Refuses a framework that is too old for an adapter, because it would silently drop skills or accept answers from anyone.

import { SkillError } from '../skill/error.ts';

/** An installed framework, as its `package.json` describes it. */
export interface InstalledFramework {
  readonly name: string;
  readonly version: string;
}

/** Checks that a framework has at least the oldest supported version. A pre-release counts as its release. */
export function assertVersion(adapter: string, { name, version }: InstalledFramework, oldest: string): void {
  if (isAtLeast(version, oldest)) return;
  throw tooOld(`\`${adapter}\` needs \`${name}\` ${oldest} or later, but ${version} is installed. Update \`${name}\`.`);
}

/** Checks whether a framework has at least the version for asking people. If not, throws if the toolkit is known to ask. */
export function canAsk(
  adapter: string,
  { name, version }: InstalledFramework,
  oldest: string,
  isKnownToAsk: boolean,
): boolean {
  if (isAtLeast(version, oldest)) return true;
  if (!isKnownToAsk) return false;
  throw tooOld(
    `\`${adapter}\` needs \`${name}\` ${oldest} or later for a policy that asks people, but ${version} is installed. Update \`${name}\`, pass \`asks: false\`, or allow or deny what the policy asks about.`,
  );
}

function isAtLeast(version: string, oldest: string): boolean {
  const given = numbersOf(version);
  const needed = numbersOf(oldest);
  const index = needed.findIndex((number, at) => number !== given[at]);
  return index === -1 || Number(given[index]) > Number(needed[index]);
}

function tooOld(message: string): SkillError {
  return new SkillError('framework-too-old', message);
}

function numbersOf(version: string): readonly number[] {
  return version.split('.', 3).map((part) => Number.parseInt(part, 10));
}
