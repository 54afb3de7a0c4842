import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chainFetchInput,
  chainInput,
  duplicatesInput,
  largeGraphInput,
  manyParentsInput,
  manyRefsInput,
  manyUpdatesInput,
  parallelInput,
  spineInput,
  starInput,
  tinyObjectsInput,
  zerosInput,
  type HostileInput,
} from '@packhouse/fixtures/hostile';
import { cost, unitsOf, type Cost } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { openLocalService, type LocalService } from '../service/local-service.ts';
import { PassMeter, type Pass } from '../service/pass-meter.ts';
import { fitCosts } from './fit.ts';
import { ordinarySteps } from './ordinary.ts';
import { measurePrimitives } from './primitives.ts';

/**
 * Compares the work that the engine counts with the time of the main thread, for each turn of the event loop, on SQLite
 * and files. Prints the time of each input, the cost of one unit of each kind, and steps that were not counted.
 */
const hostile: readonly HostileInput[] = [
  zerosInput(),
  manyParentsInput(5),
  duplicatesInput(20),
  chainInput(50),
  chainFetchInput(50),
  manyUpdatesInput(1_000),
  largeGraphInput(4),
  starInput(60),
  spineInput(45),
  parallelInput(6),
  manyRefsInput(20_000),
  tinyObjectsInput(2, 300_000),
];
const kindNames = Object.keys(cost);
const passes: Pass[] = [];

/** Runs a step, and prints its line. */
async function measure<Result>(name: string, service: LocalService, run: () => Promise<Result>): Promise<Result> {
  const own: Pass[] = [];
  const meter = new PassMeter(service.engine.scheduler.totals, (pass) => own.push(pass));
  await new Promise((resolve) => setImmediate(resolve));
  meter.start();
  const result = await run();
  meter.stop();
  passes.push(...own);
  const most = (of: (pass: Pass) => number): Pass => own.reduce((a, b) => (of(b) > of(a) ? b : a));
  const longest = most(({ cpu }) => cpu);
  const uncounted = most(({ cpu, units }) => cpu * 1000 - units);
  const total = (of: (pass: Pass) => number): number => own.reduce((sum, pass) => sum + of(pass), 0);
  const [time, counted] = [total(({ cpu }) => cpu) / 1000, total(({ units }) => units) / 1e6];
  const cells = [time, counted, longest.cpu / 1000, longest.units / 1e6, uncounted.cpu / 1000, uncounted.units / 1e6];
  console.log([name.padEnd(52), ...cells.map((cell) => cell.toFixed(1).padStart(9))].join(''));
  return result;
}

/** Opens a service on the disk while `use` runs. */
async function withService(use: (service: LocalService) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'packhouse-calibrate-'));
  const service = openLocalService({ data });
  try {
    await use(service);
    for (const failure of service.failures) console.log('  failed:', failure);
  } finally {
    await service.close();
    rmSync(data, { recursive: true, force: true });
  }
}

const heads = ['time', 'counted', 'longest', 'counted', 'hidden', 'counted'];
console.log(
  'Time of the main thread and work that was counted, in milliseconds: of all turns of the event loop, of the longest,\n' +
    'and of the one whose time is furthest above its work. That is good where both numbers are of one size.\n',
);
console.log(['milliseconds'.padEnd(52), ...heads.map((head) => head.padStart(9))].join(''));
await withService(async (service) => {
  for (const { name, run } of await ordinarySteps(service)) await measure(name, service, run);
});
for (const input of hostile) {
  await withService(async (service) => {
    // The preparation is built in the same turns, so its time means nothing.
    const { run } = await input.prepare(service.target);
    const replies = await measure(input.name, service, run);
    const answers = new Set(
      replies.map(({ status, body }) => `${status} ${Buffer.from(body).toString('latin1', 0, 60)}`),
    );
    for (const answer of answers) console.log(`  ${answer.replaceAll(/[^\x20-\x7e]+/g, ' ')}`);
  });
}

console.log('\nnanoseconds of one: as counted, as all passes together say, and of the primitive alone');
const fitted = fitCosts(passes, kindNames.length);
const primitives = measurePrimitives(nodeCodec());
for (const [name, kind] of Object.entries(cost)) {
  const alone = primitives.filter((one) => one.kind === kind);
  const measured = alone.map(({ data, nanoseconds }) => `${data} ${nanoseconds.toPrecision(2)}`).join(', ');
  console.log(
    `${name.padEnd(10)}${String(unitsOf[kind as Cost]).padStart(8)}${(fitted[kind] ?? 0).toPrecision(3).padStart(12)}   ${measured}`,
  );
}
