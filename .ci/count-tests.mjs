/**
 * Prints "PASSED FAILED" for a report of Vitest's JSON reporter: `node count-tests.mjs REPORT STATUS`, where STATUS is
 * Vitest's exit status. Plain JavaScript, since the Node that runs it may be older than the workspace's own.
 *
 * A run that ended badly never counts as clean: a file that did not load, an error outside of a test, a run that found
 * no test and a crash before the report was written are one failure each.
 */
import { readFileSync } from 'node:fs';

const [file = '', status = '1'] = process.argv.slice(2);

const read = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
};

const report = read();
const unloaded = report.testResults.filter(
  (result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
);
const passed = report.numPassedTests;
const failed = report.numFailedTests + unloaded.length;
const unexplained = failed === 0 && (status !== '0' || passed === 0);
console.log(`${passed} ${unexplained ? 1 : failed}`);
