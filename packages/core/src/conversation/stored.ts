// Reads what comes back from a store: JSON that another version may have written, or somebody may have altered.

import { renderLostAnswer } from '../disclosure/answers.ts';
import { recordOf } from '../runtime/record.ts';
import type { SkillRecord, SkillState } from './conversation.ts';

/** What a store keeps of a tool result: its text and its files. */
export interface StoredResult {
  readonly text: string;
  readonly isError: boolean;
  readonly files: readonly { readonly mediaType: string; readonly data: string }[];
}

/** Reads the skills of a conversation from a stored value; what is not the record of a skill is left out. */
export function readStoredState(value: unknown): SkillState {
  const { seen, origin, skills } = recordOf(value);
  const records = Object.entries(recordOf(skills)).flatMap(([name, record]) => {
    const read = readRecord(record);
    return read === undefined ? [] : [[name, read] as const];
  });
  return {
    ...(typeof seen === 'string' && { seen }),
    ...(typeof origin === 'string' && { origin }),
    skills: Object.fromEntries(records),
  };
}

/** Always in the same order, so that the same record is the same JSON, whatever a store does with it. */
function readRecord(value: unknown): SkillRecord | undefined {
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
    ...(moved === true && { moved }),
    ...(ended === true && { ended }),
  };
}

/** Returns the text and the files of a stored result; a sentence if it has no text. */
export function readStoredResult(tool: string, value: unknown): StoredResult {
  if (typeof value === 'string') return { text: value, isError: false, files: [] };
  const { text, isError, files } = recordOf(value);
  if (typeof text !== 'string') return { text: renderLostAnswer(tool), isError: true, files: [] };
  const kept = (Array.isArray(files) ? files : []).map(recordOf).flatMap(({ mediaType, data }) => {
    return typeof mediaType === 'string' && typeof data === 'string' ? [{ mediaType, data }] : [];
  });
  return { text, isError: isError === true, files: kept };
}
