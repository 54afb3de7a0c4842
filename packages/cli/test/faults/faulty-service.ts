import { join } from 'node:path';
import { createGitEngine, packFiles, rowPackMax } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { apiPermissions, listedTokens, packhouse } from '@packhouse/router';
import { maintainHostedRepo, neutral, type Outbound, sweepLeftovers } from '@packhouse/hosting';
import { nodeStorage } from '@packhouse/storage/node';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { faultySql, type SqlFault, type SqlFaultCode, type SqlStep } from '@packhouse/base/testing';
import type { FaultyFileSystem } from '@packhouse/storage/testing';
import { push, type Command } from '@packhouse/conformance/tools/wire-client';
import { databaseProblems, knownRepos } from '../../src/data-folder/inventory.ts';
import { repoCheck } from '../../src/data-folder/repo-check.ts';
import { examine } from '../../src/data-folder/examine.ts';
import type { Observed } from '../kills/observe.ts';

const apiToken = 'test-token-that-is-long-enough-0123456789';
const origin = 'http://127.0.0.1';
const day = 86_400_000;
const noRate = { requests: 1_000_000, seconds: 1 };
/** Milliseconds that replaced packs are kept. */
const retireGrace = 60_000;

/** The time at which a test begins, in milliseconds since 1970. */
export const startTime = 1_800_000_000_000;

export interface FaultyServiceOptions {
  /** The data folder in the file system. */
  readonly folder: string;
  /** The folder of the database. Default: `folder`. */
  readonly databaseFolder?: string | undefined;
  /** The file system for the packs. */
  readonly fileSystem: FaultyFileSystem;
  readonly sqlFault?: (step: SqlStep) => SqlFault | undefined;
  /** The system error behind faults of the database. */
  readonly sqlFaultCode?: SqlFaultCode;
  /** Connections for imports. Default: none. */
  readonly outbound?: Outbound;
  readonly now?: number;
}

/** The whole service in this process, with failures in its database and files. */
export interface FaultyService extends Observed {
  /** Logged failures. */
  readonly failures: readonly unknown[];
  /** Replies that report an internal error. */
  readonly internalErrors: readonly string[];
  /** The time when it was opened, in milliseconds since 1970. */
  readonly started: number;
  /** Its clock, which a test advances. */
  now: number;
  fetch(request: Request): Promise<Response>;
  /** Pushes. Resolves to true if the push and all its refs were reported as done. */
  push(repo: string, commands: readonly Command[], pack?: Uint8Array): Promise<boolean>;
  /** Maintains all repositories once, as the server does. Rejects if one fails. */
  maintain(): Promise<void>;
  /** Does the work of a server's start. */
  sweepAtStart(): Promise<void>;
  /** Does the periodic work of a server. */
  sweep(): Promise<void>;
  /** Returns what `doctor` finds wrong. */
  problems(): Promise<readonly unknown[]>;
  /** Returns the paths of the files that repositories refer to, sorted. */
  accounted(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openFaultyService(options: FaultyServiceOptions): Promise<FaultyService> {
  const { folder, fileSystem, sqlFault = () => undefined, outbound, databaseFolder = folder } = options;
  const storage = nodeStorage({
    dataDir: folder,
    fileSystem,
    openDatabase() {
      const driver = openNodeSqlite(join(databaseFolder, 'packhouse.sqlite'));
      // No test cuts the power of this disk. A test of `openNodeSqlite` checks that a server syncs fully.
      driver.all('PRAGMA synchronous = OFF');
      return { ...faultySql(driver, sqlFault, options.sqlFaultCode), close: () => driver.close() };
    },
  });
  const failures: unknown[] = [];
  const report = (error: unknown): void => void failures.push(error);
  const background = new Set<Promise<void>>();
  const engine = createGitEngine({ codec: nodeCodec() });
  const started = options.now ?? startTime;
  let now = started;
  const known = listedTokens([{ token: apiToken, account: 'local', permissions: apiPermissions }], neutral);
  const { hosting, fetch: answer } = packhouse({
    storage,
    engine,
    authorize: (token) => known.authorize(token),
    ...(outbound !== undefined && { outbound }),
    settings: {
      accounts: ['local'],
      public_url: origin,
      token_ttl_default: 31_536_000,
      rate_rest: noRate,
      rate_git: noRate,
      rate_tags: noRate,
    },
    clock: { now: () => now },
    background(work) {
      background.add(work);
      void work.finally(() => background.delete(work));
    },
    failed: report,
  });
  const internalErrors: string[] = [];
  const handler = async (request: Request): Promise<Response> => {
    const response = await answer(request);
    if (response.status === 500) internalErrors.push(`${request.method} ${new URL(request.url).pathname}`);
    return response;
  };
  const repositories = () =>
    knownRepos(storage.driver).map((known) => ({
      known,
      ...storage.repos.repo(known.account, known.id, known.jurisdiction),
    }));
  const tokens = new Map<string, string>();
  const service: FaultyService = {
    failures,
    internalErrors,
    tokens,
    started,
    get now() {
      return now;
    },
    set now(value) {
      now = value;
    },
    fetch: handler,
    async rest(method, path, body) {
      const response = await handler(
        new Request(`${origin}/v4/accounts/local${path}`, {
          method,
          headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      const { result = null, result_info: info } = (text === '' ? {} : JSON.parse(text)) as {
        readonly result?: unknown;
        readonly result_info?: { readonly cursor?: string };
      };
      return { status: response.status, result, cursor: info?.cursor };
    },
    remote: (repo) => ({
      remote: `${origin}/git/local/default/${repo}.git`,
      token: tokens.get(repo) ?? '',
      fetch: async (url, init) => handler(new Request(url, init)),
    }),
    async push(repo, commands, pack) {
      const report = await push(service.remote(repo), commands, pack).catch(() => []);
      internalErrors.push(...report.filter((line) => /internal error|unpacker error/.test(line)));
      return report.length === commands.length + 1 && report.every((line) => /^(unpack )?ok/.test(line));
    },
    async maintain() {
      for (const { known, ...repo } of repositories()) {
        if (!known.stored || known.unfinished) continue;
        await maintainHostedRepo(engine, repo, {
          now,
          grace: day,
          retireGrace,
          mergeMax: Number.MAX_SAFE_INTEGER,
          rowsMax: rowPackMax,
          quietMerge: { after: day, alwaysMax: Number.MAX_SAFE_INTEGER },
          inUse: (id) => engine.leases.has(id),
          newId: () => crypto.randomUUID(),
        });
      }
    },
    async sweepAtStart() {
      await hosting.sweep('local', { grace: 0 });
      for (const { state, packs } of repositories()) await sweepLeftovers(state, packs, now, 0);
    },
    async sweep() {
      await hosting.sweep('local');
      for (const { state, packs } of repositories()) await sweepLeftovers(state, packs, now);
    },
    async problems() {
      return (
        await examine(
          {
            problems: databaseProblems(storage.driver),
            known: knownRepos(storage.driver),
            storage: storage.repos,
            packsOfNobody: async () => 0,
          },
          [repoCheck()],
        )
      ).problems;
    },
    async accounted() {
      const paths: string[] = [];
      for (const { known, state } of repositories()) {
        const kept = [
          ...((await state.snapshot())?.packs ?? []),
          ...(await state.retiredPacks()).map(({ pack }) => pack),
        ];
        for (const { id } of kept.filter(({ where }) => where === 'store')) {
          paths.push(...packFiles.map((file) => join(folder, 'packs', known.account, known.id, `${id}.${file}`)));
        }
      }
      return paths.toSorted();
    },
    async close() {
      hosting.stop();
      while (background.size > 0) await Promise.all(background);
      storage.close();
    },
  };
  return service;
}
