import { kindNumber, type ObjectKind } from '../object/kind.ts';
import { parseObjectId, type ObjectId } from '../object/object-id.ts';
import { nodeCodec } from '../codec/node.ts';

const codec = nodeCodec();
const text = new TextEncoder();

/** An object made by hand. */
export interface MadeObject {
  readonly oid: ObjectId;
  readonly kind: ObjectKind;
  readonly body: Uint8Array;
}

/** A commit with its tree and two files, four objects in all. */
export interface MadeCommit extends MadeObject {
  readonly all: readonly MadeObject[];
}

/** A file that all commits share, so that objects from early history are in every tree. */
const license = made('blob', text.encode('do what you like\n'));

/** Makes a commit whose tree has a file with the message and one that never changes. */
export function madeCommit(message: string, ...parents: readonly MadeCommit[]): MadeCommit {
  const file = madeFile(message);
  const root = made('tree', joined(treeEntry('file', file), treeEntry('license', license)));
  const person = 'Ada Example <ada@example.com> 1700000000 +0000';
  const links = [`tree ${root.oid}`, ...parents.map(({ oid }) => `parent ${oid}`)];
  const body = text.encode(`${links.join('\n')}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`);
  const commit = made('commit', body);
  return { ...commit, all: [commit, root, file, license] };
}

/** Makes the file of a commit with this message. */
export function madeFile(message: string): MadeObject {
  return made('blob', text.encode(`${message}\n`));
}

/**
 * Makes the body of a push: `shallow` lines, commands as `[old, new, ref]`, and a pack of whole objects without
 * duplicates. Without any new value it has no pack.
 */
export function madePush(
  commands: readonly (readonly [MadeObject | null, MadeObject | null, string])[],
  objects: readonly MadeObject[],
  shallow: readonly MadeObject[] = [],
): Uint8Array {
  const none = '0'.repeat(40);
  const lines = commands.map(
    ([old, value, ref], i) => `${old?.oid ?? none} ${value?.oid ?? none} ${ref}${i === 0 ? '\0 report-status' : ''}`,
  );
  const packets = [...shallow.map(({ oid }) => `shallow ${oid}\n`), ...lines].map(packetOf);
  const pack = commands.every(([, value]) => value === null) ? new Uint8Array(0) : packOf(objects);
  return joined(text.encode(`${packets.join('')}0000`), pack);
}

/** Makes a packet of text. */
export function packetOf(line: string): string {
  return (line.length + 4).toString(16).padStart(4, '0') + line;
}

function made(kind: ObjectKind, body: Uint8Array): MadeObject {
  const digest = codec.sha1Of(text.encode(`${kind} ${body.length}\0`), body);
  return { oid: parseObjectId(hexOf(digest)) as ObjectId, kind, body };
}

function treeEntry(name: string, { oid }: MadeObject): Uint8Array {
  const id = Uint8Array.from({ length: 20 }, (_, i) => Number.parseInt(oid.slice(2 * i, 2 * i + 2), 16));
  return joined(text.encode(`100644 ${name}\0`), id);
}

function packOf(objects: readonly MadeObject[]): Uint8Array {
  const once = [...new Map(objects.map((object) => [object.oid, object])).values()];
  const entries = once.map(({ kind, body }) => {
    const size = [(kindNumber[kind] << 4) | (body.length & 15) | 0x80, body.length >> 4];
    return joined(Uint8Array.from(size), codec.deflate(body, 6));
  });
  const pack = joined(text.encode('PACK'), Uint8Array.of(0, 0, 0, 2, 0, 0, 0, once.length), ...entries);
  return joined(pack, codec.sha1Of(pack));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
