import { entryHeaderMax, writeEntryHeader, type Codec } from '@packhouse/git';
import { joined, numberOf, type MadeObject } from './git-objects.ts';
import { storedZlib } from './stored-zlib.ts';

/** Writes a pack of undeltified objects (gitformat-pack(5)). */
export function packObjects(codec: Codec, objects: readonly MadeObject[]): Uint8Array {
  const head = new Uint8Array(12);
  const view = new DataView(head.buffer);
  head.set([0x50, 0x41, 0x43, 0x4b]);
  view.setUint32(4, 2);
  view.setUint32(8, objects.length);
  const entries = objects.flatMap((object) => {
    const header = new Uint8Array(entryHeaderMax);
    const end = writeEntryHeader(header, 0, numberOf(object), object.body.length);
    return [header.subarray(0, end), storedZlib(object.body)];
  });
  const body = joined([head, ...entries]);
  return joined([body, codec.sha1Of(body)]);
}
