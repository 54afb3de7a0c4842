import { made, type MadeObject } from './made-objects.ts';

/** A tree with modes and order as told, also such as Git never makes. */
export function rawTree(
  ...entries: readonly (readonly [mode: string, name: string | Uint8Array, object: Pick<MadeObject, 'oid'>])[]
): MadeObject {
  const parts = entries.flatMap(([mode, name, { oid }]) => [
    Buffer.from(`${mode} `),
    Buffer.from(name as Uint8Array),
    Buffer.of(0),
    Buffer.from(oid, 'hex'),
  ]);
  return made('tree', Buffer.concat(parts));
}
