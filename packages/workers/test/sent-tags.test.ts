import { serialize } from 'node:v8';
import { fc, test } from '@fast-check/vitest';
import type { TagChange, TagPart, TagRecord } from '@packhouse/tagging';
import { describe, expect } from 'vitest';
import {
  receiveChange,
  receiveOutcome,
  receivePart,
  receiveRecord,
  sendChange,
  sendOutcome,
  sendPart,
  sendRecord,
} from '../src/calls/sent-tags.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '__proto__', 'constructor', '\uFEFF', '\uFEFFx', '\n', '10', '9', '\u{10400}'),
);
const tags = fc.array(fc.tuple(text, text), { maxLength: 12 }).map((pairs) => Object.fromEntries(pairs));
const resource = fc.record({
  type: fc.constantFrom('repository', 'dns_record'),
  zone: fc.option(text),
  parent: fc.option(text),
  id: text,
});
const records: fc.Arbitrary<TagRecord> = fc.record({ resource, name: text, tags, updatedAt: fc.nat() });
const changes: fc.Arbitrary<TagChange> = fc.record({
  resource,
  name: text,
  tags,
  ifMatch: fc.option(text),
  at: fc.nat(),
  accountMax: fc.nat(),
  resourceMax: fc.option(fc.nat()),
});
/** So many bytes in one message, sometimes fewer than there are. */
const max = fc.nat(4_000);

/** With members that the equality of objects may pass over. */
const exact = (value: unknown): unknown => JSON.stringify(value);

describe('what travels about tags arrives as it was sent, in one message or beside it', () => {
  test.prop([fc.array(records, { maxLength: 8 }), fc.boolean(), max])(
    'a part of a list',
    async (items, more, bytes) => {
      const part: TagPart<TagRecord> = { items, more };
      expect(exact(await receivePart(sendPart(part, bytes)))).toBe(exact(part));
    },
  );

  test.prop([fc.option(records, { nil: undefined }), max])('a record', async (record, bytes) => {
    expect(exact(await receiveRecord(sendRecord(record, bytes)))).toBe(exact(record));
  });

  test.prop([changes, max])('TAG-052: a change with any keys', async (change, bytes) => {
    const { tags: received, ...rest } = await receiveChange(sendChange(change, bytes));
    const { tags: given, ...others } = change;
    expect(rest).toEqual(others);
    expect(exact(received)).toBe(exact(given));
  });

  test.prop([changes, fc.nat()])('what a change came to', (change, updatedAt) => {
    const { resource: changed, name, tags: given } = change;
    const set = { kind: 'set', record: { resource: changed, name, tags: given, updatedAt } } as const;
    expect(exact(receiveOutcome(sendOutcome(set), change))).toBe(exact(set));
    for (const other of [{ kind: 'no match' }, { kind: 'too many', maximum: 7 }] as const) {
      expect(receiveOutcome(sendOutcome(other), change)).toEqual(other);
    }
  });

  test.prop([fc.array(records, { minLength: 1, maxLength: 8 })])(
    'what fits by the count fits in a message, as values are written between isolates',
    (items) => {
      const { length } = serialize(items);
      expect(sendPart({ items, more: false }, length - 20).sent.lines).toBeDefined();
    },
  );
});

test('a record of more than a message may hold travels as a stream, with every tag', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key-${i}`, '環'.repeat(1_000)]));
  const identity = { type: 'worker', zone: null, parent: null, id: 'w' };
  const record: TagRecord = { resource: identity, name: 'w', tags: many, updatedAt: 1 };
  const sent = sendRecord(record);
  expect(sent.lists.records).toEqual([]);
  expect(sent.lines).toBeDefined();
  expect(await receiveRecord(sent)).toEqual(record);
});
