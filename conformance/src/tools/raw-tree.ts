import { made, type MadeObject } from './made-objects.ts';

/** Makes a tree with the given modes and order, even ones that Git never makes. */
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
