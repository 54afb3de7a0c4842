import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleSeed } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runtimeProgram } from './support/runtime-program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/**
 * Tests of code that uses a runtime's own modules: sockets, `node:sqlite`, files, `node:zlib`, locks. Also tests of
 * what the conformance suite cannot see from outside.
 */
const suites = [
  'packages/server/test/sockets/sockets.test.ts',
  'packages/server/test/sockets/sockets-clients.test.ts',
  'packages/server/test/sockets/stop-serving.test.ts',
  'packages/server/src/data-folder/data-folder.test.ts',
  'packages/base/src/sql/node-sqlite.test.ts',
  'packages/base/src/sql/free-pages.test.ts',
  'packages/storage/src/sql/repo-state/repo-state.test.ts',
  'packages/tagging/src/stores/sql.long.test.ts',
  'packages/storage/test/sql-faults.test.ts',
  'packages/storage/src/files/file-packs.long.test.ts',
  'packages/storage/test/shallow-repository.test.ts',
  'packages/storage/test/collision.test.ts',
  'packages/server/test/git/not-ready.test.ts',
  'packages/server/test/git/slow-storage.long.test.ts',
  'packages/server/test/git/stalled-uploads.test.ts',
  'packages/server/test/git/streaming.long.test.ts',
  'packages/server/test/git/storage-gone.test.ts',
  'packages/server/test/git/prepared-packs.long.test.ts',
  'packages/server/test/git/written-bytes.long.test.ts',
  'packages/git/src/codec/node.long.test.ts',
  'packages/git/src/threads/receiving-threads.long.test.ts',
  'packages/server/test/sockets/socket-outbound.test.ts',
  'packages/binding/src/create-binding.test.ts',
  'packages/binding/src/open-handle.test.ts',
  'packages/server/test/binding/open-host.test.ts',
  'packages/server/test/binding/reads.test.ts',
];

/** Tests of the engine, whose code is the same everywhere. In a sample each runs on one of the runtimes, by turns. */
const byTurns = [
  'packages/git/src/pack/receive/memory-plan.test.ts',
  'packages/git/src/receive-pack/large-folders.test.ts',
  'packages/git/src/maintain/next-run.test.ts',
  'packages/git/src/maintain/forward-deltas.long.test.ts',
  'packages/git/src/codec/portable.long.test.ts',
];

function suitesOf(name: 'deno' | 'bun'): readonly string[] {
  const seed = sampleSeed();
  const turn = name === 'deno' ? 0 : 1;
  return [...suites, ...byTurns.filter((_, i) => seed === undefined || (i + seed) % 2 === turn)];
}

/**
 * How a runtime runs the test runner, and the known failures there (docs/operating.md, "What differs between
 * runtimes").
 */
const runtimes = [
  {
    name: 'deno',
    before: ['run', '--quiet', '-A'],
    after: [],
    known: ['SqlDriver: node:sqlite keeps values of each kind'],
  },
  // Its child processes lack a feature that the runner's process pool needs.
  { name: 'bun', before: ['--bun'], after: ['--pool=threads'], known: [] },
] as const;

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-runtimes-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** @param signal aborts the run. */
async function runSuites({ name, before, after }: (typeof runtimes)[number], signal: AbortSignal): Promise<Report> {
  const output = join(folder, 'report.json');
  // Files share workers, as they do on Node: each loads the same modules.
  const options = ['--no-isolate', '--reporter=json', `--outputFile=${output}`];
  const args = [...before, vitest, 'run', ...after, ...options, ...suitesOf(name)];
  // The variables that configure the runner's own workers are not for the other runner. All runs of a property are
  // those on Node.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(?:VITEST|TINYPOOL|PACKHOUSE_)/.test(key)),
  );
  const child = spawn(runtimeProgram(name), args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The workers of the runner end when it does.
    signal,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-5_000)));
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  try {
    return JSON.parse(readFileSync(output, 'utf8')) as Report;
  } catch {
    throw new Error(`No report: ${text}`);
  }
}

describe.each(runtimes)('on $name', (runtime) => {
  it(`${runtime.name}: sockets, SQLite, files, locks and codec pass the tests of Node`, async ({ signal }) => {
    const report = await runSuites(runtime, signal);
    const failed = report.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed'),
    );
    const unknown = failed.filter(({ fullName }) => !(runtime.known as readonly string[]).includes(fullName));
    expect(unknown.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('; ')}`)).toEqual([]);
    expect(report.testResults.map(({ message }) => message).filter((message) => message !== '')).toEqual([]);
    // A test that no longer fails must be removed from the list.
    expect(failed.map(({ fullName }) => fullName)).toEqual(runtime.known);
    expect(report.testResults).toHaveLength(suitesOf(runtime.name).length);
    expect(report.numPassedTests).toBeGreaterThan(280);
  }, 1_200_000);
});
