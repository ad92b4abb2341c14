// What is in the folder of example skills: its catalog, and what all of its files would cost in a prompt.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalog, estimateTokens, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';

const root = join(import.meta.dirname, '..', 'skills');

/** Loads the catalog of the example skills. */
export function loadSkills(): Promise<Catalog> {
  return loadCatalog([fileSource(root)]);
}

/** Counts the files of the example skills, and estimates their tokens. */
export function weighSkills(): { readonly files: number; readonly tokens: number } {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return { files: texts.length, tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0) };
}
