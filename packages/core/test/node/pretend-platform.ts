// Lets a test run on this machine what only another system would do.

import { onTestFinished } from 'vitest';

/** Changes `process.platform` until the end of the test. Paths are still those of this machine. */
export function pretendPlatform(platform: NodeJS.Platform): void {
  const { value } = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value }));
}
