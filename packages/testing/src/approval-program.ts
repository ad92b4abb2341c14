// Asks a person, or carries out their answer, in a separate process: `approval-program HARNESS DIRECTORY [ID]`. Prints JSON.

import { loadApprovalToolkit } from './approval.ts';
import { loadHarness } from './load-harness.ts';
import { callOf, done } from './script.ts';

const [harnessPath = '', directory = '', id] = process.argv.slice(2);
const harness = await loadHarness(harnessPath);
const toolkit = await loadApprovalToolkit(directory);
const session = await harness.openSession({ toolkit, system: 'You are.', directory, shortens: false });
const run =
  id === undefined
    ? await session.say('Make a report.', [callOf('activate_skill', { name: 'report' })])
    : await session.answer?.([{ id, approved: true }], [done]);
await session.close();
// Some stores keep the process alive after they are closed.
process.stdout.write(`\n${JSON.stringify(run)}`, () => process.exit());
