/**
 * GIT-080 to GIT-087 over random histories, clients, depths and filters: against sets of ids, and against stock `git`.
 */

import { join } from 'node:path';
import { deltaPack } from '@packhouse/conformance/tools/delta-pack';
import { askFor, packIn } from '@packhouse/conformance/tools/fetch-request';
import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { buildHistory, historySteps, inPushes, type History } from '@packhouse/conformance/tools/random-history';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { letThrough, modelPart, patternCommit, patternObjects, type ModelPart } from '../support/filter-model.ts';
import { git, gitBytes } from '../support/git.ts';
import { complete, declared, tagsOf } from '../support/history-model.ts';
import { pick, toldBy } from '../support/random-fetches.ts';
import { stockRepository } from '../support/stock-repository.ts';
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

/** A request. Its numbers select items of a history of any size. */
const request = fc.record({
  parts: fc.array(fc.tuple(fc.nat(4), fc.nat()), { minLength: 1, maxLength: 3 }),
  wants: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  wanted: fc.constantFrom('refs', 'nodes', 'objects'),
  haves: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(), { maxLength: 3 })),
  shallow: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.nat(), { maxLength: 4 }) },
  ),
  deepen: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) },
  ),
  version: fc.constantFrom(0 as const, 1 as const, 2 as const),
  words: fc.subarray(['thin-pack', 'ofs-delta', 'include-tag']),
});

/**
 * A request whose result can be compared with stock git's listing. That listing forgets that an object was wanted if it
 * also finds the object elsewhere.
 */
const plainRequest = fc
  .tuple(request, fc.subarray(['thin-pack', 'ofs-delta']))
  .map(([{ parts, wants, ...picks }, words]) => ({
    ...picks,
    parts: parts.slice(0, 1),
    wants: wants.slice(0, 1),
    haves: [],
    shallow: [],
    deepen: undefined,
    words,
  }));

type Picks = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const counts = { requests: 0, compared: 0, clients: 0, sent: 0, leftOut: 0, outside: 0, insisted: 0, tags: 0 };

async function check(repo: TestRepo, mirror: string, history: History, picks: Picks, isPlain: boolean): Promise<void> {
  const { objects } = history;
  const all = [...objects.values()];
  const commits = all.filter(({ kind }) => kind === 'commit').map(({ oid }) => oid);
  const nodes = all.filter(({ kind }) => kind === 'commit' || kind === 'tag').map(({ oid }) => oid);
  const values = [...history.refs.values()].map(({ oid }) => oid);
  const from = { refs: values, nodes, objects: all.map(({ oid }) => oid) }[picks.wanted];
  const wants = picks.wants.map((number) => pick(from, number));
  const haves = picks.haves.map((number) => pick(nodes, number));
  const shallow = [...new Set(picks.shallow.map((number) => pick(commits, number)))];
  const depth = picks.deepen === undefined ? [] : [`deepen ${picks.deepen}`];
  const parts = picks.parts.map(([kind, number]) => modelPart(kind, number));
  const filter = filterText(parts);
  const words = ['no-progress', ...picks.words];
  const reply = await askFor(repo, picks.version, {
    wants,
    haves: [...haves, 'f'.repeat(40)],
    shallow,
    depth,
    filter,
    words,
  });
  counts.requests++;
  const told = toldBy(reply.boundary);
  const client = { own: [], haves, shallow, told };

  const whole = complete(wants, client, objects);
  const held = declared(client, objects);
  const lacking = [...whole].filter((oid) => !held.has(oid));
  const expected = letThrough(parts, wants, client, objects);
  if (picks.words.includes('include-tag')) {
    for (const oid of tagsOf(history, expected)) {
      if (held.has(oid) || expected.has(oid)) continue;
      expected.add(oid);
      counts.tags++;
    }
  }
  // Of what the client declared, a partial one surely has commits and tags, and trees if this filter lets all through.
  const kinds = new Set(['commit', 'tag', 'tree']);
  const sure = [...held].map((oid) => objects.get(oid) as MadeObject).filter(({ kind }) => kinds.has(kind));
  const contents = readPack(packIn(reply), sure);
  const sent = new Set(contents.objects.keys());
  expect([...sent].sort(), filter).toEqual([...expected].sort());
  const outside = [...contents.outside].map((oid) => objects.get(oid)?.kind);
  if (!picks.words.includes('thin-pack')) expect(outside).toEqual([]);
  expect(outside).not.toContain('blob');
  if (!parts.every(({ allTrees }) => allTrees)) expect(outside).not.toContain('tree');
  counts.sent += sent.size;
  counts.leftOut += lacking.filter((oid) => !sent.has(oid)).length;
  counts.outside += outside.length;
  counts.insisted += [...sent].filter((oid) => held.has(oid)).length;

  if (!isPlain) return;
  counts.compared++;
  const listed = await git(['rev-list', '--objects', '--no-object-names', `--filter=${filter}`, wants[0] as string], {
    cwd: mirror,
  });
  expect([...sent].sort(), filter).toEqual(
    listed
      .split('\n')
      .filter((line) => line !== '')
      .sort(),
  );
  if (counts.compared % 4 !== 0) return;
  counts.clients++;
  const place = await stockRepository(join(folder, `client-${made++}`), [], new Map());
  await gitBytes(['index-pack', '--stdin', '--promisor'], { cwd: place, input: packIn(reply) });
}

function filterText(parts: readonly ModelPart[]): string {
  const texts = parts.map(({ text }) => text);
  return texts.length === 1 ? (texts[0] as string) : `combine:${texts.map(encodeURIComponent).join('+')}`;
}

async function pushed(history: History, pushes: number): Promise<TestRepo> {
  const repo = await server.createRepo(`filtered-${made++}`);
  for (const { refs, brings, before } of inPushes(history, pushes)) {
    const commands = [...refs].map(([name, value]) => set(name, value));
    expect((await push(repo, commands, deltaPack(brings, before)))[0]).toBe('unpack ok');
  }
  await push(repo, [set('refs/heads/patterns', patternCommit)], deltaPack(patternObjects, []));
  return repo;
}

it('GIT-065, GIT-066, GIT-078 to GIT-087: a pack brings what the client lacks and the filter lets through', async () => {
  const inputs = fc.record({
    steps: historySteps({ isOdd: false, most: 120 }),
    requests: fc.noBias(fc.array(request, { minLength: 50, maxLength: 50 })),
    plain: fc.noBias(fc.array(plainRequest, { minLength: 15, maxLength: 15 })),
    pushes: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ steps, requests, plain, pushes }) => {
      const history = buildHistory(steps);
      const repo = await pushed(history, pushes);
      const mirror = await stockRepository(
        join(folder, `mirror-${made++}`),
        [...history.objects.values(), ...patternObjects],
        new Map([...history.refs].map(([name, { oid }]) => [name, oid])).set('refs/heads/patterns', patternCommit.oid),
      );
      for (const picks of requests) await check(repo, mirror, history, picks, false);
      for (const picks of plain) await check(repo, mirror, history, picks, true);
    }),
    { numRuns: 8, endOnFailure: true },
  );
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  expect(counts.sent).toBeGreaterThan(1000);
}, 300_000);
