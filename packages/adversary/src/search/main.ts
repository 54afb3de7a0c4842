import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Values } from './inputs/area.ts';
import { areaNamed, areas } from './areas.ts';
import { Climb } from './climb.ts';
import { Dice } from './inputs/dice.ts';
import { costTable } from './operations.ts';
import { smallEffort, wholeEffort } from './inputs/effort.ts';
import type { Outcome } from './evaluate.ts';
import { slowSteps } from './judge.ts';
import { allFaults, faultsFound, rankings, lineOf } from './report.ts';
import { Runner, type Lost } from './runner.ts';

const usage = `Searches for requests that cost a server far more than they cost their sender.

  pnpm test:search [--inputs 10000] [--seed 1] [--area NAME ...] [--outcomes FILE] [--jobs 1] [--large-every 50]
                   [--fix JSON] [--stop-at-fault]
  pnpm test:search --report FILE
  pnpm test:search --area NAME --replay JSON

Ends with status 1 if an input broke a bound: a step above 250 ms, uncounted work, memory beyond the account, an
unexpected failure. A fault that only the clock shows counts if it shows in two more processes, too. --replay runs one
input by its numbers, as they are printed. --outcomes FILE keeps what each input cost, a line of JSON each. --jobs N
searches several areas at the same time, each in a process. One input in --large-every is as large as the limits allow.
--fix keeps some numbers of all inputs as they are, such as '{"shape":3}'.
--report FILE prints the report of outcomes that were kept.
`;

const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string', multiple: true },
    replay: { type: 'string' },
    outcomes: { type: 'string' },
    report: { type: 'string' },
    'large-every': { type: 'string', default: '50' },
    fix: { type: 'string', default: '{}' },
    'stop-at-fault': { type: 'boolean' },
    jobs: { type: 'string', default: '1' },
    help: { type: 'boolean' },
  },
});

/** Values that all inputs share. */
const fixed = JSON.parse(options.fix) as Values;
/** A climb with another start may find another maximum. */
const inputsPerClimb = 500;

/**
 * Repeats an input in a new process if the clock found a fault, and then once more. Other processes and garbage
 * collections rarely disturb the same input again.
 */
async function confirm(runner: Runner, first: Outcome | Lost): Promise<Outcome | Lost> {
  let outcome = first;
  for (let again = 0; again < 2; again++) {
    const faults = 'why' in outcome ? [] : slowSteps(outcome);
    if (faults.length === 0) break;
    console.error(`once more, for ${faults.join(', ')}: ${outcome.area} ${JSON.stringify(outcome.values)}`);
    runner.stop();
    outcome = await runner.run(outcome.values);
  }
  return outcome;
}

/** Searches one area. Returns the costs of its inputs, and the inputs that ended their process. */
async function search(name: string, inputs: number, seed: number): Promise<{ outcomes: Outcome[]; lost: Lost[] }> {
  const climb = new Climb(areaNamed(name), new Dice(seed));
  const runner = new Runner(name);
  const outcomes: Outcome[] = [];
  const lost: Lost[] = [];
  const began = performance.now();
  for (let i = 1; i <= inputs; i++) {
    const effort = i % Number(options['large-every']) === 0 ? wholeEffort : smallEffort;
    const outcome = await confirm(runner, await runner.run(climb.next(effort, fixed)));
    if (options.outcomes !== undefined) appendFileSync(options.outcomes, `${JSON.stringify(outcome)}\n`);
    if ('why' in outcome) {
      lost.push(outcome);
      console.error(`${name}: ${outcome.why}: ${JSON.stringify(outcome.values)}`);
    } else {
      climb.add(outcome);
      outcomes.push(outcome);
    }
    if (options['stop-at-fault'] === true && ('why' in outcome || allFaults(outcome).length > 0)) break;
  }
  runner.stop();
  console.error(`${name}: ${inputs} inputs in ${Math.round((performance.now() - began) / 1000)} s`);
  return { outcomes, lost };
}

async function replay(name: string, values: Values): Promise<void> {
  const runner = new Runner(name);
  const outcome = await runner.run(values);
  runner.stop();
  console.log('why' in outcome ? outcome.why : `${lineOf(outcome)}\n${JSON.stringify(outcome, null, 2)}`);
  if ('why' in outcome || allFaults(outcome).length > 0) process.exitCode = 1;
}

async function searchAll(): Promise<void> {
  const chosen = areas.filter(({ area }) => options.area === undefined || options.area.includes(area.name));
  const whole = chosen.reduce((sum, { share }) => sum + share, 0);
  const outcomes: Outcome[] = [];
  const lost: Lost[] = [];
  const climbs = chosen.flatMap(({ area, share }) => {
    const inputs = Math.ceil((Number(options.inputs) * share) / whole);
    const parts = Math.ceil(inputs / inputsPerClimb);
    return Array.from({ length: parts }, (_, i) => ({
      name: area.name,
      inputs: Math.ceil(inputs / parts),
      seed: Number(options.seed) + i,
    }));
  });
  const searchNext = async (): Promise<void> => {
    for (let next = climbs.shift(); next !== undefined; next = climbs.shift()) {
      const found = await search(next.name, next.inputs, next.seed);
      outcomes.push(...found.outcomes);
      lost.push(...found.lost);
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, searchNext));
  printReport(outcomes, lost);
}

function printReport(outcomes: readonly Outcome[], lost: readonly Lost[]): void {
  console.log(rankings(outcomes, 10));
  console.log(`${costTable(outcomes)}\n`);
  const faults = [
    ...lost.map(({ area, values, why }) => `${why}: ${area} ${JSON.stringify(values)}`),
    ...faultsFound(outcomes),
  ];
  console.log(`${outcomes.length + lost.length} inputs, seed ${options.seed}; ${faults.length} faults`);
  for (const fault of faults) console.log(`- ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

/** Returns what is wrong with the options, or undefined. */
function wrongOptions(): string | undefined {
  for (const name of ['inputs', 'jobs', 'large-every'] as const) {
    if (!/^[1-9]\d*$/.test(options[name])) return `--${name} must be a number from 1 on, found ${options[name]}`;
  }
  const names: readonly string[] = areas.map(({ area }) => area.name);
  const unknown = options.area?.find((name) => !names.includes(name));
  return unknown === undefined ? undefined : `there is no area ${unknown}: ${names.join(', ')}`;
}

const wrong = wrongOptions();
if (options.help === true) console.log(usage);
else if (wrong !== undefined) {
  console.error(wrong);
  process.exitCode = 2;
} else if (options.replay !== undefined) await replay(options.area?.[0] ?? '', JSON.parse(options.replay) as Values);
else if (options.report !== undefined) {
  const lines = readFileSync(options.report, 'utf8').trimEnd().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Outcome | Lost);
  printReport(
    all.filter((one): one is Outcome => !('why' in one)),
    all.filter((one): one is Lost => 'why' in one),
  );
} else await searchAll();
