// Reads the instructions of active skills for one model call, each only once.

import type { Catalog } from '../catalog/catalog.ts';
import { type Activation, activateSkill } from '../disclosure/activate.ts';
import { presentText } from '../disclosure/present.ts';
import { findActive } from '../disclosure/wrapper-name.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import { orUndefined } from '../skill/error.ts';
import type { FileCheck } from '../skill/files.ts';
import type { Skill } from '../skill/skill.ts';
import type { CountTokens } from '../text/tokens.ts';

/** Limits for the instructions that are put into the first message because their original messages are gone. */
export interface ReattachBudget {
  /**
   * Tokens of one skill. The rest is outlined, and can be read in pages.
   * @default 5,000
   */
  readonly tokensPerSkill?: number | undefined;
  /**
   * Tokens of all skills together. The newest activations come first; skills that do not fit are only named.
   * @default 25,000
   */
  readonly tokens?: number | undefined;
}

/**
 * Reads the instructions of a skill by its name in the wrapper; `undefined` if it left the catalog or cannot be read. `moved`
 * cuts the text to the `ReattachBudget`. `preloaded` rejects if the skill cannot be read, so that no call goes without it.
 */
export type ReadInstructions = (
  name: string,
  given: string | undefined,
  place?: 'moved' | 'preloaded',
) => Promise<Activation | undefined>;

const defaultTokensPerSkill = 5_000;

/** Returns the characters of a moved skill that are shown at most, given its limit in tokens. */
export function movedCharacters({ tokensPerSkill = defaultTokensPerSkill }: ReattachBudget = {}): number {
  return tokensPerSkill * 4;
}

/** What reading needs from the toolkit and about the current call. */
export interface InstructionsOptions {
  readonly catalog: Catalog;
  readonly signal?: AbortSignal | undefined;
  /** Creates a check that refuses the files of a skill that the model must not see. */
  readonly checkFiles: (skill: Skill) => FileCheck | undefined;
  readonly readTool: string | undefined;
  readonly budget: ReattachBudget;
  readonly countTokens: CountTokens;
}

/** Creates a reader for one model call. */
export function createInstructionsReader(options: InstructionsOptions): ReadInstructions {
  const { catalog, signal, checkFiles, readTool, budget, countTokens } = options;
  const known = new Map<string, Promise<Activation | undefined>>();
  /** Skills that could not be read. They are not tried again in this call, because their text may be in its earlier place. */
  const unreadable = new Set<string>();

  const read: ReadInstructions = async (name, given, place) => {
    const skill = findActive(catalog, name);
    if (skill === undefined) return undefined;
    const checkPath = checkFiles(skill);
    const options = { catalog, signal, checkPath, readTool, arguments: given };
    if (place === 'preloaded') return activateSkill(skill, options);
    if (unreadable.has(name)) return undefined;
    const activate = async (limit?: number) => {
      const activation = await orUndefined(activateSkill(skill, { ...options, limit }));
      if (activation === undefined) unreadable.add(name);
      return activation;
    };
    if (place === undefined) return activate();
    const limit = movedCharacters(budget);
    const activation = await activate(limit);
    const { body = '' } = activation ?? {};
    const { tokensPerSkill = defaultTokensPerSkill } = budget;
    // As a model reads it, because a tokenizer may throw for control tokens.
    const tokens = countTokens(presentText(body).text);
    const room = Math.floor((body.length * tokensPerSkill) / tokens);
    return room < Math.min(limit, body.length) ? activate(room) : activation;
  };

  return (name, given, place) => {
    const key = JSON.stringify([name, given ?? '', place]);
    return getOrCreate(known, key, () => read(name, given, place));
  };
}
