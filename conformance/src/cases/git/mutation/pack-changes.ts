/** Changes inside a pack, whose sizes, distances and checksum are valid again afterwards. */

import fc from 'fast-check';
import type { TakenEntry } from '../../../tools/taken-pack.ts';
import { change, named } from './byte-changes.ts';

/** Changes entries in place. */
export type PackChange = (entries: TakenEntry[]) => void;

const bytesOfEntry = fc.tuple(fc.nat(), change).map(([number, inner]): PackChange =>
  named(`entry ${number}: ${fc.stringify(inner)}`, (entries) => {
    const [index, entry] = entryAt(entries, number);
    const others = entries.map(({ data }) => data);
    replace(entries, index, { ...entry, data: inner(entry.data, others) });
  }),
);

const oneByte = fc.tuple(fc.nat(), fc.nat(40), fc.integer({ min: 1, max: 255 })).map(([number, at, mask]): PackChange =>
  named(`entry ${number}: byte ${at} with ${mask}`, (entries) => {
    const [index, entry] = entryAt(entries, number);
    const data = Buffer.from(entry.data);
    if (data.length > 0) data[at % data.length] = (data[at % data.length] as number) ^ mask;
    replace(entries, index, { ...entry, data });
  }),
);

const type = fc.tuple(fc.nat(), fc.nat(7)).map(([number, to]): PackChange =>
  named(`entry ${number}: type ${to}`, (entries) => {
    const [index, entry] = entryAt(entries, number);
    const base = entry.base ?? (entries[Math.max(0, index - 1)] as TakenEntry);
    replace(entries, index, { ...entry, type: to, base, baseId: entry.baseId ?? Buffer.alloc(20, number) });
  }),
);

const otherBase = fc.tuple(fc.nat(), fc.nat()).map(([number, other]): PackChange =>
  named(`entry ${number}: on ${other}`, (entries) => {
    const [index, entry] = entryAt(entries, number);
    const [, base] = entryAt(entries, other);
    const { baseId } = base;
    replace(entries, index, { ...entry, base, ...(baseId === undefined ? {} : { baseId }) });
  }),
);

const told = fc.tuple(fc.nat(), fc.integer({ min: -3, max: 100_000 })).map(([number, more]): PackChange =>
  named(`entry ${number}: ${more} more told`, (entries) => {
    const [index, entry] = entryAt(entries, number);
    replace(entries, index, { ...entry, told: Math.max(0, entry.data.length + more) });
  }),
);

const dropped = fc.nat().map((number): PackChange =>
  named(`entry ${number}: dropped`, (entries) => {
    entries.splice(entryAt(entries, number)[0], 1);
  }),
);

const repeated = fc.tuple(fc.nat(), fc.nat()).map(([number, to]): PackChange =>
  named(`entry ${number}: again before ${to}`, (entries) => {
    entries.splice(entryAt(entries, to)[0], 0, { ...entryAt(entries, number)[1] });
  }),
);

const swapped = fc.tuple(fc.nat(), fc.nat()).map(([one, two]): PackChange =>
  named(`entries ${one} and ${two}: swapped`, (entries) => {
    const [i, first] = entryAt(entries, one);
    const [j, second] = entryAt(entries, two);
    entries[i] = second;
    entries[j] = first;
  }),
);

export const packChanges: fc.Arbitrary<PackChange[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: bytesOfEntry },
    { weight: 2, arbitrary: oneByte },
    type,
    otherBase,
    told,
    dropped,
    repeated,
    swapped,
  ),
  { minLength: 1, maxLength: 3 },
);

function entryAt(entries: readonly TakenEntry[], number: number): [number, TakenEntry] {
  const index = number % Math.max(1, entries.length);
  return [index, entries[index] ?? { type: 3, data: Buffer.alloc(0) }];
}

/** Replaces an entry, also as the base of other entries. */
function replace(entries: TakenEntry[], index: number, entry: TakenEntry): void {
  const old = entries[index];
  entries[index] = entry;
  entries.forEach((other, i) => {
    if (other.base === old && old !== undefined && i !== index) entries[i] = { ...other, base: entry };
  });
}
