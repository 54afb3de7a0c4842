/** An oracle for filters: GIT-080 to GIT-086 of docs/specification/git.md in a few lines. */

import type { MadeObject } from './made-objects.ts';
import { linksOf } from './reached-objects.ts';

type Kind = MadeObject['kind'];
/** Judges an object by its kind, its size and its smallest depth below the sent objects. */
type Judge = (kind: Kind, size: number, depth: number) => boolean;

const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function judge(spec: string): Judge {
  const [, limit, unit = ''] = /^blob:limit=(\d+)([kmg]?)$/.exec(spec) ?? [];
  if (limit !== undefined) return (kind, size) => kind !== 'blob' || size < Number(limit) * (units[unit] ?? Number.NaN);
  if (spec === 'blob:none') return (kind) => kind !== 'blob';
  const [, deepest] = /^tree:(\d+)$/.exec(spec) ?? [];
  if (deepest !== undefined) return (kind, _, depth) => (kind !== 'blob' && kind !== 'tree') || depth < Number(deepest);
  const [, only] = /^object:type=(blob|tree|commit|tag)$/.exec(spec) ?? [];
  if (only !== undefined) return (kind) => kind === only;
  const [, parts] = /^combine:(.+)$/.exec(spec) ?? [];
  if (parts === undefined) throw new Error(`the oracle knows no filter ${spec}`);
  const judges = parts.split('+').map((part) => judge(decodeURIComponent(part)));
  return (...facts) => judges.every((one) => one(...facts));
}

/**
 * Returns the ids that an empty client receives: the reachable objects that the filter lets through, and the wants.
 * `free` has ids that may also be sent: the targets of wanted tags, and the objects that wanting these targets would
 * bring.
 */
export function filtered(
  spec: string,
  wants: readonly MadeObject[],
  objects: ReadonlyMap<string, MadeObject>,
): { readonly sent: string[]; readonly free: ReadonlySet<string> } {
  const tagged = wants.flatMap((want) => peeled(want, objects));
  const sent = sentFor(spec, wants, objects);
  const more = sentFor(spec, [...wants, ...tagged.map((oid) => objects.get(oid) as MadeObject)], objects);
  return { sent, free: new Set(more.filter((oid) => !sent.includes(oid))) };
}

function sentFor(spec: string, wants: readonly MadeObject[], objects: ReadonlyMap<string, MadeObject>): string[] {
  const depths = new Map<string, number>();
  // A tree wanted by its id is always sent, and its entries have depth 0.
  let level = wants.map(({ oid, kind }) => ({ oid, depth: kind === 'tree' ? -1 : 0 }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { oid, depth } of level) {
      const known = depths.get(oid);
      if (known !== undefined && known <= depth) continue;
      depths.set(oid, depth);
      const object = objects.get(oid) as MadeObject;
      const inside = object.kind === 'tree' ? depth + 1 : 0;
      for (const link of linksOf(object)) next.push({ oid: link.oid, depth: inside });
    }
    level = next;
  }
  const passes = judge(spec);
  const wanted = new Set(wants.map(({ oid }) => oid));
  const sent = [...depths].filter(([oid, depth]) => {
    const { kind, body } = objects.get(oid) as MadeObject;
    return wanted.has(oid) || passes(kind, body.length, depth);
  });
  return sent.map(([oid]) => oid).sort();
}

/** Returns every object in the chain of a tag. */
function peeled(object: MadeObject, objects: ReadonlyMap<string, MadeObject>): string[] {
  if (object.kind !== 'tag') return [];
  const target = objects.get((linksOf(object)[0] as { oid: string }).oid) as MadeObject;
  return [target.oid, ...peeled(target, objects)];
}
