/**
 * Makes each step of each operation fail in turn, on the files and in the database. A step fails once, permanently,
 * after it took effect, or through a power cut that loses unsynced data. `PACKHOUSE_FAULTS=all` tries each kind of
 * failure at each step. Otherwise it is the number of failures to try per operation, by default a few. `PACKHOUSE_SEED`
 * chooses them.
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
/** Failures to try per operation. The seed chooses them. */
const sampleSize = wanted === 'all' ? Infinity : Number(wanted);
const seed = Number(process.env['PACKHOUSE_SEED'] ?? Date.now() % 1_000_000);
const day = 86_400_000;

/** The place of a step: a change of files, a read of files, or the database. */
type Place = 'files' | 'reads' | 'database';

/**
 * - `once`: the step fails. `late`: it fails although it took effect.
 * - `lasting`: from this step on no write succeeds, as on a full disk; if the step is a read, no read.
 * - `power cut`: the process ends here, and unsynced data is lost. `late power cut`: the step took effect.
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
/** The latest service. The next service uses its database, too. */
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

/** Returns everything that clients can see, without ids that differ between runs. */
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

/** Opens a service over a copy of the template, with a failure until `stop` is called. */
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
      // A full disk can still be read.
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

/** Runs the operation without a failure. Returns the state afterwards, and the steps. */
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

/**
 * Runs the operation with one failure, and checks the state. Returns whether the operation could run again only after a
 * sweep.
 */
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
    // Undoing needs writes, so the repo is dropped within a minute (REPO-133).
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
  // A single failure is undone at once (REPO-133). Otherwise the sweep does it.
  if (failure.kind === 'once') expect(needsSweep, `${about}: is left to the sweep`).toBe(false);
  await restart();
  expect(await stateOf(service), `${about}: after a restart`).toBe(after);
  // Leftovers of dead work and of failed deletions are removed within a day (GIT-153).
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

/**
 * Returns true if clients get the reason of the failure (REPO-175 to REPO-178). SQLite does not say why it could not
 * open a file.
 */
function hasReason({ place, kind, code }: Failure): boolean {
  if (kind === 'power cut' || kind === 'late power cut') return false;
  return code === 'ENOSPC' || (code === 'EMFILE' && place !== 'database');
}

/**
 * Returns each step with each code: for files in each way; for the database, which has many more steps, in one way
 * each.
 */
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
    'GIT-153, GIT-155, REPO-133: %s is done completely or not at all, and can be repeated',
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
