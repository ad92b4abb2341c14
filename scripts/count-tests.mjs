// Prints the last line of the gates, `N passed, N failed`, from vitest's JSON report and the names of the red gates.

import { readFileSync } from 'node:fs';

const [file, ...red] = process.argv.slice(2);

/** A report that was never written counts nothing: then the gate that should have written it is red. */
function readReport() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
}

const { numPassedTests, numFailedTests, testResults } = readReport();
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((result) => result.status !== 'failed');
const failures = numFailedTests + testResults.filter(isBroken).length;
const otherGates = red.filter((gate) => gate !== 'test' || failures === 0);
const failed = failures + otherGates.length;
console.log(`${numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
