// Puts the files of a tool's answer where the model of a call reads them, in the form of the installed AI SDK.

import type { SkillToolkit } from '@skillful/core';
import { type Part, partsOf, textOf } from './parts.ts';

/** The output of a tool, and what belongs behind all results of its step. */
interface Fitted {
  readonly output: Part;
  readonly behind: readonly Part[];
}

/** Creates an edit of outputs for a model. */
export function createFileFitter(toolkit: SkillToolkit, model: unknown, isSeven: boolean): (output: Part) => Fitted {
  const { provider, modelId } = Object(model);
  const name = String(typeof model === 'string' || provider === 'gateway' ? (modelId ?? model) : provider);
  return (output) => {
    if (output['type'] !== 'content') return { output, behind: [] };
    const files = partsOf(output['value']).filter(isFile);
    const { text, inResult, behind } = toolkit.placeFiles(name, textOf(output['value']), files);
    const words = { type: 'text', text };
    // The AI SDK 6 has forms of its own for files in results; 7 prefers another and warns of them.
    const fitted = inResult.map((part) =>
      isSeven ? { ...part, type: 'file', data: { type: 'data', data: part['data'] } } : part,
    );
    return {
      output: fitted.length === 0 ? { type: 'text', value: text } : { ...output, value: [words, ...fitted] },
      behind: behind.length === 0 ? [] : [words, ...behind.map((part) => ({ ...part, type: 'file' }))],
    };
  };
}

function isFile(part: Part): part is Part & { readonly mediaType: string } {
  return typeof part['mediaType'] === 'string';
}
