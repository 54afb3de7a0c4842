import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '@packhouse/fixtures';
import { startServer, type KillableServer } from '../support/killable-server.ts';
import { serveTlsRemote, type TlsRemote } from '../support/tls-remote.ts';
import { clientOf } from './client.ts';
import { Ledger } from './ledger.ts';
import type { Observed } from './observe.ts';

/** Far above the load of a run, which comes from one address. */
const noRate = { requests: 1_000_000, seconds: 1 };

/** A service under load, and the knowledge of its clients. */
export interface World extends Observed {
  readonly folder: string;
  readonly ledger: Ledger;
  /** A bare repository with two branches and a tag, which is never changed. */
  readonly seed: string;
  /** The URL from which `seed` can be imported. */
  readonly importUrl: string;
  /** Things that must never happen, in order of occurrence. */
  readonly problems: string[];
  /** Statuses of replies from which a client learns nothing, since a fault that is tried causes them. */
  readonly outages: ReadonlySet<number>;
  /** Returns true for the text of a failure that such a fault causes. */
  isOutage(text: string): boolean;
}

/** One data folder and its server. */
export interface FolderWorld extends World {
  readonly data: string;
  readonly config: string;
  readonly server: KillableServer;
  /** Starts the server, always on the same port. */
  start(): Promise<KillableServer>;
  close(): Promise<void>;
}

/** The parts that worlds of all kinds have: a folder, and the remote of imports. */
export interface Ground extends Pick<World, 'folder' | 'seed' | 'importUrl'> {
  readonly config: string;
  close(): Promise<void>;
}

/** @param settings in addition to those of every world. */
export async function openGround(settings: Readonly<Record<string, unknown>> = {}): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-kills-'));
  const [config, remotes] = [join(folder, 'config.json'), join(folder, 'remotes')];
  mkdirSync(remotes);
  writeFileSync(
    config,
    JSON.stringify({
      gc_grace: 1,
      stale_want_grace: 0,
      import_allow: ['localhost'],
      rate_rest: noRate,
      rate_git: noRate,
      rate_tags: noRate,
      ...settings,
    }),
  );
  const seed = join(remotes, 'seed.git');
  makeSeed(seed);
  const remote: TlsRemote = await serveTlsRemote(remotes, 1);
  Object.assign(process.env, remote.environment);
  return {
    folder,
    config,
    seed,
    importUrl: `${remote.origin}/seed.git`,
    async close() {
      await remote.close();
      for (const name of Object.keys(remote.environment)) delete process.env[name];
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function openWorld(): Promise<FolderWorld> {
  const ground = await openGround();
  const data = join(ground.folder, 'data');
  let server: KillableServer | undefined;
  let port = 0;
  const running = (): KillableServer => {
    if (server === undefined) throw new Error('no server was started');
    return server;
  };
  return {
    ...ground,
    data,
    ledger: new Ledger(),
    ...clientOf(() => running().url, new Map()),
    problems: [],
    outages: new Set(),
    isOutage: () => false,
    get server() {
      return running();
    },
    async start() {
      server = await startServer(data, port, 'node', ground.config);
      port = Number(new URL(server.url).port);
      return server;
    },
    async close() {
      await server?.kill();
      await ground.close();
    },
  };
}

/**
 * Makes a repository whose import has a pack in rows and one in files, since forks and imports treat these differently.
 */
function makeSeed(folder: string): void {
  runGit(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  const stream = ['one', 'two', 'three'].map((name, i) => {
    const content = name.repeat(i === 1 ? 600_000 : 2_000);
    return `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + i} +0000\ndata 0\nM 100644 inline ${name}\ndata ${content.length}\n${content}\n`;
  });
  stream.push('reset refs/heads/side\nfrom refs/heads/main\n\n', 'reset refs/tags/v1\nfrom refs/heads/main\n\n');
  runGit(['-c', 'core.compression=0', '-c', 'pack.compression=0', 'fast-import', '--quiet'], {
    cwd: folder,
    input: stream.join(''),
  });
}

/** The refs of a bare repository, by name. */
export function refsOf(folder: string): ReadonlyMap<string, string> {
  const lines = runGit(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd: folder }).toString().trim();
  return new Map(lines.split('\n').map((line) => line.split(' ') as [string, string]));
}
