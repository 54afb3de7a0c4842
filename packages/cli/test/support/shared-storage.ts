import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import type { Remote } from '@packhouse/conformance/tools/wire-client';
import { startPostgres, type PostgresServer } from '@packhouse/fixtures/postgres';
import { startS3Server, storeVariables, type S3Server } from '@packhouse/fixtures/s3';
import { seedOf } from '../kills/load.ts';
import { authOf, startGit } from '../kills/run-git.ts';
import { apiToken, startServer, type KillableServer } from './killable-server.ts';
import type { ProgramName } from './runtime-program.ts';

export interface SharedServerOptions {
  /** Default: the server picks one. */
  readonly port?: number;
  /** Default: Node. */
  readonly runtime?: ProgramName;
  /** Default: those of all servers that name no others. */
  readonly places?: { readonly packs: string; readonly url: string };
}

/** PostgreSQL and a bucket for servers that tests start. */
export interface SharedStorage {
  readonly folder: string;
  readonly database: PostgresServer;
  readonly store: S3Server;
  /** URL of the database of all servers that name no other one. */
  readonly url: string;
  start(name: string, options?: SharedServerOptions): Promise<KillableServer>;
  close(): Promise<void>;
}

/** @param settings in addition to those that lift the rates of requests. */
export async function openSharedStorage(settings: Readonly<Record<string, unknown>> = {}): Promise<SharedStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-several-'));
  const [database, store] = await Promise.all([startPostgres(), startS3Server('s3rver')]);
  const url = await database.createDatabase();
  const config = join(folder, 'config.json');
  const noRate = { requests: 100_000, seconds: 60 };
  writeFileSync(config, JSON.stringify({ rate_rest: noRate, rate_git: noRate, ...settings }));
  return {
    folder,
    database,
    store,
    url,
    start: (name, { port, runtime, places = { packs: `s3://${store.bucket}/main`, url } } = {}) =>
      startServer(join(folder, name), port, runtime, config, [], {
        words: ['--packs', places.packs],
        env: { DATABASE_URL: places.url, ...storeVariables(store) },
      }),
    async close() {
      await Promise.all([database.close(), store.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly result: Readonly<Record<string, string>> | null;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/** Sends a request about the namespace `default`. */
export async function rest(
  server: { readonly url: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const response = await fetch(`${server.url}/v4/accounts/local/repos/namespaces/default${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, headers, ...((await response.json()) as Omit<Reply, 'status' | 'headers'>) };
}

/** Creates a repo. Returns its token, and its remote at a server. */
export async function createRepo(
  name: string,
  through: { readonly url: string },
): Promise<{ readonly token: string; readonly at: (server: { readonly url: string }) => Remote }> {
  const { result } = await rest(through, 'POST', '/repos', { name });
  const token = String(result?.['token']);
  return { token, at: ({ url }) => ({ token, remote: `${url}/git/local/default/${name}.git` }) };
}

/** Makes a commit with a file of that many random bytes, which depend on the message, and the pack of both. */
export function madeChange(
  message: string,
  size: number,
  ...parents: readonly MadeObject[]
): { readonly node: MadeObject; readonly pack: Buffer } {
  const file = blob(noise(size, seedOf(message)));
  const root = tree({ [`${message.replaceAll(' ', '-')}.txt`]: file });
  const node = commit(message, root, parents);
  return { node, pack: pack(node, root, file) };
}

/**
 * Clones a repo with stock git, and checks the clone. Returns the ids of the commits of `main`, the newest first.
 *
 * @param folder where the clone is until this ends.
 * @throws if git fails.
 */
export async function clonedCommits(remote: Remote, folder: string): Promise<readonly string[]> {
  const clone = mkdtempSync(join(folder, 'clone-'));
  const git = async (...args: readonly string[]): Promise<string> => {
    const { status, out, err } = await startGit(args, clone);
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${err}`);
    return out;
  };
  await git(...authOf(remote), 'clone', '--quiet', '--bare', remote.remote, '.');
  await git('fsck', '--strict', '--full');
  const log = await git('log', '--format=%H', 'main');
  rmSync(clone, { recursive: true });
  return log.trim().split('\n');
}
