import { CliError, shown, type Command, type OptionSpec } from '@packhouse/command';
import { baselineOf } from '../baseline/baseline.ts';
import type { Judgement } from '../baseline/judge.ts';
import { readReport } from './read-file.ts';

export const baselineOption: OptionSpec = {
  name: 'baseline',
  value: 'FILE',
  description: 'Known deviations: fail only for others; "workerd" names those of that runtime (default: none)',
};

export const baselineCommand: Command = {
  words: ['baseline'],
  summary: 'Print the failures of a report as known deviations',
  details:
    'Print it to a file with ">". Each deviation has the first line of its failure as reason: edit it to say why. With "run --baseline FILE", a run fails only for other failures, and for known deviations whose case the suite has no more.',
  arguments: [{ name: 'REPORT', description: 'the JSON report of a whole run' }],
  options: [],
  examples: ['baseline report.json'],
  async run(invocation, io) {
    const path = invocation.argument('REPORT');
    const report = readReport(io, path);
    if (report.interrupted) {
      throw new CliError('usage', `${path} is of a run that was stopped before its end.`, 'Run it to the end first.');
    }
    io.out(`${JSON.stringify(baselineOf(report), null, 2)}\n`);
    return 0;
  },
};

/** Describes the known deviations of a run, for people. */
export function judgementText({ known, regressions, disappeared, ended }: Judgement): string {
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n${title}\n${lines.map((line) => `  ${shown(line)}\n`).join('')}`;
  return [
    section(
      'known deviations',
      known.map(({ case: id, reason }) => `${id}: ${reason}`),
    ),
    section(
      'known deviations that no longer occur: remove them from the baseline',
      ended.map(({ case: id, now }) => `${id}: ${now}`),
    ),
    section(
      'known deviations whose case the suite has no more',
      disappeared.map((deviation) => deviation.case),
    ),
    section(
      'regressions',
      regressions.map(({ id, status }) => `${id}: ${status}`),
    ),
  ].join('');
}
