import { CliError, connectionFailure, type Command, type Invocation, type Io } from '@packhouse/command';
import { dialects } from '../core/dialect.ts';
import type { Target } from '../core/target.ts';
import type { CaseResult, Report } from '../report/report.ts';
import { reportText, resultLine } from '../report/text.ts';
import { findService, findZone, type Found } from '../service/reach.ts';
import { chosenCases, onlyOption } from './cases.ts';
import { reportFiles, writeReports } from './reports.ts';
import { wantedTarget, type WantedTarget } from './target.ts';

/** Exit codes of this command, the same as those of other test runners. */
const codes = { pass: 0, fail: 1, unreachable: 3 } as const;

export const runCommand: Command = {
  words: ['run'],
  summary: 'Run the conformance suite against a service',
  details: `The API token comes from CONFORMANCE_API_TOKEN alone and is never printed. Some cases need more, and are skipped without it: CONFORMANCE_READ_TOKEN (an API token that may only read the account), CONFORMANCE_OTHER_ACCOUNT and CONFORMANCE_OTHER_API_TOKEN (a second account), CONFORMANCE_BINDING_SECRET (of the probe at --binding-url), stock git on this machine.
Everything that cases make has a random prefix and is removed, also after Ctrl-C; a second Ctrl-C leaves it.
With --zone and without URL, and then without a token, the cases of platform errors ask that host alone, be it any app.
Exits with ${codes.pass} if every case passes, ${codes.fail} if one fails or breaks, 2 if the command line is wrong or the token is not taken, ${codes.unreachable} if the service cannot be reached.`,
  arguments: [{ name: 'URL', optional: true, description: 'Origin of the REST API; without it, --zone' }],
  options: [
    { name: 'account', value: 'ID', description: 'The account', default: 'local' },
    {
      name: 'dialect',
      value: 'NAME',
      choices: Object.keys(dialects),
      description: 'The set of wire constants of the service (default: found out)',
    },
    onlyOption,
    {
      name: 'report',
      value: 'FORM=FILE',
      repeatable: true,
      description: 'Write a report when all is done; FORM is json or junit',
    },
    { name: 'seed', value: 'N', description: 'The seed of an earlier run, to repeat it (default: random)' },
    { name: 'concurrency', value: 'N', description: 'How many cases run at once', default: '4' },
    { name: 'time-limit', value: 'SECONDS', description: 'How long one case may take', default: '120' },
    {
      name: 'zone',
      value: 'HOST',
      description: 'A hostname that serves platform errors, or its origin, as http://127.0.0.1:8787 (default: none)',
    },
    {
      name: 'zone-id',
      value: 'ID',
      description: 'ID of a zone of the account, whose resources the API token may tag (default: none)',
    },
    {
      name: 'import-url',
      value: 'URL',
      description: 'A small repository on a public host, to be imported (default: none)',
    },
    {
      name: 'binding-url',
      value: 'URL',
      description: 'Where a probe beside the runtime binding is (default: none)',
    },
    {
      name: 'public-service',
      description: 'The service is the public one: report what goes beyond it as such, never as a failure',
    },
  ],
  examples: [
    'run http://127.0.0.1:8787',
    'run --zone www.example.com',
    "run https://api.example.com --account a1 --only 'git/*' --report json=report.json --report junit=report.xml",
  ],

  async run(invocation, io) {
    const chosen = await chosenCases(invocation, io);
    const files = reportFiles(invocation, io);
    const wanted = wantedTarget(invocation, io);
    const { zone, zoneAlone = false } = wanted;
    const ofZone = zoneAlone && invocation.texts('only').length === 0;
    const cases = ofZone ? chosen.filter(({ needs }) => needs?.includes('zone') === true) : chosen;
    const seed = numberOf(invocation, 'seed', 0, 2_147_483_647);
    const concurrency = numberOf(invocation, 'concurrency', 1, 64);
    const timeLimit = numberOf(invocation, 'time-limit', 1, 86_400);
    const { runCases } = await import('../run/run-cases.ts');
    const sent = { ...wanted, fetch: io.fetch, listens: true };
    const found: Found =
      zoneAlone && zone !== undefined
        ? await findZone({ ...sent, zone }, wanted.dialect)
        : await findService(sent, wanted.dialect);
    if (found.kind !== 'service') return refuse(found, wanted, io);
    const target: Target = { ...sent, dialect: found.dialect };

    const stop = new AbortController();
    const release = io.onSignal(() => {
      release();
      io.err(`${clear(io)}stopping; what was made is being removed\n`);
      stop.abort(new Error('stopped'));
    });
    let report: Report;
    try {
      report = await runCases({
        target,
        cases,
        environment: io.env,
        signal: stop.signal,
        ...(seed === undefined ? {} : { seed }),
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(timeLimit === undefined ? {} : { timeLimit: timeLimit * 1000 }),
        onResult: progress(cases.length, io),
        onWait: waits(io),
      });
    } finally {
      release();
      io.err(clear(io));
    }
    io.out(reportText(report, (id) => rerun(id, target, report.seed, io)));
    writeReports(files, report);
    return report.counts.fail + report.counts.error > 0 || report.interrupted ? codes.fail : codes.pass;
  },
};

/** Shows progress: on a terminal one line that is overwritten, elsewhere one line per case. */
function progress(total: number, io: Io): (result: CaseResult) => void {
  let ended = 0;
  let bad = 0;
  return (result) => {
    ended += 1;
    if (result.failure !== null) bad += 1;
    if (!io.errIsTerminal) io.err(`${resultLine(result)}\n`);
    else io.err(`${clear(io)}${ended}/${total}${bad === 0 ? '' : `, ${bad} not passed`}  ${result.id}`);
  };
}

/**
 * Reports how long a wait without output takes. Cases that wait for the same reason at the same time report it once.
 */
function waits(io: Io): (milliseconds: number) => void {
  let until = 0;
  return (milliseconds) => {
    const now = performance.now();
    if (milliseconds < 1000 || now < until) return;
    until = now + milliseconds;
    io.err(`${clear(io)}waiting ${Math.ceil(milliseconds / 1000)} s for the rate of the service\n`);
  };
}

function clear(io: Io): string {
  return io.errIsTerminal ? '\r\x1b[2K' : '';
}

function refuse(
  found: Exclude<Found, { kind: 'service' }>,
  { origin, account, zoneAlone = false }: WantedTarget,
  io: Io,
): number {
  if (found.kind === 'not admitted') {
    throw new CliError(
      'usage',
      `The service does not admit CONFORMANCE_API_TOKEN to the account "${account}" (${found.status}).`,
      'Check the token and --account.',
    );
  }
  if (found.kind === 'nothing') {
    const { kind, message } = connectionFailure(found.error, origin);
    const hint = kind === 'certificate' ? 'Name the file of its authority in NODE_EXTRA_CA_CERTS.' : 'Check the URL.';
    io.err(`error: ${message}\nhint: ${hint}\n`);
  } else if (zoneAlone) {
    io.err(`error: ${origin} shows no platform errors at /cdn-cgi/error/1000 (${found.status}).\n`);
    io.err('hint: Switch the error route on there, or give --dialect to see what is wrong with it.\n');
  } else {
    io.err(`error: What answers at ${origin} is no service of this kind (${found.status}).\n`);
    io.err('hint: Check the URL, and --dialect if it is given.\n');
  }
  return codes.unreachable;
}

/** Returns the command line that runs one case again. Tokens stay in the environment. */
function rerun(id: string, target: Target, seed: number, io: Io): string {
  const { origin, account, zone, zoneId, zoneAlone, importUrl, binding, dialect, publicService } = target;
  const words = [
    `${io.program} run`,
    ...(zoneAlone === true ? [] : [origin]),
    ...(account === 'local' || account === '' ? [] : [`--account ${account}`]),
    ...(zone === undefined ? [] : [`--zone ${zone}`]),
    ...(zoneId === undefined ? [] : [`--zone-id ${zoneId}`]),
    ...(importUrl === undefined ? [] : [`--import-url ${importUrl}`]),
    ...(binding === undefined ? [] : [`--binding-url ${binding.url}`]),
    `--dialect ${dialect} --seed ${seed}`,
    ...(publicService === true ? ['--public-service'] : []),
    `--only ${id}`,
  ];
  return words.join(' ');
}

function numberOf(invocation: Invocation, option: string, min: number, max: number): number | undefined {
  const text = invocation.text(option);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new CliError('usage', `--${option} cannot be "${text}".`, `Write a whole number from ${min} to ${max}.`);
}
