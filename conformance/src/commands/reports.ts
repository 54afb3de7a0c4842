import { statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CliError, systemErrorCode, type Invocation, type Io, type OptionSpec } from '@packhouse/command';
import { junitReport } from '../report/junit.ts';
import type { Report } from '../report/report.ts';

export const reportOption: OptionSpec = {
  name: 'report',
  value: 'FORM=FILE',
  repeatable: true,
  description: 'Write a report when all is done; FORM is json or junit',
};

export interface ReportFile {
  readonly form: 'json' | 'junit';
  /** Absolute path. */
  readonly path: string;
}

/**
 * Returns the files for the reports. Checks the folders now: such an error must not appear only after a long run.
 *
 * @throws {CliError} kind `usage`.
 */
export function reportFiles(invocation: Invocation, io: Io): readonly ReportFile[] {
  return invocation.texts('report').map((text) => {
    const [, form, file] = /^(json|junit)=(.+)$/.exec(text) ?? [];
    if (form === undefined || file === undefined) {
      throw new CliError('usage', `--report cannot be "${text}".`, 'Write --report json=FILE or --report junit=FILE.');
    }
    const path = resolve(io.cwd, file);
    if (!isFolder(dirname(path))) {
      throw new CliError('usage', `The folder of the report ${path} does not exist.`, 'Make it first.');
    }
    if (isFolder(path)) throw new CliError('usage', `The report ${path} is a folder.`, 'Name a file in it.');
    return { form: form as ReportFile['form'], path };
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Writes the reports.
 *
 * @throws {CliError} kind `usage` if a file cannot be written.
 */
export function writeReports(files: readonly ReportFile[], report: Report): void {
  for (const { form, path } of files) {
    try {
      writeFileSync(path, form === 'json' ? `${JSON.stringify(report, null, 2)}\n` : junitReport(report));
    } catch (error) {
      const why = systemErrorCode(error) ?? 'unknown reason';
      throw new CliError('usage', `The report ${path} cannot be written (${why}).`, 'Choose another place.', {
        cause: error,
      });
    }
  }
}
