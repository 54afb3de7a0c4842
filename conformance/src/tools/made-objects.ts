/** Small objects and packs, made without a process and deliberately without the kit's own code. */

import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export const noObject: string = '0'.repeat(40);

export interface MadeObject {
  readonly oid: string;
  readonly kind: 'commit' | 'tree' | 'blob' | 'tag';
  readonly body: Buffer;
}

const kindNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;
const person = 'Ada Example <ada@example.com> 1700000000 +0000';

export function made(kind: MadeObject['kind'], content: string | Uint8Array): MadeObject {
  const body = Buffer.from(content as Uint8Array);
  const oid = createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex');
  return { oid, kind, body };
}

export function blob(content: string | Uint8Array): MadeObject {
  return made('blob', content);
}

/** Makes a tree of files; names must be sorted. An entry that is a tree becomes a folder. */
export function tree(entries: Readonly<Record<string, MadeObject>>): MadeObject {
  const parts = Object.entries(entries).flatMap(([name, { oid, kind }]) => [
    Buffer.from(`${kind === 'tree' ? '40000' : '100644'} ${name}\0`),
    Buffer.from(oid, 'hex'),
  ]);
  return made('tree', Buffer.concat(parts));
}

export function commit(
  message: string,
  root: Pick<MadeObject, 'oid'>,
  parents: readonly Pick<MadeObject, 'oid'>[] = [],
): MadeObject {
  const lines = [
    `tree ${root.oid}`,
    ...parents.map(({ oid }) => `parent ${oid}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  return made('commit', `${lines.join('\n')}\n\n${message}\n`);
}

export function tag(name: string, target: MadeObject): MadeObject {
  return made('tag', `object ${target.oid}\ntype ${target.kind}\ntag ${name}\ntagger ${person}\n\n${name}\n`);
}

/** A commit with its tree of one file; `all` has all three objects. */
export interface MadeCommit extends MadeObject {
  readonly root: MadeObject;
  readonly file: MadeObject;
  readonly all: readonly MadeObject[];
}

/** Makes a commit whose tree has one file, with the message as content. */
export function change(message: string, ...parents: readonly MadeObject[]): MadeCommit {
  const file = blob(`${message}\n`);
  const root = tree({ file });
  const node = commit(message, root, parents);
  return { ...node, root, file, all: [node, root, file] };
}

/** Encodes one entry of a pack: type number, declared size, header before the data, and the data. */
export function packEntry(
  type: number,
  body: Uint8Array,
  base: Uint8Array = new Uint8Array(0),
  told: number = body.length,
): Buffer {
  const header: number[] = [];
  let rest = Math.floor(told / 16);
  let byte = (type << 4) | (told % 16);
  while (rest > 0) {
    header.push(byte | 0x80);
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  header.push(byte);
  return Buffer.concat([Buffer.from(header), base, deflateSync(body)]);
}

/** Makes a pack of encoded entries. */
export function packOfEntries(entries: readonly Uint8Array[], told: number = entries.length): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(told, 8);
  const bytes = Buffer.concat([header, ...entries]);
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);
}

/** Makes a pack of undeltified objects, each once. */
export function pack(...objects: readonly MadeObject[]): Buffer {
  const once = new Map(objects.map((object) => [object.oid, object]));
  return packOfEntries([...once.values()].map(({ kind, body }) => packEntry(kindNumbers[kind], body)));
}

/** Makes a delta from a base of that size to `target`, by inserting all of it. */
export function insertingDelta(baseSize: number, target: Uint8Array): Buffer {
  const parts: Buffer[] = [deltaSize(baseSize), deltaSize(target.length)];
  for (let at = 0; at < target.length; at += 127) {
    const part = target.subarray(at, at + 127);
    parts.push(Buffer.of(part.length), Buffer.from(part));
  }
  return Buffer.concat(parts);
}

function deltaSize(size: number): Buffer {
  const bytes: number[] = [];
  let rest = size;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
