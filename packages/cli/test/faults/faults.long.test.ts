/**
 * Makes each step of each operation fail in turn, on the files and in the database: once, from then on, after it took
 * effect, or as a power cut that loses what was not synced. `PACKHOUSE_FAULTS=all` tries each kind of failure at each
 * step, else a few of each operation, or as many as it says; `PACKHOUSE_SEED` says which.
 */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultyFileSystem, type Fault } from '@packhouse/storage/testing';
import type { SqlFault } from '@packhouse/base/testing';
import { dice } from '@packhouse/conformance/tools/dice';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { observe } from '../kills/observe.ts';
import { openFaultyService, startTime, type FaultyService, type FaultyServiceOptions } from './faulty-service.ts';
import { fill, importsFrom, operations, type Operation } from './operations.ts';

const wanted = process.env['PACKHOUSE_FAULTS'] ?? '8';
/** Failures that are tried of each operation; which ones, the seed says. */
const sampleSize = wanted === 'all' ? Infinity : Number(wanted);
const seed = Number(process.env['PACKHOUSE_SEED'] ?? Date.now() % 1_000_000);
const day = 86_400_000;

/** Where a step is: a change of files, a read of files, or the database. */
type Place = 'files' | 'reads' | 'database';

/**
 * - `once`: the step fails. `late`: it fails although it took effect.
 * - `lasting`: nothing can be written from this step on, as on a full disk; or read, if the step is a read.
 * - `power cut`: the process ends here, and with it what was not synced. `late power cut`: the step took effect.
 */
type Kind = 'once' | 'late' | 'lasting' | 'power cut' | 'late power cut';

const kindsOf: Readonly<Record<Place, readonly Kind[]>> = {
  files: ['once', 'lasting', 'late', 'power cut'],
  reads: ['once', 'lasting'],
  database: ['once', 'lasting', 'late', 'power cut', 'late power cut'],
};
const codes = ['ENOSPC', 'EIO', 'EMFILE'] as const;

interface Steps {
  readonly files: number;
  readonly reads: number;
  readonly database: number;
}

interface Failure {
  readonly place: Place;
  readonly index: number;
  readonly kind: Kind;
  readonly code: (typeof codes)[number];
}

let folder: string;
let remote: FaultyService;
let template: { readonly database: string; readonly files: FaultyFileSystem; readonly tokens: Map<string, string> };
let before: string;
/** The service that was opened last, whose database is the next one's, too. */
let open: FaultyService | undefined;

const packs = (): string => join(folder, 'packs');
const database = (): string => join(folder, 'packhouse.sqlite');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-faults-'));
  const files = new FaultyFileSystem({ folders: [packs()], now: () => startTime });
  const service = await openFaultyService({ folder, fileSystem: files });
  await fill(service);
  before = await stateOf(service);
  await service.close();
  template = { database: join(folder, 'template.sqlite'), files, tokens: service.tokens };
  copyFileSync(database(), template.database);
  const other = mkdtempSync(join(tmpdir(), 'packhouse-faults-remote-'));
  copyFileSync(template.database, join(other, 'packhouse.sqlite'));
  remote = await reopened({ folder, fileSystem: files.copy() }, other);
});

afterEach(async () => {
  await open?.close();
  open = undefined;
});

afterAll(async () => {
  await remote.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that clients can see, without ids that differ from run to run. */
async function stateOf(service: FaultyService): Promise<string> {
  const facts = [...(await observe(service))].map(([key, value]) =>
    key.startsWith('token ') ? `${key.split(' ').slice(0, 2).join(' ')} ${value}` : `${key} ${value}`,
  );
  return facts.toSorted().join('\n');
}

async function reopened(options: FaultyServiceOptions, databaseFolder?: string): Promise<FaultyService> {
  const service = await openFaultyService({ ...options, databaseFolder });
  for (const [repo, token] of template.tokens) service.tokens.set(repo, token);
  if (databaseFolder === undefined) open = service;
  return service;
}

/** A service over a copy of the template that fails as told, until it is told to no more. */
async function begin(failure: Failure | undefined): Promise<{
  readonly service: FaultyService;
  readonly files: FaultyFileSystem;
  readonly steps: () => Steps;
  readonly isCut: () => boolean;
  readonly hasFailed: () => boolean;
  readonly arm: () => void;
  readonly disarm: () => void;
}> {
  for (const end of ['-wal', '-shm']) rmSync(`${database()}${end}`, { force: true });
  copyFileSync(template.database, database());
  let isArmed = false;
  let isCut = false;
  let hasFailed = false;
  const steps = { files: 0, reads: 0, database: 0 };
  const kindAt = (place: Place): Kind | undefined => {
    if (!isArmed) return undefined;
    const at = steps[place]++;
    if (isCut) return 'power cut';
    if (failure === undefined) return undefined;
    const isHere = place === failure.place && at === failure.index;
    hasFailed ||= isHere;
    if (isHere) {
      isCut = failure.kind === 'power cut' || failure.kind === 'late power cut';
      return failure.kind;
    }
    if (failure.kind !== 'lasting' || !hasFailed) return undefined;
    return (place === 'reads') === (failure.place === 'reads') ? 'lasting' : undefined;
  };
  const files = template.files.copy({
    now: () => service?.now ?? startTime,
    ...(failure !== undefined && { code: failure.code }),
    fault: () => faultOf(kindAt('files')),
    readFault: () => kindAt('reads') !== undefined,
  });
  let service: FaultyService | undefined = undefined;
  const opened = await reopened({
    folder,
    fileSystem: files,
    outbound: importsFrom(remote),
    ...(failure !== undefined && { sqlFaultCode: failure.code }),
    sqlFault: ({ kind: step }) => {
      // A full disk can be read.
      const kind = kindAt('database');
      return kind === 'lasting' && step === 'all' ? undefined : sqlFaultOf(kind);
    },
  });
  service = opened;
  return {
    service: opened,
    files,
    steps: () => ({ ...steps }),
    isCut: () => isCut,
    hasFailed: () => hasFailed,
    arm: () => void (isArmed = true),
    disarm: () => void (isArmed = false),
  };
}

function faultOf(kind: Kind | undefined): Fault | undefined {
  if (kind === undefined) return undefined;
  if (kind === 'late') return 'fail late';
  return kind === 'power cut' || kind === 'late power cut' ? 'power cut' : 'fail';
}

function sqlFaultOf(kind: Kind | undefined): SqlFault | undefined {
  if (kind === undefined || kind === 'power cut' || kind === 'late power cut') return kind;
  return kind === 'late' ? 'fail late' : 'fail';
}

/** The state after the operation, and the steps that it takes if nothing fails. */
async function peacefully(operation: Operation): Promise<{ readonly after: string; readonly steps: Steps }> {
  const { service, steps, arm, disarm } = await begin(undefined);
  arm();
  expect(await operation.run(service)).toBe(true);
  disarm();
  const after = await stateOf(service);
  expect(service.failures).toEqual([]);
  await service.close();
  return { after, steps: steps() };
}

/** Runs the operation with one failure; what is wrong afterwards. Answers whether it took a sweep to run it again. */
async function tryFailing(operation: Operation, failure: Failure, after: string): Promise<boolean> {
  const about = JSON.stringify(failure);
  const { service: first, files: disk, isCut, hasFailed, arm, disarm } = await begin(failure);
  let [service, files] = [first, disk];
  arm();
  const isAcknowledged = await operation.run(service).catch(() => false);
  disarm();
  expect(hasFailed(), `${about} was not met`).toBe(true);
  if (hasReason(failure)) expect(service.internalErrors, `${about}: is told without its reason`).toEqual([]);
  const restart = async (): Promise<void> => {
    const { now } = service;
    await service.close();
    const coin = dice(failure.index);
    files = files.afterPowerCut(() => coin.below(2) === 0, { now: () => now });
    service = await reopened({ folder, fileSystem: files, outbound: importsFrom(remote), now });
    await service.sweepAtStart();
  };
  if (isCut()) await restart();
  let found = await stateOf(service);
  let needsSweep = false;
  if (!isAcknowledged && found.includes('unfinished ')) {
    // Nothing can be undone while nothing can be written: it is dropped within a minute (REPO-133).
    needsSweep = true;
    service.now += 31_000;
    await service.sweep();
    found = await stateOf(service);
  }
  if (isAcknowledged) expect(found, `${about}: acknowledged`).toBe(after);
  else expect([before, after], `${about}: half done`).toContain(found);
  if (found !== after || operation.isRepeatable === true) {
    let isDone = await operation.run(service).catch(() => false);
    if (!isDone) {
      needsSweep = true;
      service.now += 31_000;
      await service.sweep();
      isDone = await operation.run(service).catch(() => false);
    }
    expect(isDone, `${about}: the same again`).toBe(true);
    found = await stateOf(service);
    expect(found, `${about}: the same again`).toBe(after);
  }
  // One failure is undone at once (REPO-133). What nobody knows of, or can write to undo, is left to the sweep.
  if (failure.kind === 'once') expect(needsSweep, `${about}: is left to the sweep`).toBe(false);
  await restart();
  expect(await stateOf(service), `${about}: after a restart`).toBe(after);
  // What dead work left is removed within a day (GIT-153), what a deletion left when it has failed once, too.
  service.now += 2 * day;
  await service.sweep();
  service.now += day;
  await service.sweep();
  expect(await service.problems(), about).toEqual([]);
  expect(files.files.toSorted(), `${about}: files`).toEqual(await service.accounted());
  expect(service.failures, about).toEqual([]);
  await service.close();
  return needsSweep;
}

/** Whether clients are told why their request failed (REPO-175 to REPO-178). SQLite does not say what kept a file shut. */
function hasReason({ place, kind, code }: Failure): boolean {
  if (kind === 'power cut' || kind === 'late power cut') return false;
  return code === 'ENOSPC' || (code === 'EMFILE' && place !== 'database');
}

/** Each step fails with each code: on files in each way, in the database, which has many more steps, in one way each. */
function failuresOf(steps: Steps): readonly Failure[] {
  const all = (['files', 'reads', 'database'] as const).flatMap((place) =>
    Array.from({ length: steps[place] }, (_, index) =>
      kindsOf[place].flatMap((kind, i): readonly Failure[] => {
        const isOfAll = place !== 'database' && kind !== 'power cut';
        const chosen = isOfAll ? codes : [codes[(index + i) % codes.length] as Failure['code']];
        return chosen.map((code) => ({ place, index, kind, code }));
      }),
    ).flat(),
  );
  if (sampleSize >= all.length) return all;
  const chosen = dice(seed);
  return Array.from({ length: sampleSize }, () => chosen.pick(all));
}

describe('an operation of which a step fails', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'GIT-153, GIT-155, REPO-133: %s is done or not at all, and can be done again',
    async (_, operation) => {
      const { after, steps } = await peacefully(operation);
      expect(steps.database).toBeGreaterThan(0);
      const failures = failuresOf(steps);
      let swept = 0;
      for (const failure of failures) if (await tryFailing(operation, failure, after)) swept += 1;
      console.log(
        `PACKHOUSE_SEED=${seed}, ${operation.name}: ${JSON.stringify(steps)}, ${failures.length} failures, ${swept} needed a sweep`,
      );
    },
    sampleSize === Infinity ? 7_200_000 : 120_000 + sampleSize * 10_000,
  );
});
