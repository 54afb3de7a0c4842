import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment, makeSampleRepositories } from '@packhouse/fixtures';
import { serveNode, type Serving } from '@packhouse/server/node';
import { nodeStorage } from '@packhouse/storage/node';
import { expect } from 'vitest';
import { ran } from '../commands/in-process.ts';
import { apiToken } from './killable-server.ts';

const run = promisify(execFile);

export async function git(...args: readonly string[]): Promise<string> {
  const options = { env: gitEnvironment, maxBuffer: 64 * 1_048_576 };
  return (await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], options)).stdout.trim();
}

/** No program listens there, so events wait. */
export const settings = {
  webhook_url: 'http://127.0.0.1:9/',
  webhook_secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  webhook_allow: ['127.0.0.1'],
};

/** Runs a command against a server, and returns the JSON that it printed. */
export async function api(server: Serving, ...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const env = { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: apiToken };
  const { code, out, err } = await ran([...args, '--json'], { env });
  expect([args.join(' '), code, err]).toEqual([args.join(' '), 0, '']);
  return JSON.parse(out.split('\n')[0] ?? '') as Record<string, string>;
}

/** A data folder, and the tokens of its repositories by their names. */
export interface FolderToMigrate {
  readonly data: string;
  readonly tokens: ReadonlyMap<string, string>;
}

/**
 * Makes a data folder with sample repositories, packs in rows and in files, a fork that shares some, tags, tokens, events
 * that wait, and deleted repositories: one of them shares a pack with a fork that lives.
 */
export async function makeFolderToMigrate(root: string, samples: readonly string[]): Promise<FolderToMigrate> {
  const [data, work] = [join(root, 'data'), join(root, 'work')];
  const server = await serveNode({ port: 0, data, apiToken, config: { settings } });
  const tokens = new Map<string, string>();
  const create = async (name: string): Promise<void> => {
    tokens.set(name, String((await api(server, 'repo', 'create', name))['token']));
  };
  const push = async (from: string, name: string, ...refs: readonly string[]): Promise<void> => {
    const header = `http.extraHeader=Authorization: Bearer ${tokens.get(name)}`;
    await git('-C', from, '-c', header, 'push', '-q', remoteOf(server, name), ...refs);
  };
  for (const { name, path } of makeSampleRepositories(join(root, 'samples'))) {
    if (!samples.includes(name)) continue;
    await create(name);
    if (name !== 'empty') await push(path, name, '+refs/*:refs/*');
  }
  await git('init', '-q', '-b', 'main', work);
  for (const name of ['large', 'parent']) {
    await create(name);
    for (const size of [3_000_000, 1_200_000, 10]) {
      writeFileSync(join(work, 'file'), randomBytes(size));
      await git('-C', work, 'add', '.');
      await git('-C', work, 'commit', '-q', '-m', `${name} ${size}`);
      await push(work, name, 'main');
    }
    tokens.set(`${name}-fork`, String((await api(server, 'repo', 'fork', name, `${name}-fork`))['token']));
  }
  await api(server, 'repo', 'delete', 'parent', '--yes');
  await create('gone');
  await api(server, 'repo', 'delete', 'gone', '--yes');
  await api(server, 'repo', 'update', 'large', '--description', '\ufeffa\u0000b — é');
  await api(server, 'tag', 'set', 'repository', 'default/large', 'env=prod', 'note=\ufeffx', 'Équipe=Données');
  const { id } = await api(server, 'token', 'create', 'large', '--scope', 'read');
  await api(server, 'token', 'create', 'large', '--ttl', '2h');
  await api(server, 'token', 'revoke', String(id));
  for (const name of ['parent', 'gone']) tokens.delete(name);
  await server.close();
  // Writes to the catalog what a server writes when it starts.
  nodeStorage({ dataDir: data }).close();
  return { data, tokens };
}

function remoteOf({ url }: Serving, name: string): string {
  return `${url}/git/local/default/${name}.git`;
}

/** Replies to these are compared. */
const commands = [
  ['namespace', 'list'],
  ['repo', 'list'],
  ['token', 'list', 'large', '--state', 'all'],
  ['tag', 'list'],
  ['tag', 'get', 'repository', 'default/large'],
];

/** Returns what clients see: replies of REST, and the refs of a sound mirror of each repository. */
export async function seenThrough(server: Serving, { tokens }: FolderToMigrate, mirrors: string): Promise<unknown> {
  const env = { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: apiToken };
  const replies = await Promise.all(
    commands.map(async (args) => {
      const { out } = await ran([...args, '--json'], { env });
      return out
        .replaceAll(server.url, 'URL')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    }),
  );
  const refs: string[] = [];
  for (const [name, token] of tokens) {
    const mirror = join(mirrors, `${name}.git`);
    const header = `http.extraHeader=Authorization: Bearer ${token}`;
    await git('-c', header, 'clone', '-q', '--mirror', remoteOf(server, name), mirror);
    await git('-C', mirror, 'fsck', '--full');
    refs.push(`${name} ${existsSync(join(mirror, 'HEAD'))} ${await git('-C', mirror, 'for-each-ref')}`);
  }
  return { replies, refs };
}
