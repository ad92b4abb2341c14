// Checks that none of the application's tools has the name of a skill tool, and that the tools that skills allow exist.

import { invalidOption } from '../skill/options.ts';
import type { Offer } from './offer.ts';
import { findUnknownTools } from './permission/allowed-tools.ts';
import type { ToolkitParts } from './toolkit-parts.ts';
import type { SkillContext } from './tools/tool.ts';

/** The names of the application's tools, as far as a toolkit knows them. */
export interface ApplicationTools {
  /** Adds the names of an agent's tools. @throws {SkillError} `options-invalid` if one is the name of a registered tool of the toolkit */
  tell(names: readonly string[]): void;
  /** Reports the tools that skills of an offer allow but the application does not have, once for each offer. */
  report(offer: Offer, context: SkillContext): void;
}

/** Creates the checks of a toolkit. `registered` are the names of the toolkit's tools that the agent has. */
export function createApplicationTools(
  registered: readonly string[],
  { names, options, emit }: Pick<ToolkitParts, 'names' | 'options' | 'emit'>,
): ApplicationTools {
  const known = new Set<string>();
  const checked = new WeakSet<Offer>();
  return {
    tell(tools) {
      // Several agents may share a toolkit, so all their tools are known.
      for (const name of [...tools, ...Object.values(names)]) known.add(name);
      const taken = registered.filter((name) => tools.includes(name));
      if (taken.length === 0) return;
      throw invalidOption(
        `The application already has a tool \`${taken.join('`, `')}\`. Rename Skillful's with the option \`toolNames\`.`,
      );
    },
    report(offer, context) {
      if (known.size === 0 || checked.has(offer)) return;
      checked.add(offer);
      for (const event of findUnknownTools(offer, [...known], options)) emit(event, context);
    },
  };
}
