import { randomUUID } from 'node:crypto';
import { fetchPack } from '../client/fetch.ts';
import { pushPack } from '../client/push.ts';
import type { Remote } from '../client/remote.ts';
import { ratePerSecond } from '../measures/rounds.ts';
import type { Server } from '../servers/server.ts';
import type { Inputs } from './operations.ts';
import type { SharedStorage } from './shared-storage.ts';

/** Rate of one kind of request on a number of servers. Times are of processors, in milliseconds a request. */
export interface ServersRow {
  readonly title: string;
  readonly servers: number;
  readonly perSecond: number;
  readonly serverTime: number;
  readonly databaseTime: number;
}

/** Connections of the clients, to all servers together. */
const connections = 16;

/** Measures pushes and clones a second through several servers of one storage, with clients on the same machine. */
export const measureServers = async (
  storage: SharedStorage,
  servers: readonly Server[],
  { small }: Inputs,
  requests: number,
): Promise<ServersRow[]> => {
  const serverTime = (): number => servers.reduce((sum, one) => sum + (one.processorTime?.() ?? 0), 0);
  const measure = async (title: string, run: (turn: number) => Promise<unknown>): Promise<ServersRow> => {
    let turn = 0;
    const before = { server: serverTime(), database: storage.databaseTime() };
    const perSecond = await ratePerSecond(requests, connections, () => run(turn++));
    return {
      title,
      servers: servers.length,
      perSecond,
      serverTime: (serverTime() - before.server) / requests,
      databaseTime: (storage.databaseTime() - before.database) / requests,
    };
  };
  const serverOf = (turn: number): Server => servers[turn % servers.length] as Server;
  const remotes: Remote[] = [];
  for (let i = 0; i < requests + connections; i++)
    remotes.push(await serverOf(i).createRepository(`pushed-${randomUUID()}`));
  const push = (i: number): Promise<void> => pushPack(remotes[i] as Remote, [small.change], small.packFile);
  // These open connections, and compile.
  for (let i = 0; i < connections; i++) await push(i);
  const pushes = await measure('pushes of one commit', (turn) => push(turn + connections));
  const clone = { wants: [small.change.to], haves: [] };
  const clones = await measure('clones of one commit', (turn) => fetchPack(remotes[turn] as Remote, clone));
  return [pushes, clones];
};
