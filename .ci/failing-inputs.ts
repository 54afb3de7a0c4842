import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';

/** The Git-ignored folder, at the root of the repository, for the inputs of failed property-based tests. */
const folder = join(import.meta.dirname, '..', '.failing-inputs');

/** Writes the smallest failing input, its seed and its path, so that the run can be repeated as a fixed example. */
const keepFailingInput = (run: fc.RunDetails<unknown>): void => {
  if (!run.failed) return;
  const report = fc.defaultReportMessage(run) ?? 'The property failed.';
  const { currentTestName, testPath } = expect.getState();
  const text = [
    `test: ${currentTestName ?? 'unknown'}`,
    `file: ${testPath ?? 'unknown'}`,
    `seed: ${run.seed}`,
    `path: ${run.counterexamplePath ?? ''}`,
    '',
    fc.stringify(run.counterexample),
    '',
    report,
    '',
  ].join('\n');
  const name = createHash('sha1')
    .update(`${currentTestName ?? ''}\n${run.seed}`)
    .digest('hex')
    .slice(0, 12);
  const file = join(folder, `${name}.txt`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  throw new Error(`${report}\n(kept in ${file})`, { cause: run.errorInstance });
};

fc.configureGlobal({ ...fc.readConfigureGlobal(), reporter: keepFailingInput });
