import type { Remote } from '../client/remote.ts';
import { pushPack } from '../client/push.ts';
import type { Server, StartServer } from '../servers/server.ts';
import type { Source } from './source.ts';

/** A server that holds the repositories of the run. */
export interface Contender {
  /** The heading of its column. */
  readonly name: string;
  readonly server: Server;
  /** The repository with everything in the source. */
  readonly full: Remote;
  /** The repository with many refs. */
  readonly refs: Remote;
}

/** The input of every measure. */
export interface Bench {
  readonly contenders: readonly Contender[];
  /** Start a fresh process of each server, for measures that need one. */
  readonly starters: readonly StartServer[];
  readonly source: Source;
  /** The source with many refs. */
  readonly refsSource: Source;
  readonly rounds: number;
}

/** Creates a repository on a server and pushes all of a source to it. */
export const pushEverything = async (server: Server, name: string, source: Source): Promise<Remote> => {
  const remote = await server.createRepository(name);
  await pushPack(remote, source.changes, source.packFile);
  return remote;
};

/** Creates the repositories of the measures on a running server. */
export const enter = async (server: Server, source: Source, refsSource: Source): Promise<Contender> => {
  const full = await pushEverything(server, 'full', source);
  await server.settle('full');
  const refs = await pushEverything(server, 'refs', refsSource);
  await server.settle('refs');
  return { name: server.name, server, full, refs };
};
