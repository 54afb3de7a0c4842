import type { Remote } from '../client/remote.ts';
import { pushPack } from '../client/push.ts';
import type { Server, StartServer } from '../servers/server.ts';
import type { Source } from './source.ts';

/** A server with the repositories of the run on it. */
export interface Contender {
  /** Heading of its column. */
  readonly name: string;
  readonly server: Server;
  /** Has all of the source. */
  readonly full: Remote;
  /** Has the many refs. */
  readonly refs: Remote;
}

/** What every measure gets. */
export interface Bench {
  readonly contenders: readonly Contender[];
  /** Starts each of the servers anew, for a measure that needs a fresh process. */
  readonly starters: readonly StartServer[];
  readonly source: Source;
  /** The repository with the many refs. */
  readonly refsSource: Source;
  readonly rounds: number;
}

/** Makes a repository on a server and pushes all of a source to it. */
export const pushEverything = async (server: Server, name: string, source: Source): Promise<Remote> => {
  const remote = await server.createRepository(name);
  await pushPack(remote, source.changes, source.packFile);
  return remote;
};

/** Gives a running server the repositories that the measures use. */
export const enter = async (server: Server, source: Source, refsSource: Source): Promise<Contender> => {
  const full = await pushEverything(server, 'full', source);
  await server.settle('full');
  const refs = await pushEverything(server, 'refs', refsSource);
  await server.settle('refs');
  return { name: server.name, server, full, refs };
};
