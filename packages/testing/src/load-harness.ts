// Imports a harness by its path, because another process cannot be given the object.

import { pathToFileURL } from 'node:url';
import type { AdapterHarness } from './adapter-harness.ts';

/** Imports the `harness` that a module exports. */
export async function loadHarness(path: string): Promise<AdapterHarness> {
  const { harness }: { harness?: AdapterHarness } = await import(pathToFileURL(path).href);
  if (harness?.openSession === undefined)
    throw new Error(`\`${path}\` does not export an AdapterHarness named \`harness\`. Add \`export const harness\`.`);
  return harness;
}
