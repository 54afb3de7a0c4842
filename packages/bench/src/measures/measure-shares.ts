import type { ShareRow } from '../report/row.ts';
import { layerShares } from '../servers/profile.ts';
import type { Remote } from '../client/remote.ts';
import type { Bench } from './bench.ts';
import { operationsOf, smallRepository } from './measure-everyday.ts';
import { ratePerSecond } from './rounds.ts';

/** Requests of one profile, on 16 connections. */
const requests = 800;

/** Measures the share of each layer in the busy time of everyday requests, on each server that can be profiled. */
export const measureShares = async ({ contenders, source }: Bench): Promise<ShareRow[]> => {
  const small = await smallRepository(source.path);
  const rows: ShareRow[] = [];
  for (const { server } of contenders) {
    if (server.profile === undefined) continue;
    for await (const { title, prepare, run } of operationsOf(server, small)) {
      const prepared: Remote[] = [];
      if (prepare !== undefined) for (let i = 0; i < requests; i++) prepared.push(await prepare());
      const profile = await server.profile(() => ratePerSecond(requests, 16, () => run(prepared.pop())));
      rows.push({ title, shares: layerShares(profile) });
    }
  }
  return rows;
};
