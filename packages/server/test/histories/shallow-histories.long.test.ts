/** GIT-065 to GIT-078 over random histories, clients and depths: against sets of ids, and against stock `git`. */

import { join } from 'node:path';
import { deltaPack } from '@packhouse/conformance/tools/delta-pack';
import { askFor, fetchRequestBody, packIn, readFetchReply } from '@packhouse/conformance/tools/fetch-request';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import {
  buildHistory,
  historySteps,
  inPushes,
  steadyTime,
  type History,
} from '@packhouse/conformance/tools/random-history';
import { packet, push, pushBody, set } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  boundaryAfter,
  complete,
  declared,
  insisted,
  reachedWithin,
  tagsOf,
  type ToldClient,
} from '../support/history-model.ts';
import { importBody } from '../support/import-body.ts';
import {
  absoluteDepth,
  asked,
  fetchPicks,
  pick,
  toldBy,
  type Asked,
  type FetchPicks,
} from '../support/random-fetches.ts';
import { stockReply, stockRepository, takeAsClient } from '../support/stock-repository.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;
let made = 0;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/** A repository of the server, and the same as stock `git` has it. */
interface Twins {
  readonly history: History;
  readonly repo: TestRepo;
  readonly mirror: string;
  /** Commits whose parents they do not have. */
  readonly own: readonly string[];
}

/**
 * The boundary lines of stock `git`, less the differences of decision 0014: stock `git` also names commits that lie
 * behind another cut, ignores its own boundary in a selection, and completes no line beside the wants if it is shallow
 * itself.
 */
async function stockTold({ mirror, own, history }: Twins, ask: Asked): Promise<ToldClient['told'] | 'refused'> {
  const depth = absoluteDepth(ask, history, own);
  const completes = depth[0] === 'deepen 2147483647' && own.length > 0 ? ask.shallow : [];
  const request = { ...ask, depth, wants: [...ask.wants, ...completes] };
  const reply = await stockReply(mirror, fetchRequestBody(0, { ...request, end: 'wants' }));
  if (typeof reply === 'string') {
    expect(reply).toContain('no commits selected for shallow requests');
    return 'refused';
  }
  const told = toldBy(readFetchReply(0, reply, request).boundary);
  const unshallow = told.unshallow.filter((oid) => !own.includes(oid));
  const whole = complete(ask.wants, { ...ask, own, told: { shallow: told.shallow, unshallow } }, history.objects);
  const ends = own.filter((oid) => !ask.shallow.includes(oid));
  return { shallow: [...new Set([...told.shallow, ...ends])].filter((oid) => whole.has(oid)).sort(), unshallow };
}

const noCounts = () => ({
  requests: 0,
  clients: 0,
  refused: 0,
  shallow: 0,
  unshallow: 0,
  thin: 0,
  sent: 0,
  ready: 0,
  unready: 0,
  ends: 0,
});
const counts = noCounts();

async function check(twins: Twins, ask: Asked, picks: FetchPicks, hasStockRule: boolean): Promise<void> {
  const { history, repo, own } = twins;
  const { objects } = history;
  const reply = await askFor(repo, picks.version, ask);
  counts.requests++;
  const stock = ask.depth.length > 0 && hasStockRule ? await stockTold(twins, ask) : undefined;
  if (reply.error !== undefined) {
    expect(reply.error).toBe('no commits selected for shallow requests');
    expect(['since', 'not', 'both']).toContain(picks.limit);
    if (stock !== undefined) expect(stock).toBe('refused');
    counts.refused++;
    return;
  }
  const told = toldBy(reply.boundary);
  if (stock !== undefined && (reply.pack !== undefined || picks.version < 2)) expect(told).toEqual(stock);
  const client = { own, haves: ask.haves, shallow: ask.shallow, told };
  if (ask.end === 'flush') {
    const ready = isReady(ask, twins);
    expect(reply.acknowledgments.some((line) => line.endsWith('ready'))).toBe(ready);
    expect(reply.pack === undefined).toBe(!ready);
    counts[ready ? 'ready' : 'unready']++;
    if (!ready) {
      expect(reply.boundary === undefined, 'GIT-063, GIT-094').toBe(picks.version === 2 || ask.depth.length === 0);
      return;
    }
  }
  const whole = complete(ask.wants, client, objects);
  if (ask.depth.length === 0) {
    const ends = own.filter((oid) => whole.has(oid) && !ask.shallow.includes(oid));
    // Versions 0 and 1 told it in discovery.
    const hasSection = picks.version === 2 && (ask.shallow.length > 0 || own.length > 0);
    expect(reply.boundary).toEqual(hasSection ? ends.map((oid) => `shallow ${oid}`).sort() : undefined);
  } else expect(reply.boundary).toBeDefined();
  const held = declared(client, objects);
  const known = [...held].map((oid) => objects.get(oid)).filter((object) => object !== undefined);
  const contents = readPack(packIn(reply), known);
  counts.sent += contents.objects.size;
  counts.shallow += told.shallow.length;
  counts.unshallow += told.unshallow.length;
  counts.ends += own.filter((oid) => told.shallow.includes(oid)).length;
  counts.thin += contents.outside.size;
  if (!ask.words.includes('thin-pack')) expect([...contents.outside]).toEqual([]);

  const sent = new Set(contents.objects.keys());
  const missing = [...whole].filter((oid) => !sent.has(oid) && !held.has(oid));
  expect(missing, 'GIT-065').toEqual([]);
  const asWanted = insisted(ask.wants, objects);
  const twice = [...sent].filter((oid) => held.has(oid) && !asWanted.has(oid));
  expect(twice, 'GIT-066').toEqual([]);
  const tags = ask.words.includes('include-tag') ? tagsOf(history, sent) : new Set<string>();
  const unasked = [...sent].filter((oid) => !whole.has(oid) && !asWanted.has(oid) && !tags.has(oid));
  expect(unasked, 'GIT-072, GIT-078').toEqual([]);

  if (counts.requests % 5 !== 0) return;
  counts.clients++;
  const cuts = new Set([...boundaryAfter(client)].filter((oid) => held.has(oid) || whole.has(oid)));
  const refs = new Map(ask.wants.map((oid, i) => [`refs/wanted/${i}`, oid]));
  const place = await stockRepository(join(folder, `client-${made++}`), known, new Map());
  const listed = await takeAsClient(place, packIn(reply), refs, cuts);
  // What an `unshallow` brought may lie behind another cut.
  expect(new Set(listed)).toEqual(reachedWithin(ask.wants, objects, cuts));
}

/** Returns true if every wanted commit reaches a common object in the client's history (GIT-064). */
function isReady({ wants, haves, shallow }: Asked, { history: { objects }, own }: Twins): boolean {
  const common = haves.filter((oid) => objects.has(oid));
  const cuts = new Set([...shallow, ...own]);
  return (
    common.length > 0 &&
    wants.every((want) => {
      const found = reachedWithin([want], objects, cuts);
      return ![...found].some((oid) => objects.get(oid)?.kind === 'commit') || common.some((oid) => found.has(oid));
    })
  );
}

async function twinsOf(history: History, pushes: number): Promise<Twins> {
  const repo = await server.createRepo(`history-${made++}`);
  for (const { refs, brings, before } of inPushes(history, pushes)) {
    const commands = [...refs].map(([name, value]) => set(name, value));
    const report = await push(repo, commands, deltaPack(brings, before));
    expect(report[0]).toBe('unpack ok');
  }
  return { history, repo, mirror: await mirrorOf(history, []), own: [] };
}

/** Imports a history that is cut off at some commits, and returns its remaining part. */
async function importedTwins({ refs, objects }: History, cuts: readonly number[]): Promise<Twins> {
  const commits = [...objects.values()].filter(({ kind }) => kind === 'commit');
  const ends = new Set(cuts.map((number) => pick(commits, number).oid));
  const left = reachedWithin(
    [...refs.values()].map(({ oid }) => oid),
    objects,
    ends,
  );
  const history = { refs, objects: new Map([...objects].filter(([oid]) => left.has(oid))) };
  const commands = [...refs].map(([name, value]) => set(name, value));
  const shallow = [...ends].filter((oid) => left.has(oid)).map((oid) => packet(`shallow ${oid}\n`));
  const body = Buffer.concat([...shallow, pushBody(commands, deltaPack([...history.objects.values()]))]);
  const repo = await server.createRepo(`history-${made++}`);
  const own = await importBody(server, repo, body);
  expect(own.every((oid) => ends.has(oid))).toBe(true);
  return { history, repo, mirror: await mirrorOf(history, own), own };
}

function mirrorOf({ refs, objects }: History, own: readonly string[]): Promise<string> {
  const values = new Map([...refs].map(([name, { oid }]) => [name, oid]));
  return stockRepository(join(folder, `mirror-${made++}`), objects.values(), values, own);
}

/** Commits whose clocks were wrong now and then. */
function skewedTime(step: number): number {
  return steadyTime(step % 6 === 4 ? Math.max(0, step - 20) : step);
}

/** Checks random requests to random histories, and that they met what they are for. */
async function checkAll<Form>(
  form: fc.Arbitrary<Form>,
  make: (history: History, form: Form) => Promise<Twins>,
): Promise<void> {
  Object.assign(counts, noCounts());
  const inputs = fc.record({
    steps: historySteps({ isOdd: false, most: 200 }),
    requests: fc.noBias(fc.array(fetchPicks, { minLength: 40, maxLength: 40 })),
    isSkewed: fc.boolean(),
    form,
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ steps, requests, isSkewed, form: how }) => {
      const twins = await make(buildHistory(steps, isSkewed ? skewedTime : steadyTime), how);
      for (const picks of requests) {
        // With clocks that are wrong, stock `git` does not always find what a ref reaches.
        const hasStockRule = !isSkewed || !['not', 'both'].includes(picks.limit);
        await check(twins, asked(picks, twins.history, steps.length), picks, hasStockRule);
      }
    }),
    { numRuns: 5, endOnFailure: true },
  );
  expect(Object.entries(counts).filter(([name, count]) => name !== 'ends' && count === 0)).toEqual([]);
  expect(counts.sent).toBeGreaterThan(1000);
}

it('GIT-065, GIT-066, GIT-072 to GIT-078: a pack brings what the client lacks within its depth, and nothing else', async () => {
  await checkAll(fc.integer({ min: 1, max: 4 }), twinsOf);
}, 300_000);

it('GIT-075: a pack from a shallow repository brings what the client lacks within its depth, and nothing else', async () => {
  await checkAll(fc.array(fc.nat(), { minLength: 3, maxLength: 12 }), importedTwins);
  expect(counts.ends).toBeGreaterThan(0);
}, 300_000);
