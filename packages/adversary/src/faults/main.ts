import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cases, selectCases } from '@packhouse/conformance';
import { readFaultFiles, type Fault } from './fault.ts';
import { runTasks, type Outcome } from './runner.ts';

const usage = `Runs the conformance suite against the service with one deliberate fault at a time.

  pnpm test:faulty [--fault PATTERN ...] [--only PATTERN ...] [--named] [--enough 3] [--jobs 2] [--write]

--fault chooses faults, and --only cases; in both, * matches any characters. --named runs the cases that the faults
name. A fault is done after --enough failed cases. --write puts what caught a fault into its file, unless the fault
names cases that caught it again. Ends with status 1 if a fault was not caught.
`;

const { values: options } = parseArgs({
  options: {
    fault: { type: 'string', multiple: true, default: ['*'] },
    only: { type: 'string', multiple: true, default: [] },
    named: { type: 'boolean', default: false },
    enough: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function matches(id: string): boolean {
  return options.fault.some((pattern) =>
    new RegExp(`^${pattern.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(id),
  );
}

/** Returns the value of an option that counts something. */
function count(name: 'enough' | 'jobs'): number {
  const value = Number(options[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} takes a whole number above 0`);
}

function line({ id, failed, broken, passed, lost }: Outcome): string {
  const caught = failed.length > 0 ? failed.join(', ') : 'NOT CAUGHT';
  const rest = [
    broken.length > 0 ? `broken: ${broken.slice(0, 3).join(', ')}` : '',
    lost ?? '',
    failed.length > 0 ? '' : `${passed.length} passed`,
  ];
  return [id, caught, ...rest.filter((text) => text !== '')].join('  ');
}

/** Puts the outcomes into the files of the faults. */
function write(outcomes: ReadonlyMap<string, Outcome>): void {
  for (const { path, area, faults } of readFaultFiles()) {
    const written = faults.map((fault): Fault => {
      const failed = outcomes.get(fault.id)?.failed ?? [];
      const again = fault.caughtBy?.some((id) => failed.includes(id)) === true;
      return failed.length === 0 || again
        ? fault
        : { ...fault, caughtBy: failed.slice(0, 3), caughtAtFirst: fault.caughtAtFirst ?? true };
    });
    writeFileSync(path, `${JSON.stringify({ area, faults: written }, null, 2)}\n`);
  }
}

if (options.help) console.log(usage);
else {
  const chosen = selectCases(cases, options.only).map(({ id }) => id);
  const faults = readFaultFiles().flatMap((file) => file.faults.filter(({ id }) => matches(id)));
  if (faults.length === 0) throw new Error('no fault fits');
  const [enough, jobs] = [count('enough'), count('jobs')];
  const tasks = faults.map(({ id, settings = {}, caughtBy = [] }) => ({
    id,
    settings,
    caseIds: options.named ? caughtBy : chosen,
    enough,
  }));
  const began = performance.now();
  const outcomes = await runTasks(tasks, {
    jobs,
    limit: options.named ? 180_000 : 3_600_000,
    onOutcome: (outcome) => console.log(line(outcome)),
  });
  if (options.write) write(new Map(outcomes.map((outcome) => [outcome.id, outcome])));
  const missed = outcomes.filter(({ failed }) => failed.length === 0);
  console.log(
    `${faults.length} faults, ${missed.length} not caught, ${Math.round((performance.now() - began) / 1000)} s`,
  );
  if (missed.length > 0) process.exitCode = 1;
}
