import { join } from 'node:path';
import { testAdapter, testSession } from '@skillful/testing';
import { harness } from './harness.ts';

testAdapter(harness);
testSession(harness.framework, join(import.meta.dirname, 'harness.ts'));
