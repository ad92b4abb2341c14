import { fileURLToPath } from 'node:url';
import { testSession } from '@skillful/testing';

testSession('Mastra', fileURLToPath(new URL('./harness.ts', import.meta.url)));
