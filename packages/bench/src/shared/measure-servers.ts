import { randomUUID } from 'node:crypto';
import { fetchPack } from '../client/fetch.ts';
import { pushPack } from '../client/push.ts';
import type { Remote } from '../client/remote.ts';
import { ratePerSecond } from '../measures/rounds.ts';
import type { Inputs } from './operations.ts';
import type { SharedServer, SharedStorage } from './shared-storage.ts';

/** Rate of one kind of request on a number of servers. All but the rate are of one request, times in milliseconds. */
export interface ServersRow extends Work {
  readonly title: string;
  readonly servers: number;
  readonly perSecond: number;
}

/** Processor times, and what the servers asked for. */
interface Work {
  readonly serverTime: number;
  readonly databaseTime: number;
  readonly statements: number;
  readonly bucketTime: number;
  /** PUTs and GETs. */
  readonly objectCalls: number;
}

/** Connections of the clients, to all servers together. */
const connections = 16;

/** Pushes of one commit for each push of 3 MB. */
const perLarge = 10;

/** Measures pushes and clones a second through several servers of one storage, with clients on the same machine. */
export const measureServers = async (
  storage: SharedStorage,
  servers: readonly SharedServer[],
  { small, large }: Inputs,
  requests: number,
): Promise<ServersRow[]> => {
  const sum = (of: (server: SharedServer) => number): number => servers.reduce((all, one) => all + of(one), 0);
  const work = (): Work => ({
    serverTime: sum((one) => one.processorTime?.() ?? 0),
    databaseTime: storage.databaseTime(),
    statements: sum((one) => one.counts().statements),
    bucketTime: storage.bucketTime(),
    objectCalls: sum((one) => one.counts().puts + one.counts().gets),
  });
  const measure = async (
    title: string,
    count: number,
    run: (turn: number) => Promise<unknown>,
  ): Promise<ServersRow> => {
    let turn = 0;
    const before = work();
    const perSecond = await ratePerSecond(count, connections, () => run(turn++));
    const after = work();
    const ofOne = (member: keyof Work): number => (after[member] - before[member]) / count;
    return {
      title,
      servers: servers.length,
      perSecond,
      serverTime: ofOne('serverTime'),
      databaseTime: ofOne('databaseTime'),
      statements: ofOne('statements'),
      bucketTime: ofOne('bucketTime'),
      objectCalls: ofOne('objectCalls'),
    };
  };
  const largeRequests = Math.ceil(requests / perLarge);
  const remotes: Remote[] = [];
  for (let i = 0; i < requests + connections + largeRequests; i++) {
    const server = servers[i % servers.length] as SharedServer;
    remotes.push(await server.createRepository(`pushed-${randomUUID()}`));
  }
  const push = (i: number): Promise<void> => pushPack(remotes[i] as Remote, [small.change], small.packFile);
  // These open connections, and compile.
  for (let i = 0; i < connections; i++) await push(i);
  const pushes = await measure('pushes of one commit', requests, (turn) => push(turn + connections));
  const clone = { wants: [small.change.to], haves: [] };
  const clones = await measure('clones of one commit', requests, (turn) => fetchPack(remotes[turn] as Remote, clone));
  const largePushes = await measure('pushes of 3 MB', largeRequests, (turn) =>
    pushPack(remotes[requests + connections + turn] as Remote, large.changes, large.packFile),
  );
  return [pushes, clones, largePushes];
};
