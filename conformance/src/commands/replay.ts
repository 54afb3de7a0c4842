import {
  CliError,
  screenOf,
  shellWord,
  shown,
  type Command,
  type Invocation,
  type OptionSpec,
} from '@packhouse/command';
import type { Case } from '../core/case.ts';
import type { Report, Status } from '../report/report.ts';
import { reportText } from '../forms/text.ts';
import { isLoopback } from '../steps/loopback.ts';
import { chosenCases, onlyOption } from './cases.ts';
import { exitCode } from './exit-code.ts';
import { fallingBack, type GivenOptions } from './given-options.ts';
import { readReport } from './read-file.ts';
import { openReports, reportFiles, reportOption } from './reports.ts';
import { speedOptions, targetOptions } from './run-options.ts';

/** The options of a run, without defaults: those of the report are the defaults here. */
const repeated: readonly OptionSpec[] = targetOptions.map(({ default: _, ...option }) => option);

export const replayCommand: Command = {
  words: ['replay'],
  summary: 'Run the failed cases of a report again',
  details:
    'The cases get the seeds that they had, so also the same random inputs, and the options of the target come from the report. Tokens come from the environment, as for "run".\nWithout URL, only a report about this machine is replayed: the service gets your token.\nExits with 0 if all cases pass now, 1 if one fails again, 2 if the command line is wrong or no case ran, 3 if the service cannot be reached.',
  arguments: [
    { name: 'REPORT', description: 'a JSON report' },
    {
      name: 'URL',
      optional: true,
      description: 'another deployment, of the same kind (default: that of the report, if it is on this machine)',
    },
  ],
  options: [
    { ...onlyOption, description: `${onlyOption.description} (default: those that failed)` },
    ...repeated,
    reportOption,
    ...speedOptions,
  ],
  examples: ['replay report.json', 'replay report.json https://api.example.com', 'replay report.json --only GIT-091'],
  async run(invocation, io) {
    const path = invocation.argument('REPORT');
    // Loaded on demand, so that other commands start fast.
    const { runSuite } = await import('./run-suite.ts');
    const earlier = readReport(io, path);
    const suite = await chosenCases(invocation, io);
    const files = reportFiles(invocation, io);
    const failed = earlier.cases.filter(({ status }) => status === 'fail' || status === 'error');
    const isChosen = invocation.texts('only').length > 0;
    const ids = new Set(failed.map(({ id }) => id));
    const cases = isChosen ? suite : suite.filter(({ id }) => ids.has(id));
    const gone = isChosen ? [] : failed.filter(({ id }) => !suite.some((one) => one.id === id));
    for (const { id } of gone) io.err(`${shown(id)} is no case of this release\n`);
    if (cases.length === 0) {
      if (gone.length > 0) {
        throw new CliError(
          'usage',
          `This release has none of the cases that failed in ${path}.`,
          'Use the release that wrote it.',
        );
      }
      io.out(`No case failed in ${path}.\n`);
      return 0;
    }
    demandOwn(invocation, earlier, path);
    const reports = openReports(files);
    const { report, rerun } = await runSuite(asEarlier(invocation, earlier), io, cases, earlier.seed, reports.add);
    io.out(`${reportText(report, rerun, screenOf(io))}\n${replayedText(cases, report, earlier)}`);
    reports.end(report, rerun);
    return exitCode(report, io);
  },
};

/** @throws {CliError} kind `usage` if the credential would go to another machine that only the report names. */
function demandOwn(invocation: Invocation, { run, target }: Report, path: string): void {
  const { url, options } = run ?? libraryRun(target);
  const named = url ?? options['git'];
  if (invocation.optionalArgument('URL') !== undefined || typeof named !== 'string' || isLoopback(named)) return;
  throw new CliError(
    'usage',
    `The report names ${shown(named)}, which would get your credential.`,
    `If that is right, name it: replay ${shellWord(path)} ${shellWord(named)}`,
  );
}

/** Returns the command line of the earlier run, with what this one says instead. */
function asEarlier(invocation: Invocation, { run, target }: Report): Invocation {
  const { url, options } = run ?? libraryRun(target);
  const given = invocation.optionalArgument('URL');
  // A run without a service had a Git server or a zone: URL is another one.
  const alone = options['git'] === undefined ? 'zone' : 'git';
  const others: GivenOptions = given === undefined || url !== null ? options : { ...options, [alone]: given };
  return {
    ...fallingBack(invocation, others, targetOptions),
    optionalArgument: (name) => (name === 'URL' && url !== null ? (given ?? url) : undefined),
  };
}

/** Returns the command line for a report that a library wrote. */
function libraryRun({ origin, account, zone, public_service: isPublic }: Report['target']): NonNullable<Report['run']> {
  const options: GivenOptions = {
    ...(account === '' ? {} : { account }),
    ...(typeof zone === 'string' ? { zone } : {}),
    ...(isPublic ? { 'public-service': true as const } : {}),
  };
  return { url: account === '' ? null : origin, options };
}

/** Says of each case how it ended then and now. Another target may lack what a case is about. */
function replayedText(cases: readonly Case[], now: Report, earlier: Report): string {
  const statusesOf = (report: Report): ReadonlyMap<string, Status> =>
    new Map(report.cases.map((result) => [result.id, result.status]));
  const [then, there] = [statusesOf(earlier), statusesOf(now)];
  const isFailure = (status: Status | undefined): boolean => status === 'fail' || status === 'error';
  const lines = cases.map(({ id }) => {
    const [before, status] = [then.get(id), there.get(id)];
    const again = isFailure(before) && isFailure(status) ? ' again' : '';
    return `  ${`${status ?? 'not run'}${again}`.padEnd(11)} ${id} (was ${before ?? 'not run'})\n`;
  });
  return `replayed with the seed ${now.seed}\n${lines.join('')}`;
}
