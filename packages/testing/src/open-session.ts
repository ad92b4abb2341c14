// Creates directories and sessions for one test, and cleans them up even if the test fails.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AdapterHarness, AdapterSession, AdapterSessionOptions } from './adapter-harness.ts';
import { applicationPrompt } from './converse.ts';

/** Creates a directory for one test. */
export async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'skillful-testing-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Opens a session for one test, by default in a new directory. The test may close it earlier. */
export async function openSession(
  harness: AdapterHarness,
  options: Omit<AdapterSessionOptions, 'system' | 'directory'> & { readonly directory?: string },
): Promise<AdapterSession> {
  const { directory = await makeDirectory(), ...others } = options;
  const session = await harness.openSession({ system: applicationPrompt, directory, ...others });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= session.close());
  onTestFinished(close);
  return { ...session, close };
}
