import { testAdapter } from '@skillful/testing';
import { harness } from './harness.ts';

testAdapter(harness);
