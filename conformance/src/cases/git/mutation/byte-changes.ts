/** Changes of bytes at random, as fast-check makes them. */

import fc from 'fast-check';

/** Changes a request; may use others of its kind. */
export type Change = (bytes: Buffer, others: readonly Buffer[]) => Buffer;

/** Shows in a report what a function does. */
export function named<T extends object>(text: string, value: T): T {
  return Object.assign(value, { [fc.toStringMethod]: () => text });
}

const framing = ['0000', '0001', '0002', '0004', '0005a', 'ffff', '000dfff0'];
/** A place in bytes of any length; the first ones are likely, since there the framing is. */
const place = fc.oneof(fc.nat(300), fc.nat(1_000_000));

const flip = fc.tuple(place, fc.nat(7)).map(([at, bit]): Change =>
  named(`flip bit ${bit} at ${at}`, (bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[at % copy.length] = (copy[at % copy.length] as number) ^ (1 << bit);
    return copy;
  }),
);

const cut = fc
  .oneof(place, fc.integer({ min: -40, max: -1 }))
  .map((at): Change => named(`cut at ${at}`, (bytes) => bytes.subarray(0, at < 0 ? at : at % (bytes.length + 1))));

const insert = fc
  .tuple(
    place,
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 50 }),
      fc.constantFrom(...framing).map((text) => Buffer.from(text)),
    ),
  )
  .map(([at, added]): Change =>
    named(`insert ${Buffer.from(added).toString('hex')} at ${at}`, (bytes) => {
      const from = at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(from)]);
    }),
  );

const copy = fc.tuple(place, fc.nat(400), place).map(([from, length, to]): Change =>
  named(`copy ${length} from ${from} to ${to}`, (bytes) => {
    const start = from % (bytes.length + 1);
    const target = to % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, target), bytes.subarray(start, start + length), bytes.subarray(target)]);
  }),
);

const drop = fc.tuple(place, fc.integer({ min: 1, max: 200 })).map(([at, length]): Change =>
  named(`drop ${length} at ${at}`, (bytes) => {
    const from = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  }),
);

const goOn = fc.tuple(fc.nat(), place, place).map(([other, at, from]): Change =>
  named(`go on at ${at} with request ${other} from ${from}`, (bytes, others) => {
    const rest = others[other % others.length] as Buffer;
    return Buffer.concat([bytes.subarray(0, at % (bytes.length + 1)), rest.subarray(from % (rest.length + 1))]);
  }),
);

export const change: fc.Arbitrary<Change> = fc.oneof(flip, cut, insert, copy, drop, goOn);

export const changes: fc.Arbitrary<Change[]> = fc.array(change, { minLength: 1, maxLength: 3 });

export function changed(bytes: Buffer, steps: readonly Change[], others: readonly Buffer[]): Buffer {
  return steps.reduce((current, step) => step(current, others), bytes);
}
