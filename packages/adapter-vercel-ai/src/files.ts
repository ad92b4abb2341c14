// Puts the files of a tool's answer where the model of a call reads them, in the form of the installed AI SDK.

import type { SkillToolkit } from '@skillful/core';
import { isPart, type Part, partsOf, textOf } from './parts.ts';

/** The model that reads the files. */
export interface FileTarget {
  readonly model: unknown;
  /** Whether it is called by the AI SDK 7, which warns of the forms of 6. */
  readonly isSeven: boolean;
}

/** Creates an edit of outputs for a model. It puts aside what belongs behind all results of the step. */
export function createFileFitter(
  toolkit: SkillToolkit,
  { model, isSeven }: FileTarget,
): (output: unknown, aside: Part[]) => unknown {
  const { provider, modelId } = Object(model);
  const name = String(typeof model === 'string' || provider === 'gateway' ? (modelId ?? model) : provider);
  return (output, aside) => {
    if (!isPart(output) || output['type'] !== 'content') return output;
    const files = partsOf(output['value']).filter(isFile);
    const { text, inResult, behind } = toolkit.placeFiles(name, textOf(output['value']), files);
    const words = { type: 'text', text };
    if (behind.length > 0) aside.push(words, ...behind.map((part) => ({ ...part, type: 'file' })));
    if (inResult.length === 0) return { type: 'text', value: text };
    const fitted = inResult.map((part) =>
      isSeven ? { ...part, type: 'file', data: { type: 'data', data: part['data'] } } : part,
    );
    return { ...output, value: [words, ...fitted] };
  };
}

function isFile(part: Part): part is Part & { readonly mediaType: string } {
  return typeof part['mediaType'] === 'string';
}
