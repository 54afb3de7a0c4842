import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeConnections } from '../client/remote.ts';
import type { Row } from '../report/row.ts';
import { startPackhouse } from '../servers/packhouse.ts';
import { countRequests, measureLatencies, type RequestCosts } from './measure-requests.ts';
import { measureRepositories, type RepositoriesRow } from './measure-repositories.ts';
import { measureServers, type ServersRow } from './measure-servers.ts';
import { makeInputs, type Inputs } from './operations.ts';
import type { SharedMeasure, SharedOptions } from './options.ts';
import { startSharedStorage, type SharedServer, type SharedStorage } from './shared-storage.ts';

/** Numbers of one run about servers that share a storage. */
export interface SharedResult {
  readonly rounds: number;
  readonly counts: readonly RequestCosts[];
  /** Names of the servers in `latencies`, the one with a data folder first. */
  readonly contenders: readonly string[];
  readonly latencies: readonly Row[];
  readonly servers: readonly ServersRow[];
  readonly repositories: readonly RepositoriesRow[];
}

const none: Omit<SharedResult, 'rounds'> = { counts: [], contenders: [], latencies: [], servers: [], repositories: [] };

const measures: Readonly<
  Record<
    SharedMeasure,
    (
      storage: SharedStorage,
      inputs: Inputs,
      options: SharedOptions,
      progress: (line: string) => void,
    ) => Promise<Partial<SharedResult>>
  >
> = {
  async counts(storage, inputs, { rounds }) {
    const [here, there] = [await storage.startServer('here'), await storage.startServer('there')];
    return { counts: await countRequests(here, there, inputs, rounds) };
  },
  async latencies(storage, inputs, { rounds }) {
    const folder = await startPackhouse('node');
    try {
      const servers = [folder, await storage.startServer('0 ms'), await storage.startServer('1 ms', 1)];
      const latencies = await measureLatencies(servers, inputs, rounds);
      const roundTrips: Record<string, readonly number[]> = {};
      for (const delay of [0, 1]) roundTrips[`${delay} ms`] = await storage.roundTrips(delay, rounds);
      const ofOne: Row = { name: 'shared', title: 'round trip', unit: 'ms', samples: roundTrips, gitStarts: 0 };
      return { contenders: servers.map(({ name }) => name), latencies: [...latencies, ofOne] };
    } finally {
      await folder.stop();
    }
  },
  async servers(storage, inputs, { servers, requests }, progress) {
    const started: SharedServer[] = [];
    const rows: ServersRow[] = [];
    for (const count of servers) {
      while (started.length < count) started.push(await storage.startServer(`server ${started.length + 1}`));
      progress(`${count} servers`);
      rows.push(...(await measureServers(storage, started, inputs, requests)));
    }
    return { servers: rows };
  },
  async repositories(storage, { small }, { repositories, rounds }, progress) {
    const server = await storage.startServer('many');
    const { rest } = server;
    if (rest === undefined) throw new Error('The server has no REST');
    return {
      repositories: await measureRepositories(storage, { ...server, rest }, repositories, small, rounds, progress),
    };
  },
};

/** Runs the chosen measures, each with a separate storage. `progress` gets a line for each step. */
export const runShared = async (options: SharedOptions, progress: (line: string) => void): Promise<SharedResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-shared-'));
  try {
    const inputs = await makeInputs(folder);
    let result: SharedResult = { rounds: options.rounds, ...none };
    for (const name of options.only) {
      progress(`measuring ${name}`);
      const storage = await startSharedStorage();
      try {
        result = { ...result, ...(await measures[name](storage, inputs, options, progress)) };
      } finally {
        closeConnections();
        await storage.close();
      }
    }
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
