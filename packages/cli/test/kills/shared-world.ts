import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startReplicatedPostgres, type ReplicatedPostgres } from '@packhouse/fixtures/postgres';
import {
  startFaultyProxy,
  startS3Server,
  storeVariables,
  type FaultyProxy,
  type S3Server,
} from '@packhouse/fixtures/s3';
import { startEventSink, type EventSink } from '../support/event-sink.ts';
import { startServer, type KillableServer } from '../support/killable-server.ts';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.ts';
import { clientOf } from './client.ts';
import { Ledger } from './ledger.ts';
import { observe } from './observe.ts';
import { openGround, type World } from './world.ts';

/** Three servers behind a proxy, over a database with a standby and a bucket, each of which can fail. */
export interface SharedWorld extends World {
  readonly servers: readonly KillableServer[];
  readonly proxy: RoundRobin;
  readonly database: ReplicatedPostgres;
  /** The URL of the database that the servers use. */
  readonly databaseUrl: string;
  /** Names database and bucket in a command. */
  readonly storage: { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** In front of the bucket. */
  readonly bucket: FaultyProxy;
  readonly store: S3Server;
  /** The receiver of the operator (`webhook_url`), and one for a webhook of a user. */
  readonly sinks: readonly [EventSink, EventSink];
  /** Kills a server, and starts it again at its port. */
  killServer(number: number): Promise<void>;
  /** Waits until the servers are ready, and nothing of what clients began is still running. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** Prefix of the objects in the bucket. */
export const prefix = 'main';
const serverCount = 3;
const metricsToken = 'metrics-token-that-is-long-enough-0123456789';
/** Milliseconds until servers must be ready after a fault: a stalled request to the bucket is given up after 20 s. */
const longestRecovery = 90_000;

let answers = 0;
/** Milliseconds until a receiver answers. Few answers are slow: a repository gets thousands of events, one by one. */
const receiverDelay = (): number => (answers++ % 200 === 0 ? 200 : 0);

export async function openSharedWorld(): Promise<SharedWorld> {
  const sinks = await Promise.all([startEventSink(receiverDelay), startEventSink(receiverDelay)]);
  const ground = await openGround({
    metrics: { token: metricsToken },
    // Requests to other servers may read a replaced pack for this time alone (REPO-333). It is above that of stalls.
    gc_grace: 60,
    webhook_url: sinks[0].url,
    webhook_secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
    webhook_allow: ['127.0.0.1'],
    user_webhook_allow: ['127.0.0.1'],
  });
  const [database, store, proxy] = await Promise.all([
    startReplicatedPostgres(),
    startS3Server('s3rver'),
    startRoundRobin(),
  ]);
  const bucket = await startFaultyProxy(store.endpoint);
  const databaseUrl = await database.createDatabase();
  const storage = {
    words: ['--packs', `s3://${store.bucket}/${prefix}`],
    env: { DATABASE_URL: databaseUrl, ...storeVariables(store, bucket.endpoint) },
  };
  const servers: KillableServer[] = [];
  const restarts = new Map<number, Promise<void>>();
  const start = async (number: number): Promise<void> => {
    const port = proxy.ports[number] ?? 0;
    const server = await startServer(join(ground.folder, `server-${number}`), port, 'node', ground.config, [], storage);
    servers[number] = server;
    proxy.ports[number] = Number(new URL(server.url).port);
  };
  for (let number = 0; number < serverCount; number++) await start(number);
  const isIdle = async (): Promise<boolean> => {
    const replies = servers.map(async ({ url }) => {
      const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
      const running = /^packhouse_requests_running (\d+)$/m.exec(await metrics.text())?.[1];
      return (await fetch(`${url}/readyz`)).status === 200 && running === '1';
    });
    const sessions = database.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname <> 'postgres' AND backend_type = 'client backend' AND state <> 'idle'",
    );
    const [active, ...idle] = await Promise.all([sessions, ...replies]);
    return active.length === 0 && idle.every((one) => one);
  };
  return {
    ...ground,
    ledger: new Ledger(),
    ...clientOf(() => proxy.origin, new Map()),
    problems: [],
    outages: new Set([502, 503]),
    isOutage: (text) =>
      /\b50[23]\b|storage is unavailable|cannot be reached|unexpected disconnect|early EOF|hung up/.test(text),
    servers,
    proxy,
    database,
    databaseUrl,
    storage,
    bucket,
    store,
    sinks,
    killServer(number) {
      // Two failures at once may kill the same server.
      const restart = (restarts.get(number) ?? Promise.resolve()).then(async () => {
        await servers[number]?.kill();
        // As a supervisor does: a start fails while the database or the bucket is away.
        const deadline = Date.now() + longestRecovery;
        const tryStart = (): Promise<void> =>
          start(number).catch((error: unknown) => {
            if (Date.now() > deadline) throw error;
            return tryStart();
          });
        await tryStart();
      });
      restarts.set(number, restart);
      return restart;
    },
    async quiet() {
      const deadline = Date.now() + longestRecovery;
      // Twice in a row: what a killed server sent may reach the database a little later.
      for (let idle = 0; idle < 2; idle++) {
        await wait(150);
        if (await isIdle().catch(() => false)) continue;
        const dead = servers.find(({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode !== null);
        if (dead !== undefined) throw new Error(`A server ended by itself:\n${dead.lines('').slice(-20).join('\n')}`);
        if (Date.now() > deadline) throw new Error('The servers do not become idle');
        idle = -1;
      }
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all([proxy, database, bucket, ...sinks].map((each) => each.close()));
      await store.close();
      await ground.close();
    },
  };
}

/** Failures in the logs that say that the storage was away. */
const expected =
  /"error":"(?:(?:Database|Storage)Unavailable|PushUncertainError|LeaseLostError)"|"message":"S3 (?:did not answer|answered)/;

/**
 * Facts that other servers will remove within two minutes, for one that died: creations, and the tags of a deleted repo,
 * which then have its id in place of a name (TAG-127).
 */
const passing = /^(?:unfinished (?<name>.*)|tags repository [a-z0-9]{16})$/;

/** Compares what clients know with what is stored, while nothing runs. Returns the problems so far. */
export async function settle(world: SharedWorld): Promise<readonly string[]> {
  await world.quiet();
  const found = [...(await observe(world))];
  const facts = new Map(found.filter(([key]) => !passing.test(key)));
  const unfinished = found.flatMap(([key]) => passing.exec(key)?.groups?.['name'] ?? []);
  const linesWith = (text: string): readonly string[] => world.servers.flatMap((server) => server.lines(text));
  const failures = linesWith('"event":"failure"').filter(
    (line) => line.includes('"level":"error"') && !expected.test(line),
  );
  const requests = new Set(failures.flatMap((line) => /"request_id":"[^"]+"/.exec(line)?.[0] ?? []));
  return [
    ...world.ledger.settle(facts, unfinished),
    ...world.problems,
    ...new Set([...failures, ...[...requests].flatMap(linesWith)]),
  ];
}

/** Waits until servers have ended the work of those that died. */
export async function finishWork(world: SharedWorld): Promise<void> {
  const deadline = Date.now() + 180_000;
  while ([...(await observe(world)).keys()].some((key) => passing.test(key))) {
    if (Date.now() > deadline) throw new Error('The work of dead servers is not ended');
    await wait(1_000);
  }
}
