import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { ObjectId, RefName, RefRecord, RepoSnapshot } from '@packhouse/git';
import { receiveSnapshot, sendSnapshot } from '../src/calls/sent-snapshot.ts';

const oid = fc.stringMatching(/^[0-9a-f]{40}$/).map((text) => text as ObjectId);
const refs: fc.Arbitrary<RefRecord[]> = fc.array(
  fc.record({
    name: fc.string({ unit: 'binary', minLength: 1 }).map((name) => `refs/heads/${name}` as RefName),
    oid,
    kind: fc.constantFrom('commit', 'tree', 'blob', 'tag'),
    peeled: fc.option(oid),
  }),
  { maxLength: 30 },
);

function snapshotOf(list: readonly RefRecord[]): RepoSnapshot {
  return { version: 3, refs: list, packs: [], shallow: [], defaultBranch: 'main', retiredTips: [] };
}

test.prop([refs, fc.nat(20_000)])(
  'a snapshot arrives as it was sent, in one message or beside it',
  async (list, max) => {
    const snapshot = snapshotOf(list);
    expect(await receiveSnapshot(sendSnapshot(snapshot, max))).toEqual(snapshot);
  },
);

test('refs beyond what a message may hold travel as a stream, in several lines', async () => {
  const list = Array.from({ length: 2_500 }, (_, i): RefRecord => {
    const id = i.toString(16).padStart(40, '0') as ObjectId;
    return { name: `refs/heads/é-${i}` as RefName, oid: id, kind: 'commit', peeled: null };
  });
  const sent = sendSnapshot(snapshotOf(list), 1_000);
  expect(sent.snapshot.refs).toEqual([]);
  expect((await receiveSnapshot(sent)).refs).toEqual(list);
  expect(sendSnapshot(snapshotOf(list)).refs).toBeUndefined();
});
