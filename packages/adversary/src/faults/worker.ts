import { cases, runCases, type Case } from '@packhouse/conformance';
import { startFaulty } from './service.ts';
import type { Outcome, Task } from './runner.ts';

/** Milliseconds of one case, which the runner allows for each of its `runs`. */
const timeLimit = 60_000;

const byId: ReadonlyMap<string, Case> = new Map(cases.map((one) => [one.id, one]));

/** Runs the cases of a task until enough of them have failed. */
async function run({ id, settings, caseIds, enough }: Task): Promise<Outcome> {
  const stop = new AbortController();
  const outcome = { id, failed: [] as string[], broken: [] as string[], passed: [] as string[] };
  const target = await startFaulty(id, settings);
  await runCases({
    target,
    cases: caseIds.flatMap((one) => byId.get(one) ?? []),
    timeLimit,
    seed: 1,
    // Of the rows that a case samples, all are needed for some faults.
    runs: 10,
    environment: process.env,
    signal: stop.signal,
    onResult({ id: caseId, status }) {
      if (status === 'pass') outcome.passed.push(caseId);
      if (status === 'fail') outcome.failed.push(caseId);
      if (status === 'error') outcome.broken.push(caseId);
      if (outcome.failed.length >= enough) stop.abort();
    },
  });
  await target.close();
  return outcome;
}

process.on('message', (task: Task) => {
  run(task).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ id: task.id, failed: [], broken: [], passed: [], lost: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
// An error that a fault throws outside of any request must not hide what the cases see.
process.on('uncaughtException', () => undefined);
