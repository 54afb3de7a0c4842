import { interleave, time } from '../measures/rounds.ts';
import type { Operation } from '../measures/measure-everyday.ts';
import type { Row } from '../report/row.ts';
import type { Server } from '../servers/server.ts';
import { cloneElsewhere, sharedOperations, type Inputs } from './operations.ts';
import type { SharedServer, StorageCounts } from './shared-storage.ts';

/** Costs of one request for the shared storage: the least of each count, since work beside requests adds to it. */
export interface RequestCosts extends StorageCounts {
  readonly title: string;
}

/** Requests of each kind that are not counted: the first ones open connections, and fill what is kept in memory. */
const warmUp = 3;

/** Counts what each kind of request costs database and bucket. Nothing else is sent meanwhile. */
export const countRequests = async (
  server: SharedServer,
  other: SharedServer,
  inputs: Inputs,
  rounds: number,
): Promise<RequestCosts[]> => {
  const costs: RequestCosts[] = [];
  const measure = async ({ title, prepare, run }: Operation): Promise<void> => {
    const samples: StorageCounts[] = [];
    for (let i = 0; i < warmUp + rounds; i++) {
      const prepared = await prepare?.();
      const before = server.counts();
      await run(prepared);
      const after = server.counts();
      if (i >= warmUp) samples.push(minus(after, before));
    }
    const of = (member: keyof StorageCounts): number => Math.min(...samples.map((one) => one[member]));
    costs.push({
      title,
      statements: of('statements'),
      roundTrips: of('roundTrips'),
      puts: of('puts'),
      gets: of('gets'),
    });
  };
  for await (const operation of sharedOperations(server, inputs)) await measure(operation);
  await measure(cloneElsewhere(server, other, inputs));
  return costs;
};

const minus = (a: StorageCounts, b: StorageCounts): StorageCounts => ({
  statements: a.statements - b.statements,
  roundTrips: a.roundTrips - b.roundTrips,
  puts: a.puts - b.puts,
  gets: a.gets - b.gets,
});

/** Measures what a client waits for each kind of request on several servers, in turns. */
export const measureLatencies = async (servers: readonly Server[], inputs: Inputs, rounds: number): Promise<Row[]> => {
  const operations = new Map<string, { readonly name: string; readonly operation: Operation }[]>();
  for (const server of servers) {
    for await (const operation of sharedOperations(server, inputs)) {
      const same = operations.get(operation.title) ?? [];
      operations.set(operation.title, [...same, { name: server.name, operation }]);
    }
  }
  const rows: Row[] = [];
  for (const [title, contenders] of operations) {
    const samples = await interleave(contenders, warmUp + rounds, async ({ operation }) => {
      const prepared = await operation.prepare?.();
      return await time(() => operation.run(prepared));
    });
    const warm = Object.entries(samples).map(([name, all]) => [name, all.slice(warmUp)] as const);
    rows.push({ name: 'shared', title, unit: 'ms', samples: Object.fromEntries(warm), gitStarts: 0 });
  }
  return rows;
};
