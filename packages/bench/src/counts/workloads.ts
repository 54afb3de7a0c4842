import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { maintainHostedRepo } from '@packhouse/hosting';
import { packhouse } from '@packhouse/router';
import { nodeStorage } from '@packhouse/storage/node';
import { fetchBody, type FetchRequest } from '../client/fetch.ts';
import { pushCommands, type RefChange } from '../client/push.ts';
import { Counter, type Counts } from './counts.ts';

/** The input of the workloads. Packs, as base64, are of stock Git: another version of it would make others. */
export interface CountsInput {
  readonly first: { readonly changes: readonly RefChange[]; readonly pack: string };
  /** Pushes of one commit each, each on top of the one before. */
  readonly next: readonly { readonly change: RefChange; readonly pack: string }[];
  /** The newest commit of the default branch. */
  readonly tip: string;
  readonly newest: Readonly<Record<'1' | '20', FetchRequest>>;
}

const folderOfCounts = join(import.meta.dirname, '..', '..', 'counts');
export const inputFile: string = join(folderOfCounts, 'input.json');
export const baselineFile: string = join(folderOfCounts, 'baseline.json');

/** Runs all workloads on one data folder. Resolves to the counts of each by its title. */
export async function countWorkloads(): Promise<Readonly<Record<string, Counts>>> {
  const input = JSON.parse(await readFile(inputFile, 'utf8')) as CountsInput;
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-counts-'));
  const counter = new Counter();
  const engine = createGitEngine({ codec: nodeCodec() });
  const storage = nodeStorage({ dataDir: folder, fileSystem: counter.fileSystem });
  const service = packhouse({
    storage,
    engine,
    authorize: async () => [
      { account: 'local', permission: 'Repos Edit' },
      { account: 'local', permission: 'Tag Write' },
    ],
  });
  const rows: Record<string, Counts> = {};
  try {
    const client = new Client(service.fetch);
    const count = async (title: string, operation: () => Promise<number>): Promise<void> => {
      rows[title] = await counter.of(engine, operation);
      // The time of a push is written a second later, which may be in any workload, or before a read of the catalog.
      await client.rest('GET', '');
    };
    await client.create('warm');
    await count('create', () => client.create('notes'));
    await count('first push', () => client.push('notes', input.first.changes, input.first.pack));
    const [one, ...others] = input.next;
    if (one === undefined) throw new Error('There is no next push');
    const { tip, newest } = input;
    const parts: readonly (readonly [title: string, request: FetchRequest])[] = [
      ['clone of everything', { wants: [...new Set(input.first.changes.map(({ to }) => to))], haves: [] }],
      ['clone of one branch', { wants: [tip], haves: [] }],
      ['clone with depth 1', { wants: [tip], haves: [], isShallow: true }],
      ['clone with depth 1, again', { wants: [tip], haves: [], isShallow: true }],
      ['clone with blob:none', { wants: [tip], haves: [], filter: 'blob:none' }],
      ['clone with tree:0', { wants: [tip], haves: [], filter: 'tree:0' }],
      ['fetch of the newest 1', newest['1']],
      ['fetch of the newest 20', newest['20']],
    ];
    for (const [title, request] of parts) await count(title, () => client.fetch('notes', request));
    await count('ls-refs', () => client.refs('notes'));
    await count('push of one commit', () => client.push('notes', [one.change], one.pack));
    for (const { change, pack } of others) await client.push('notes', [change], pack);
    await client.rest('GET', '');
    const last = others.at(-1)?.change;
    const ofPushed = { wants: [last?.to ?? ''], haves: [last?.from ?? ''] };
    await count('fetch of 1 after many pushes', () => client.fetch('notes', ofPushed));
    await count('maintenance', async () => {
      const { packs, state } = storage.repos.repo('local', client.idOf('notes'), 'unrestricted');
      const repo = { id: client.idOf('notes'), packs, state };
      // As a minute later, with all packs in files.
      const time = { now: Date.now() + 120_000, grace: 60_000, retireGrace: 60_000 };
      const sizes = { mergeMax: Infinity, rowsMax: 0, quietMerge: { after: 60_000, alwaysMax: Infinity } };
      await maintainHostedRepo(engine, repo, {
        ...time,
        ...sizes,
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      });
      return 0;
    });
    await count('clone of one branch from files', () => client.fetch('notes', { wants: [tip], haves: [] }));
    await count('fetch of the newest 20 from files', () => client.fetch('notes', newest['20']));
    await count('fork', () => client.rest('POST', 'notes/fork', { name: 'copy' }));
    await count('list', () => client.rest('GET', ''));
    return rows;
  } finally {
    await service.close();
    counter.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Talks to the service in this process. Each method resolves to the number of bytes of the reply. */
class Client {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #made = new Map<string, { readonly id: string; readonly token: string }>();

  constructor(fetch: (request: Request) => Promise<Response>) {
    this.#fetch = fetch;
  }

  async create(name: string): Promise<number> {
    const reply = await this.#ask('POST', api, 'any', JSON.stringify({ name }), 'application/json');
    const { result } = JSON.parse(reply.toString()) as { result: { id: string; token: string } };
    this.#made.set(name, result);
    return reply.length;
  }

  idOf(name: string): string {
    return this.#made.get(name)?.id ?? '';
  }

  async push(name: string, changes: readonly RefChange[], pack: string): Promise<number> {
    const body = Buffer.concat([Buffer.from(pushCommands(changes)), Buffer.from(pack, 'base64')]);
    const reply = await this.#git(name, 'git-receive-pack', body);
    if (reply.includes('\nng ') || !reply.includes('unpack ok')) throw new Error(reply.toString());
    return reply.length;
  }

  async fetch(name: string, request: FetchRequest): Promise<number> {
    const reply = await this.#git(name, 'git-upload-pack', Buffer.from(fetchBody(request)));
    if (!reply.includes('PACK')) throw new Error(reply.toString());
    return reply.length;
  }

  async refs(name: string): Promise<number> {
    const body = '0014command=ls-refs\n0001001bref-prefix refs/heads/\n0000';
    return (await this.#git(name, 'git-upload-pack', Buffer.from(body))).length;
  }

  async rest(method: string, path: string, body?: object): Promise<number> {
    return (
      await this.#ask(method, `${api}/${path}`.replace(/\/$/, ''), 'any', JSON.stringify(body), 'application/json')
    ).length;
  }

  #git(name: string, service: string, body: Buffer): Promise<Buffer> {
    const url = `http://127.0.0.1:8787/git/local/default/${name}.git/${service}`;
    const token = this.#made.get(name)?.token ?? '';
    return this.#ask('POST', url, token, new Uint8Array(body), `application/x-${service}-request`);
  }

  async #ask(method: string, url: string, token: string, body: BodyInit | undefined, type: string): Promise<Buffer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'git-protocol': 'version=2' };
    const init = body === undefined ? {} : { body };
    const response = await this.#fetch(new Request(url, { method, headers, ...init }));
    const reply = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${reply.toString()}`);
    return reply;
  }
}

const api = 'http://127.0.0.1:8787/v4/accounts/local/repos/namespaces/default/repos';
