import { stretches, type Steps } from '../work/loops.ts';
import { readingLink, usualReading, type StoredForm } from './reading-memory.ts';

/** Maximum bytes of an object that is not costly. */
const sizeMax = usualReading / 8;
/** Maximum bytes for each step along its chain. The rest is for the object as it is written. */
const linkMax = usualReading - 2 * sizeMax;

/** Work for an object, as a number of entries. */
const entriesAnObject = 4;

/** By pack: a bit for each object whose chain has a step that takes more than {@link linkMax}. */
const marked = new WeakMap<StoredForm, Uint8Array>();

/**
 * Finds the costly objects of a pack, which take more than {@link usualReading} to be read and written whole. Passes over
 * each object once, however the chains run, and does nothing for a pack that was marked before.
 */
export function* markCostly(pack: StoredForm): Steps<void> {
  if (marked.has(pack)) return;
  const { bases, sizes } = pack;
  const costly = new Uint8Array(Math.ceil(sizes.length / 8));
  const known = new Uint8Array(costly.length);
  const path: number[] = [];
  for (const [from, to] of stretches(sizes.length)) {
    for (let object = from; object < to; object++) {
      let one = object;
      for (; one >= 0 && !has(known, one); one = bases[one] as number) {
        // A circle ends at an object of this path.
        add(known, one);
        path.push(one);
        if (readingLink(pack, one) > linkMax) {
          add(costly, one);
          break;
        }
      }
      const isCostlyHere = one >= 0 && has(costly, one);
      for (let passed = path.pop(); passed !== undefined; passed = path.pop()) if (isCostlyHere) add(costly, passed);
    }
    yield entriesAnObject * (to - from);
  }
  marked.set(pack, costly);
}

/** Tests if an object of a pack that was marked is costly. */
export function isCostly(pack: StoredForm, object: number): boolean {
  return (pack.sizes[object] as number) > sizeMax || has(marked.get(pack) as Uint8Array, object);
}

function has(bits: Uint8Array, number: number): boolean {
  return (((bits[number >>> 3] as number) >>> (number & 7)) & 1) === 1;
}

function add(bits: Uint8Array, number: number): void {
  bits[number >>> 3] = (bits[number >>> 3] as number) | (1 << (number & 7));
}
