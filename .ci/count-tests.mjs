/**
 * Prints "PASSED FAILED" for a report of Vitest's JSON reporter: `node count-tests.mjs REPORT STATUS`, where STATUS is
 * Vitest's exit status. Each line after it names one failure. Plain JavaScript, since the Node that runs it may be
 * older than the workspace's own.
 *
 * A run that ended badly never counts as clean. Each of these is one failure: a file that did not load, an error
 * outside of a test, a run without tests, and a crash before the report was written.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [file = '', status = '1'] = process.argv.slice(2);

const read = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
};

const report = read();
const passed = report.numPassedTests;
const failures = report.testResults.flatMap(({ name, status: end, message, assertionResults }) => {
  const file = relative(process.cwd(), name ?? '');
  const failedTests = assertionResults.filter((test) => test.status === 'failed');
  if (end === 'failed' && failedTests.length === 0) return [`${file}: ${message}`];
  return failedTests.map(({ fullName, failureMessages }) => `${file}: ${fullName}: ${failureMessages?.[0]}`);
});
if (failures.length === 0 && (status !== '0' || passed === 0)) {
  failures.push(`The tests ended with ${status} after ${passed} passed, and no test says why.`);
}
console.log(`${passed} ${failures.length}`);
for (const failure of failures) console.log(failure.replace(/\s+/g, ' ').slice(0, 1000));
