import { fileURLToPath } from 'node:url';
import { testSession } from '@skillful/testing';

testSession('Vercel AI SDK', fileURLToPath(new URL('./harness.ts', import.meta.url)));
