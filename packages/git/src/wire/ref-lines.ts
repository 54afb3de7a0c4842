import { objectIdBytes } from '../object/object-id.ts';
import { hasPeeled, nameBytesAt, type RefSlice } from '../refs/packed-refs.ts';
import { lengthDigits, writeLength } from './pkt-line.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';

/**
 * Form of the peeled value of a ref (GIT-043): none, an attribute of its line (GIT-091), or a separate line after it
 * (GIT-044).
 */
export type PeeledForm = 'none' | 'attribute' | 'line';

const idDigits = 2 * objectIdBytes;
const attribute = encodeUtf8(' peeled:');
const suffix = encodeUtf8('^{}');
const [space, lf] = [32, 10];

/** Lines of refs, as packets: ids and names go from their tables to the reply without a text in between. */
export function writeRefLines({ refs, from, to }: RefSlice, form: PeeledForm): Uint8Array {
  const lines = new LineWriter(sizeOf({ refs, from, to }, form));
  for (let i = from; i < to; i++) {
    const name = nameBytesAt(refs, i);
    const tells = form !== 'none' && hasPeeled(refs, i);
    const isAttribute = tells && form === 'attribute';
    lines.begin(plainLine + name.length + (isAttribute ? attribute.length + idDigits : 0));
    lines.id(refs.oids, i);
    lines.byte(space);
    lines.bytes(name);
    if (isAttribute) {
      lines.bytes(attribute);
      lines.id(refs.peeled, i);
    }
    lines.byte(lf);
    if (!tells || isAttribute) continue;
    lines.begin(plainLine + name.length + suffix.length);
    lines.id(refs.peeled, i);
    lines.byte(space);
    lines.bytes(name);
    lines.bytes(suffix);
    lines.byte(lf);
  }
  return lines.target;
}

/** Bytes of a line without the name. */
const plainLine = lengthDigits + idDigits + 2;

function sizeOf({ refs, from, to }: RefSlice, form: PeeledForm): number {
  let size = 0;
  for (let i = from; i < to; i++) {
    const name = nameBytesAt(refs, i).length;
    size += plainLine + name;
    if (form === 'none' || !hasPeeled(refs, i)) continue;
    size += form === 'attribute' ? attribute.length + idDigits : plainLine + name + suffix.length;
  }
  return size;
}

class LineWriter {
  readonly target: Uint8Array;
  #at = 0;

  constructor(size: number) {
    this.target = new Uint8Array(size);
  }

  /** Starts a packet with that length, including its digits. */
  begin(length: number): void {
    writeLength(length, this.target, this.#at);
    this.#at += lengthDigits;
  }

  byte(value: number): void {
    this.target[this.#at++] = value;
  }

  bytes(bytes: Uint8Array): void {
    this.target.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** The digits of the id with that index in a table. */
  id(ids: Uint8Array, index: number): void {
    for (let i = index * objectIdBytes; i < (index + 1) * objectIdBytes; i++) {
      const value = ids[i] as number;
      this.target[this.#at++] = digit(value >> 4);
      this.target[this.#at++] = digit(value & 15);
    }
  }
}

function digit(value: number): number {
  return value < 10 ? 48 + value : 87 + value;
}
