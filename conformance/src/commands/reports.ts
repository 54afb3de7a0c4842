import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CliError, systemErrorCode, type Invocation, type Io, type OptionSpec } from '@packhouse/command';
import { isReportForm, reportForms, type ReportForm } from '../forms/forms.ts';
import { ndjsonEnd, ndjsonLine } from '../forms/ndjson.ts';
import type { CaseResult, Report } from '../report/report.ts';

/** The names of the forms, for people. */
const formNames = Object.keys(reportForms).join(', ');

export const reportOption: OptionSpec = {
  name: 'report',
  value: 'FORM=FILE',
  repeatable: true,
  description: `Write a report; FORM is one of ${formNames}`,
};

export interface ReportFile {
  readonly form: ReportForm;
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
    const [, form, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    if (form === undefined || file === undefined || !isReportForm(form)) {
      throw new CliError('usage', `--report cannot be "${text}".`, `Write FORM=FILE; FORM is one of ${formNames}.`);
    }
    const path = resolve(io.cwd, file);
    if (!isFolder(dirname(path))) {
      throw new CliError('usage', `The folder of the report ${path} does not exist.`, 'Make it first.');
    }
    if (isFolder(path)) throw new CliError('usage', `The report ${path} is a folder.`, 'Name a file in it.');
    return { form, path };
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The reports of a run that goes on. */
export interface OpenReports {
  /** Appends a case to the files of NDJSON. An error is thrown at the end: it must not stop the run. */
  readonly add: (result: CaseResult) => void;
  /**
   * Writes all reports. `rerun` returns the command line that runs one case again.
   *
   * @throws {CliError} kind `usage` if a file cannot be written.
   */
  readonly end: (report: Report, rerun: (id: string) => string) => void;
}

/**
 * Opens the reports of a run. NDJSON is written while it goes on.
 *
 * @throws {CliError} kind `usage` if a file cannot be written.
 */
export function openReports(files: readonly ReportFile[]): OpenReports {
  const running = files.filter(({ form }) => form === 'ndjson');
  const failed: unknown[] = [];
  for (const { path } of running) write(path, () => writeFileSync(path, ''));
  return {
    add(result) {
      for (const { path } of running) {
        try {
          write(path, () => appendFileSync(path, ndjsonLine(result)));
        } catch (error) {
          failed.push(error);
        }
      }
    },
    end(report, rerun) {
      for (const file of files) {
        const { form, path } = file;
        write(path, () => {
          if (running.includes(file)) appendFileSync(path, ndjsonEnd(report));
          else writeFileSync(path, reportForms[form](report, rerun));
        });
      }
      if (failed.length > 0) throw failed[0];
    },
  };
}

function write(path: string, by: () => void): void {
  try {
    by();
  } catch (error) {
    const why = systemErrorCode(error) ?? 'unknown reason';
    throw new CliError('usage', `The report ${path} cannot be written (${why}).`, 'Choose another place.', {
      cause: error,
    });
  }
}
