import { fileURLToPath } from 'node:url';
import { testSession } from '@skillful/testing';

testSession('LangChain', fileURLToPath(new URL('./harness.ts', import.meta.url)));
