import type { CoveredDocument, Elsewhere } from './elsewhere.ts';

/** A requirement of Git that tests check on each runtime. */
export interface OnEachRuntime {
  readonly id: string;
  readonly why: string;
  /** Files that name the requirement in a test. The files below run those of a contract. */
  readonly named: readonly [string, ...string[]];
  /** The file that Node runs, and Deno and Bun through `packages/cli/test/suites.runtimes.test.ts`. */
  readonly server: string;
  /** The file that runs in, or against, workerd. Undefined if the requirement does not hold there. */
  readonly workerd?: string;
  /** True if cases check the other part. Default: false. */
  readonly inPart?: boolean;
}

export const onEachRuntime: readonly OnEachRuntime[] = [
  {
    id: 'GIT-030',
    why: 'an import is the only state that a client can prolong',
    named: ['packages/server/test/git/not-ready.test.ts', 'packages/workers/test/states.runtimes.test.ts'],
    server: 'packages/server/test/git/not-ready.test.ts',
    workerd: 'packages/workers/test/states.runtimes.test.ts',
    inPart: true,
  },
  {
    id: 'GIT-032',
    why: 'storage has to fail',
    named: ['packages/server/test/git/slow-storage.long.test.ts', 'packages/workers/test/states.runtimes.test.ts'],
    server: 'packages/server/test/git/slow-storage.long.test.ts',
    workerd: 'packages/workers/test/states.runtimes.test.ts',
  },
  {
    id: 'GIT-147',
    why: 'no client has two objects of one id',
    named: ['packages/git/src/contract/collision.ts'],
    server: 'packages/storage/test/collision.test.ts',
    workerd: 'packages/workers/test/inside/collision.test.ts',
  },
  {
    id: 'GIT-178',
    why: 'what is buffered shows in the log and in memory',
    named: ['packages/server/test/git/streaming.long.test.ts', 'packages/workers/test/slow-clients.runtimes.test.ts'],
    server: 'packages/server/test/git/streaming.long.test.ts',
    workerd: 'packages/workers/test/slow-clients.runtimes.test.ts',
  },
  {
    id: 'GIT-188',
    why: 'the bytes that a push makes are counted inside',
    named: ['packages/git/src/receive-pack/large-folders.test.ts'],
    server: 'packages/git/src/receive-pack/large-folders.test.ts',
  },
  {
    id: 'GIT-190',
    why: 'a plan shows inside',
    named: ['packages/git/src/pack/receive/memory-plan.test.ts', 'packages/workers/test/pieces.runtimes.test.ts'],
    server: 'packages/git/src/pack/receive/memory-plan.test.ts',
    workerd: 'packages/workers/test/pieces.runtimes.test.ts',
  },
  {
    id: 'GIT-195',
    why: 'threads do not show outside',
    named: ['packages/git/src/threads/receiving-threads.long.test.ts'],
    server: 'packages/git/src/threads/receiving-threads.long.test.ts',
  },
  {
    id: 'GIT-191',
    why: 'maintenance runs inside',
    named: ['packages/git/src/maintain/next-run.test.ts', 'packages/workers/test/pieces.runtimes.test.ts'],
    server: 'packages/git/src/maintain/next-run.test.ts',
    workerd: 'packages/workers/test/pieces.runtimes.test.ts',
  },
  {
    id: 'GIT-193',
    why: 'the bytes written show in the data folder',
    named: ['packages/server/test/git/written-bytes.long.test.ts'],
    server: 'packages/server/test/git/written-bytes.long.test.ts',
  },
  {
    id: 'GIT-194',
    why: 'maintenance runs inside',
    named: ['packages/git/src/maintain/forward-deltas.long.test.ts'],
    server: 'packages/git/src/maintain/forward-deltas.long.test.ts',
  },
  {
    id: 'LIM-071',
    why: 'a stored pack shows in the data folder',
    named: [
      'packages/server/test/git/prepared-packs.long.test.ts',
      'packages/workers/test/prepared-packs.runtimes.test.ts',
    ],
    server: 'packages/server/test/git/prepared-packs.long.test.ts',
    workerd: 'packages/workers/test/prepared-packs.runtimes.test.ts',
  },
  {
    id: 'LIM-075',
    why: 'free pages show in the database file',
    named: ['packages/base/src/sql/free-pages.test.ts'],
    server: 'packages/base/src/sql/free-pages.test.ts',
  },
];

/** Clauses of requirements that no client can bring about, or see. Cases assert the other clauses. */
const parts: readonly Omit<Elsewhere, 'inPart'>[] = [
  {
    id: 'GIT-012',
    why: 'whether a refusal comes in place of 100 depends on the runtime',
    file: 'packages/server/test/sockets/listener.test.ts',
  },
  {
    id: 'GIT-070',
    why: 'no client can make a fetch silent for long',
    file: 'packages/server/test/git/slow-storage.long.test.ts',
  },
  {
    id: 'GIT-071',
    why: 'storage has to fail while a pack is sent',
    file: 'packages/server/test/packs/stored-pack-breaks.test.ts',
  },
  {
    id: 'GIT-099',
    why: 'no client can make a fetch silent for long',
    file: 'packages/git/src/wire/side-band.test.ts',
  },
  {
    id: 'GIT-117',
    why: 'only code in the process sees what the push port gets',
    file: 'packages/server/test/git/slow-storage.long.test.ts',
  },
  {
    id: 'GIT-129',
    why: 'no client can create a hidden ref',
    file: 'packages/server/test/git/hidden-refs.test.ts',
  },
  {
    id: 'GIT-153',
    why: 'the process has to die, or storage to fail',
    file: 'packages/cli/test/kill.long.test.ts',
  },
  {
    id: 'GIT-155',
    why: 'the process has to die right after the reply',
    file: 'packages/cli/test/power-cuts/power-cuts.long.test.ts',
  },
  {
    id: 'GIT-158',
    why: 'a fetch may end before its repo is deleted',
    file: 'packages/git/src/engine/deleted-meanwhile.test.ts',
  },
  {
    id: 'GIT-159',
    why: 'the process has to die between two writes',
    file: 'packages/storage/test/storage.test.ts',
  },
  {
    id: 'GIT-166',
    why: 'a repo is above its limit only after that was lowered',
    file: 'packages/server/test/git/restart.test.ts',
  },
];

/** Rows of `git.md`: all of `GIT`, and those of `LIM` about Git. */
export const git: CoveredDocument = {
  document: 'docs/specification/git.md',
  areas: ['GIT', 'LIM'],
  count: 174,
  elsewhere: [
    ...onEachRuntime.map(({ id, why, named: [file], inPart = false }) => ({ id, why, file, inPart })),
    ...parts.map((part) => ({ ...part, inPart: true })),
  ],
};
