// The model of the Mastra examples: a provider's if its API key is set, or else the stand-in.

import type { MastraModelConfig } from '@mastra/core/llm';
import { standInModel } from '../stand-in/ai.ts';
import { chooseModel } from '../stand-in/choice.ts';

const choice = chooseModel();

export const model: MastraModelConfig =
  choice === undefined
    ? // Mastra bundles older types of the AI SDK, which lack a finish reason that the stand-in never returns.
      (standInModel() as MastraModelConfig)
    : `${choice.provider}/${choice.model}`;
