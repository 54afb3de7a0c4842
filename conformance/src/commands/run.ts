import { isDeepStrictEqual } from 'node:util';
import { CliError, nearest, screenOf, type Command, type Invocation } from '@packhouse/command';
import { judge, markKnown } from '../baseline/judge.ts';
import type { Case } from '../core/case.ts';
import type { CaseResult } from '../report/report.ts';
import { reportText } from '../forms/text.ts';
import { baselineOption, judgementText } from './baseline.ts';
import { chosenCases, onlyOption } from './cases.ts';
import { exitCode } from './exit-code.ts';
import { readBaseline } from './read-file.ts';
import { openReports, reportFiles, reportOption } from './reports.ts';
import { numberOf, speedOptions, targetOptions } from './run-options.ts';
import { singleSettings } from './target.ts';

/** @throws {CliError} kind `usage` for a `--setting` that would let no case run: it is misspelt, or has another value. */
function demandNeeded(invocation: Invocation, cases: readonly Case[]): void {
  for (const [name, value] of singleSettings(invocation)) {
    const needed = cases.flatMap(({ settings = {} }) => (name in settings ? [settings[name]] : []));
    if (needed.some((one) => isDeepStrictEqual(one, value))) continue;
    throw new CliError(
      'usage',
      `--setting ${name}=${JSON.stringify(value)} lets no case run.`,
      needed.length > 0
        ? `Cases need ${[...new Set(needed.map((one) => `${name}=${JSON.stringify(one)}`))].join(' or ')}.`
        : unneededHint(name, cases),
    );
  }
}

function unneededHint(name: string, cases: readonly Case[]): string {
  const names = cases.flatMap(({ settings = {} }) => Object.keys(settings));
  const close = nearest(name, names);
  return close === undefined ? 'No chosen case needs it.' : `Did you mean "${close}"?`;
}

export const runCommand: Command = {
  words: ['run'],
  summary: 'Run the conformance suite against a service',
  details: `The API token comes from CONFORMANCE_API_TOKEN alone and is never printed. Some cases need more, and are skipped without it: CONFORMANCE_READ_TOKEN (an API token that may only read the account), CONFORMANCE_OTHER_ACCOUNT and CONFORMANCE_OTHER_API_TOKEN (a second account), CONFORMANCE_BINDING_SECRET (of the probe at --binding-url), stock git on this machine. A Git server takes CONFORMANCE_GIT_TOKEN, or CONFORMANCE_GIT_USERNAME and CONFORMANCE_GIT_PASSWORD.
Everything that cases make has a random prefix and is removed, also after Ctrl-C; a second Ctrl-C leaves it.
Each area is looked for: REST, Git, tags. Cases of an area that is not there do not run; an operation that is not there is unsupported.
Without URL and its token, --git tests any Git server, and --zone any app that shows platform errors.
Exits with 0 if every case passes, 1 if one fails or breaks that --baseline does not know, or if the run was stopped, 2 if the command line is wrong, the token is not taken or no case ran, 3 if the service cannot be reached.`,
  arguments: [
    {
      name: 'URL',
      optional: true,
      description: 'URL of the service, perhaps with a path; without it, --git or --zone',
    },
  ],
  options: [
    ...targetOptions,
    onlyOption,
    reportOption,
    baselineOption,
    { name: 'seed', value: 'N', description: 'The seed of an earlier run, to repeat it (default: random)' },
    ...speedOptions,
  ],
  examples: [
    'run http://127.0.0.1:8787',
    'run --zone www.example.com',
    "run --git 'https://git.example.com/{name}.git'",
    'run https://api.example.com --read-only',
    "run https://api.example.com --account a1 --only 'git/*' --report json=report.json --report junit=report.xml",
  ],

  async run(invocation, io) {
    // Loaded on demand, so that other commands start fast.
    const { runSuite } = await import('./run-suite.ts');
    const chosen = await chosenCases(invocation, io);
    demandNeeded(invocation, chosen);
    const files = reportFiles(invocation, io);
    const seed = numberOf(invocation, 'seed', 0, 2_147_483_647);
    const file = invocation.text('baseline');
    const baseline = file === undefined ? undefined : readBaseline(io, file);
    const reports = openReports(files);
    if (baseline === undefined) {
      const { report, rerun } = await runSuite(invocation, io, chosen, seed, reports.add);
      io.out(reportText(report, rerun, screenOf(io)));
      reports.end(report, rerun);
      return exitCode(report, io);
    }
    const marked = (result: CaseResult): CaseResult => markKnown(result, baseline);
    const ran = await runSuite(invocation, io, chosen, seed, (result) => reports.add(marked(result)));
    const { cases } = await import('../cases/index.ts');
    const report = { ...ran.report, cases: ran.report.cases.map(marked) };
    const judgement = judge(report.cases, baseline, new Set(cases.map(({ id }) => id)));
    io.out(`${reportText(report, ran.rerun, screenOf(io))}${judgementText(judgement)}`);
    reports.end(report, ran.rerun);
    const { regressions, disappeared } = judgement;
    return regressions.length + disappeared.length > 0 ? 1 : exitCode(report, io);
  },
};
