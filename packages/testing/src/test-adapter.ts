// The contract of an adapter: with a real agent of each framework, the same script must produce the same bytes.

import type { AdapterHarness } from './adapter-harness.ts';
import { testApprovals } from './approval-tests.ts';
import { testConversation } from './conversation-tests.ts';
import { testDecisions } from './decision-tests.ts';
import { testDisclosure } from './disclosure-tests.ts';
import { testEndings } from './ending-tests.ts';
import { testJudgements } from './judgement-tests.ts';
import { testRandomSessions } from './random-session-tests.ts';
import { testReports } from './report-tests.ts';
import { testSearch } from './search-tests.ts';
import { testStored } from './stored-tests.ts';
import { testTenants } from './tenant-tests.ts';

/** Declares the tests that every adapter must pass, with a real agent of the framework. */
export function testAdapter(harness: AdapterHarness): void {
  testDisclosure(harness);
  testConversation(harness);
  testDecisions(harness);
  testEndings(harness);
  testStored(harness);
  testApprovals(harness);
  testJudgements(harness);
  testSearch(harness);
  testReports(harness);
  testTenants(harness);
  testRandomSessions(harness);
}
