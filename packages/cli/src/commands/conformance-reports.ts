import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Report } from '@packhouse/conformance';
import { CliError } from '../cli-error.ts';
import type { Invocation } from '../command/command.ts';
import type { Io } from '../io.ts';

export interface ReportFile {
  readonly form: 'json' | 'junit';
  /** Absolute. */
  readonly path: string;
}

/** Where the reports go. Looks for the folders now: nobody wants to hear of it after a long run. @throws {CliError} kind `usage`. */
export function reportFiles(invocation: Invocation, io: Io): readonly ReportFile[] {
  return invocation.texts('report').map((text) => {
    const [, form, file] = /^(json|junit)=(.+)$/.exec(text) ?? [];
    if (form === undefined || file === undefined) {
      throw new CliError('usage', `--report cannot be "${text}".`, 'Write --report json=FILE or --report junit=FILE.');
    }
    const path = resolve(io.cwd, file);
    if (!existsSync(dirname(path))) {
      throw new CliError('usage', `The folder of the report ${path} does not exist.`, 'Make it first.');
    }
    return { form: form as ReportFile['form'], path };
  });
}

export async function writeReports(files: readonly ReportFile[], report: Report): Promise<void> {
  const { junitReport } = await import('@packhouse/conformance');
  for (const { form, path } of files) {
    writeFileSync(path, form === 'json' ? `${JSON.stringify(report, null, 2)}\n` : junitReport(report));
  }
}
