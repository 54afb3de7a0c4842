import { serialize } from 'node:v8';
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { packRefs, type ObjectId, type PackId, type RefName } from '@packhouse/git';
import type { HostedSnapshot } from '@packhouse/hosting';
import { receiveSnapshot, sendSnapshot } from '../src/calls/sent-snapshot.ts';

const oid = fc.stringMatching(/^[0-9a-f]{40}$/).map((text) => text as ObjectId);
const name = fc.string({ unit: 'binary', minLength: 1 }).map((text) => `refs/heads/${text}` as RefName);
const number = fc.nat(Number.MAX_SAFE_INTEGER);

const snapshots: fc.Arbitrary<HostedSnapshot> = fc.record({
  version: number,
  refs: fc.option(
    fc
      .array(fc.record({ name, target: fc.record({ oid, kind: fc.constant('commit'), peeled: fc.option(oid) }) }))
      .map(packRefs),
    { nil: undefined },
  ),
  packs: fc.array(
    fc.record({
      id: fc.stringMatching(/^[0-9a-f]{32}$/).map((text) => text as PackId),
      where: fc.constantFrom('store', 'rows'),
      objects: number,
      packSize: number,
      idxSize: number,
      graphSize: number,
      exact: fc.boolean(),
      position: number,
      after: number,
      at: number,
      borrowed: fc.constantFrom('no', 'whole', 'part'),
    }),
    { maxLength: 20 },
  ),
  shallow: fc.array(oid, { maxLength: 20 }),
  defaultBranch: fc.string(),
  name: fc.string(),
  refCount: number,
  retiredTips: fc.array(fc.record({ name, oid, at: number }), { maxLength: 20 }),
});

test.prop([snapshots, fc.nat(40_000)])(
  'a snapshot arrives as it was sent, in one message or beside it',
  async (snapshot, max) => {
    expect(await receiveSnapshot(sendSnapshot(snapshot, max))).toEqual(snapshot);
  },
);

const empty: HostedSnapshot = {
  version: 3,
  refs: undefined,
  packs: [],
  shallow: [],
  defaultBranch: 'main',
  retiredTips: [],
  name: 'notes',
  refCount: 0,
};
const idOf = (i: number): ObjectId => i.toString(16).padStart(40, '0') as ObjectId;
const numbers = Array.from({ length: 2_500 }, (_, i) => i);

test.each<[keyof HostedSnapshot, Partial<HostedSnapshot>]>([
  ['shallow', { shallow: numbers.map(idOf) }],
  ['retiredTips', { retiredTips: numbers.map((at) => ({ name: 'refs/heads/a' as RefName, oid: idOf(at), at })) }],
])('%s beyond what a message may hold travel as a stream, in several lines', async (list, part) => {
  const snapshot = { ...empty, ...part };
  const { rest, sent } = sendSnapshot(snapshot, 900_000);
  expect(sent.lists).toEqual({ packs: [], shallow: [], retiredTips: [] });
  expect((await receiveSnapshot({ rest, sent }))[list]).toEqual(snapshot[list]);
  expect(sendSnapshot(snapshot).sent.lines).toBeUndefined();
});

test('what fits by the count fits in a message, as values are written between isolates', () => {
  const long = 'refs/heads/'.padEnd(1_000, '\u4e00') as RefName;
  const at = Number.MAX_SAFE_INTEGER;
  const sizes = { objects: at, packSize: at, idxSize: at, graphSize: at };
  const pack = { where: 'store', ...sizes, exact: true, borrowed: 'part' } as const;
  const snapshot: HostedSnapshot = {
    ...empty,
    packs: numbers.map((i) => ({ ...pack, id: idOf(i).slice(8) as PackId, position: at, after: at, at })),
    shallow: numbers.map(idOf),
    retiredTips: numbers.map((i) => ({ name: `${long}${i}` as RefName, oid: idOf(i), at })),
  };
  const { length } = serialize(snapshot);
  expect(sendSnapshot(snapshot, length).sent.lines).toBeDefined();
  expect(sendSnapshot(snapshot, 2 * length).sent.lines).toBeUndefined();
});
