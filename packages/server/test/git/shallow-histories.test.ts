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
import { linksOf } from '@packhouse/conformance/tools/reached-objects';
import { packet, push, pushBody, set } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  boundaryAfter,
  complete,
  declared,
  insisted,
  reachedWithin,
  type ToldClient,
} from '../support/history-model.ts';
import { importBody } from '../support/import-body.ts';
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

/** Numbers pick among what a history has, whatever its size. */
const request = fc.record({
  wants: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  wantsRefs: fc.boolean(),
  haves: fc.array(fc.nat(), { maxLength: 3 }),
  shallow: fc.array(fc.nat(), { maxLength: 5 }),
  limit: fc.constantFrom('none', 'count', 'relative', 'everything', 'since', 'not', 'both'),
  count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 })),
  since: fc.nat(),
  not: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  version: fc.constantFrom(0 as const, 1 as const, 2 as const),
  words: fc.subarray(['thin-pack', 'ofs-delta', 'include-tag']),
  isDone: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

type Picks = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

/** What is asked, as lines. */
interface Asked {
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  readonly shallow: readonly string[];
  readonly depth: readonly string[];
  readonly words: readonly string[];
  readonly end: 'done' | 'flush';
}

/** Names by which users know a ref. */
function nameOf(ref: string, number: number): string {
  const starts = ['', 'refs/', ref.startsWith('refs/tags/') ? 'refs/tags/' : 'refs/heads/'];
  const start = starts[number % starts.length] as string;
  return ref.startsWith(start) ? ref.slice(start.length) : ref;
}

function depthLines(picks: Picks, { refs }: History, steps: number): string[] {
  const { limit, count, since } = picks;
  const not = picks.not.map((number) => `deepen-not ${nameOf(pick([...refs.keys()], number), number)}`);
  const dated = `deepen-since ${steadyTime(since % steps)}`;
  if (limit === 'none') return [];
  if (limit === 'count') return [`deepen ${count}`];
  if (limit === 'relative') return [`deepen ${count}`, 'deepen-relative'];
  if (limit === 'everything') return ['deepen 2147483647'];
  if (limit === 'since') return [dated];
  return limit === 'not' ? not : [dated, ...not];
}

function pick<T>(from: readonly T[], number: number): T {
  return from[number % from.length] as T;
}

function asked(picks: Picks, history: History, steps: number): Asked {
  const all = [...history.objects.values()];
  const commits = all.filter(({ kind }) => kind === 'commit').map(({ oid }) => oid);
  const nodes = all.filter(({ kind }) => kind === 'commit' || kind === 'tag').map(({ oid }) => oid);
  const values = [...history.refs.values()].map(({ oid }) => oid);
  const { wantsRefs, words } = picks;
  return {
    wants: picks.wants.map((number) => {
      if (wantsRefs) return pick(values, number);
      return number % 8 === 0 ? pick(all, number >>> 3).oid : pick(nodes, number >>> 3);
    }),
    haves: [...picks.haves.map((number) => pick(nodes, number)), 'f'.repeat(40)],
    shallow: [...new Set(picks.shallow.map((number) => pick(commits, number)))],
    depth: depthLines(picks, history, steps),
    words: ['no-progress', ...words, ...(picks.version < 2 ? ['multi_ack_detailed', 'no-done'] : [])],
    end: picks.isDone ? 'done' : 'flush',
  };
}

function toldBy(boundary: readonly string[] | undefined): ToldClient['told'] {
  const of = (word: string): string[] =>
    (boundary ?? []).filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  return { shallow: of('shallow'), unshallow: of('unshallow') };
}

/** A repository of the server, and the same as stock `git` has it. */
interface Twins {
  readonly history: History;
  readonly repo: TestRepo;
  readonly mirror: string;
  /** Commits whose parents they do not have. */
  readonly own: readonly string[];
}

/**
 * What stock `git` tells of the boundary, but for what GIT-073, GIT-075, GIT-076 and GIT-078 have otherwise: it also names
 * commits that nobody asked for and such that lie behind another cut, and with a selection takes its own boundary for none.
 */
async function stockTold({ mirror, own, history }: Twins, ask: Asked): Promise<ToldClient['told'] | 'refused'> {
  const wanted = reachedWithin(ask.wants, history.objects, new Set(own));
  const shallow = ask.shallow.filter((oid) => wanted.has(oid));
  const reply = await stockReply(mirror, fetchRequestBody(0, { ...ask, shallow, end: 'wants' }));
  if (typeof reply === 'string') {
    expect(reply).toContain('no commits selected for shallow requests');
    return 'refused';
  }
  const told = toldBy(readFetchReply(0, reply, ask).boundary);
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

async function check(twins: Twins, ask: Asked, picks: Picks, hasStockRule: boolean): Promise<void> {
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
    expect(reply.boundary).toEqual(
      picks.version < 2 || ends.length === 0 ? undefined : ends.map((oid) => `shallow ${oid}`).sort(),
    );
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

/** Whether every want of a commit reaches a common object in the history that the client has (GIT-064). */
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

/** Tags that lead to what was sent, with all in between (GIT-068). */
function tagsOf({ refs, objects }: History, sent: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const [name, value] of refs) {
    if (!name.startsWith('refs/tags/')) continue;
    const chain: string[] = [];
    let end = value;
    while (end.kind === 'tag') {
      chain.push(end.oid);
      const next = objects.get((linksOf(end)[0] as { oid: string }).oid);
      if (next === undefined) throw new Error('a tag of nothing');
      end = next;
    }
    if (sent.has(end.oid)) for (const oid of chain) found.add(oid);
  }
  return found;
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

/** What is left of a history that was imported with some of its commits cut off. */
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
    requests: fc.noBias(fc.array(request, { minLength: 40, maxLength: 40 })),
    isSkewed: fc.boolean(),
    form,
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ steps, requests, isSkewed, form: how }) => {
      const twins = await make(buildHistory(steps, isSkewed ? skewedTime : steadyTime), how);
      for (const picks of requests) {
        // With clocks that are wrong, stock `git` does not always find what a ref reaches.
        const hasStockRule = !isSkewed || !['not', 'both', 'relative'].includes(picks.limit);
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

it('GIT-075: so does one of a repository whose own history is cut off', async () => {
  await checkAll(fc.array(fc.nat(), { minLength: 3, maxLength: 12 }), importedTwins);
  expect(counts.ends).toBeGreaterThan(0);
}, 300_000);
