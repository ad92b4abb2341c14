// Parses JSON from a store, which may come from another version or may have been altered.

import { renderLostAnswer } from '../disclosure/answers.ts';
import { recordOf } from '../runtime/record.ts';
import type { SkillRecord, SkillState } from './conversation.ts';

/** A file that a model can read directly: an image, a PDF or a recording. */
export interface SkillToolPart {
  readonly mediaType: string;
  /** The bytes in base64, so that a result can be stored as JSON. */
  readonly data: string;
  readonly filename?: string;
}

/** The part of a tool result that can be stored: its text and its files. */
export interface StoredResult {
  /** The text for the model. */
  readonly text: string;
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError: boolean;
  /** Files for the model besides the text, if the framework can pass them on. */
  readonly files: readonly SkillToolPart[];
}

/** Parses the state of a conversation from a stored value. Leaves out everything that is not a valid record. */
export function parseStoredState(value: unknown): SkillState {
  const { seen, origin, skills } = recordOf(value);
  const records = Object.entries(recordOf(skills)).flatMap(([name, record]) => {
    const read = parseRecord(record);
    return read === undefined ? [] : [[name, read] as const];
  });
  return {
    ...(typeof seen === 'string' && { seen }),
    ...(typeof origin === 'string' && { origin }),
    skills: Object.fromEntries(records),
  };
}

/** Parses a record. Its keys are always in the same order, so that equal records are equal JSON even if a store reorders keys. */
function parseRecord(value: unknown): SkillRecord | undefined {
  const { by, at, digest, consent, lasting, key, hasArguments, moved, ended } = recordOf(value);
  if ((by !== 'model' && by !== 'user' && by !== 'code') || typeof at !== 'number') return undefined;
  return {
    by,
    at,
    ...(typeof digest === 'string' && { digest }),
    ...(typeof consent === 'string' && { consent }),
    ...(lasting === true && { lasting }),
    ...(typeof key === 'string' && { key }),
    ...(hasArguments === true && { hasArguments }),
    ...(typeof moved === 'boolean' && { moved }),
    ...(ended === true && { ended }),
  };
}

/** Reads a result that a client sends back as JSON, as AG-UI does; `undefined` for any other text. */
export function parseResultText(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\{"(?:text|kind)":/.test(text)) return undefined;
  try {
    const result = recordOf(JSON.parse(text));
    return typeof recordOf(result['details'] ?? result)['kind'] === 'string' ? result : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the text and the files of a stored result, or a sentence for the model if it has no text. */
export function parseStoredResult(tool: string, value: unknown): StoredResult {
  const given = parseResultText(value) ?? value;
  if (typeof given === 'string') return { text: given, isError: false, files: [] };
  const { text, isError, files } = recordOf(given);
  if (typeof text !== 'string') return { text: renderLostAnswer(tool), isError: true, files: [] };
  const kept = (Array.isArray(files) ? files : []).map(recordOf).flatMap(({ mediaType, data, filename }) => {
    if (typeof mediaType !== 'string' || typeof data !== 'string') return [];
    return { mediaType, data, ...(typeof filename === 'string' && { filename }) };
  });
  return { text, isError: isError === true, files: kept };
}
