import { copyingDelta, offsetDistance } from './copying-delta.ts';
import { packEntry, packOfEntries, type MadeObject } from './made-objects.ts';

const kindNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;

/**
 * Makes a pack in which most objects are deltas of the previous object of their kind, alternately by offset and by id.
 * The first of a kind uses the last of it in `outside` as its base, by id, which makes the pack thin.
 */
export function deltaPack(objects: readonly MadeObject[], outside: readonly MadeObject[] = []): Buffer {
  const last = new Map<string, { readonly object: MadeObject; readonly at?: number }>();
  for (const object of outside) last.set(object.kind, { object });
  const entries: Buffer[] = [];
  let at = 12;
  for (const [i, object] of objects.entries()) {
    // Git accepts no delta of an empty object.
    const base = i % 7 === 6 || object.body.length === 0 ? undefined : last.get(object.kind);
    const entry =
      base === undefined ? packEntry(kindNumbers[object.kind], object.body) : deltaEntry(object, base, i, at);
    last.set(object.kind, { object, at });
    entries.push(entry);
    at += entry.length;
  }
  return packOfEntries(entries);
}

function deltaEntry(
  object: MadeObject,
  base: { readonly object: MadeObject; readonly at?: number },
  number: number,
  at: number,
): Buffer {
  const delta = copyingDelta(base.object.body, object.body);
  if (base.at !== undefined && number % 2 === 0) return packEntry(6, delta, offsetDistance(at - base.at));
  return packEntry(7, delta, Buffer.from(base.object.oid, 'hex'));
}
