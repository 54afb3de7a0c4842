import { expect, it } from 'vitest';
import { madeRecord } from '../graph/made-graph.test.util.ts';
import { PackLeases } from './leases.ts';

it('holds packs until everyone who took them gave them back', () => {
  const leases = new PackLeases();
  const [one, two, three] = [madeRecord(1), madeRecord(2), madeRecord(3)];
  const first = leases.take([one, two]);
  const second = leases.take([two, three]);
  const third = leases.take([two, three]);
  expect([one, two, three].map(({ id }) => leases.has(id))).toEqual([true, true, true]);
  first.release();
  first.release();
  expect([one, two, three].map(({ id }) => leases.has(id))).toEqual([false, true, true]);
  second.release();
  expect([one, two, three].map(({ id }) => leases.has(id))).toEqual([false, true, true]);
  third.release();
  expect([one, two, three].map(({ id }) => leases.has(id))).toEqual([false, false, false]);
});
