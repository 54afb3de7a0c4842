/** Forks beside clones that stock git made of the same histories, which share nothing with anybody. */

import { fc, test } from '@fast-check/vitest';
import { dice } from '@packhouse/conformance/tools/dice';
import { fetchedPack } from '@packhouse/conformance/tools/hosted-objects';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { commandBody, fetchBody, linesOf, post } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect } from 'vitest';
import { ForkOracle, type Twin } from '../support/fork-oracle.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';

/**
 * Clients cannot want unreachable objects, and the service collects them as early as possible, so it matches stock git.
 */
const settings = { stale_want_grace: 0, gc_grace: 1 };
let server: TestServer;
let folder: string;
let runs = 0;

beforeAll(async () => {
  server = await startTestServer({ settings });
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/** Asks each repository for every object, in every way, and expects what its model holds. */
async function expectAlike(oracle: ForkOracle): Promise<void> {
  for (const twin of oracle.twins) {
    const held = [...(await oracle.held(twin))].sort();
    const all = [...oracle.objects.values()];
    const found = async (ask: (id: string, kind: string) => Promise<boolean>, kinds = /./): Promise<string[]> => {
      const asked = all.filter(({ kind }) => kinds.test(kind));
      const answers = await Promise.all(asked.map(({ oid, kind }) => ask(oid, kind)));
      return asked.flatMap(({ oid }, i) => (answers[i] === true ? [oid] : [])).sort();
    };
    const isServed = async (id: string): Promise<boolean> => {
      const words = id < '8' ? ['ofs-delta', 'filter tree:0'] : ['thin-pack', 'filter blob:none'];
      const { body } = await post(twin.repo, fetchBody([id], [], words));
      if (body.includes(`not our ref ${id}`)) return false;
      expect(body.includes('packfile\n')).toBe(true);
      return true;
    };
    const readable = held.filter((id) => oracle.objects.get(id)?.kind !== 'tag');
    expect(await found(isServed)).toEqual(held);
    expect(await found((id, kind) => isRead(twin, kind, id), /commit|tree|blob/)).toEqual(readable);
    expect(
      await told(
        twin,
        all.map(({ oid }) => oid),
      ),
    ).toEqual(held);
    const common = await commonOf(
      twin,
      all.map(({ oid }) => oid),
    );
    expect(common.filter((id) => !twin.ever.has(id))).toEqual([]);
    const isNode = (id: string): boolean => oracle.objects.get(id)?.kind === 'commit';
    expect(held.filter((id) => isNode(id) && !common.includes(id))).toEqual([]);
    expect(await cloned(oracle, twin)).toEqual(held);
  }
}

async function isRead({ repo }: Twin, kind: string, id: string): Promise<boolean> {
  const { status } = await server.rest('HEAD', `/namespaces/default/repos/${repo.name}/${kind}/${id}`);
  expect([200, 404]).toContain(status);
  return status === 200;
}

/** Returns the lines of `object-info` about these ids. */
async function told({ repo }: Twin, ids: readonly string[]): Promise<string[]> {
  const { body } = await post(repo, commandBody('object-info', ['size', ...ids.map((id) => `oid ${id}`)]));
  return linesOf(body)
    .filter((line) => /^[0-9a-f]{40} \d/.test(line))
    .map((line) => line.slice(0, 40))
    .sort();
}

/** Returns the common objects of a client that offers all these ids. */
async function commonOf(twin: Twin, ids: readonly string[]): Promise<string[]> {
  const want = twin.refs.get('refs/heads/main')?.oid ?? '';
  const words = [`want ${want}`, ...ids.map((id) => `have ${id}`)];
  const { body } = await post(twin.repo, commandBody('fetch', words));
  return linesOf(body).flatMap((line) => (line.startsWith('ACK ') ? [line.slice(4, 44)] : []));
}

async function cloned(oracle: ForkOracle, { repo, refs }: Twin): Promise<string[]> {
  const shown = [...refs].filter(([name]) => oracle.hidden === undefined || !name.startsWith(oracle.hidden));
  const wants = [...new Set(shown.map(([, { oid }]) => oid))].map((oid) => ({ oid }));
  return [...readPack(await fetchedPack(repo, wants)).objects.keys()].sort();
}

test.prop([fc.nat()], { numRuns: 1, endOnFailure: true })(
  'GIT-154, GIT-129, REPO-121, REPO-123: a fork has the same objects as a clone by stock git after any pushes to either',
  async (seed) => {
    const [oracle, luck] = [new ForkOracle(server, folder, `run-${runs++}`, dice(seed)), dice(seed + 1)];
    await oracle.begin();
    await oracle.fork();
    for (let step = 0; step < 14; step++) {
      if (luck.below(6) === 0 && oracle.twins.length < 4) await oracle.fork();
      else await oracle.step();
    }
    await expectAlike(oracle);
    // Time for maintenance to merge and collect. Clients must not see a difference.
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    await oracle.hide('refs/heads/hidden');
    await server.restart({ settings: { ...settings, hidden_refs: ['refs/heads/hidden'] } });
    for (let step = 0; step < 6; step++) await oracle.step();
    await oracle.fork();
    await expectAlike(oracle);
    await server.restart({ settings });
  },
  60_000,
);
