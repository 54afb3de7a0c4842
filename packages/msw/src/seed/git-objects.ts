import { kindNumber, type Codec, type ObjectKind } from '@packhouse/git';
import type { FileSeed } from './seed.ts';

/** A Git object of a repo that is being created. */
export interface MadeObject {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly body: Uint8Array;
}

/** A file as an entry of a tree. */
export interface MadeFile {
  readonly mode: string;
  /** The id of its blob. */
  readonly id: string;
}

/** The author of an object and the time (milliseconds since 1970, UTC). */
export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly at: number;
}

const encoder = new TextEncoder();

/** Collects the objects of a repo, each once. */
export class MadeObjects {
  readonly #codec: Codec;
  readonly #objects = new Map<string, MadeObject>();

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  get all(): readonly MadeObject[] {
    return [...this.#objects.values()];
  }

  /** Adds the blob of a file. */
  file(seed: FileSeed): MadeFile {
    const content = contentOf(seed);
    const body = typeof content === 'string' ? encoder.encode(content) : content;
    return { mode: modeOf(seed), id: this.#add('blob', body) };
  }

  /** Adds the trees of all folders of these files. Returns the id of the root tree. */
  tree(files: ReadonlyMap<string, MadeFile>): string {
    const entries = new Map<string, MadeFile>();
    const folders = new Map<string, Map<string, MadeFile>>();
    for (const [path, file] of files) {
      const slash = path.indexOf('/');
      if (slash < 0) {
        entries.set(path, file);
        continue;
      }
      const folder = path.slice(0, slash);
      folders.set(folder, (folders.get(folder) ?? new Map<string, MadeFile>()).set(path.slice(slash + 1), file));
    }
    for (const [name, inside] of folders) entries.set(name, { mode: '40000', id: this.tree(inside) });
    // Git sorts by bytes, and a folder as if its name ended in a slash.
    const sorted = [...entries]
      .map(([name, entry]) => ({ ...entry, name, key: encoder.encode(entry.mode === '40000' ? `${name}/` : name) }))
      .toSorted((left, right) => compareBytes(left.key, right.key));
    return this.#add(
      'tree',
      joined(sorted.flatMap(({ mode, name, id }) => [encoder.encode(`${mode} ${name}\0`), idBytes(id)])),
    );
  }

  commit(commit: { tree: string; parents: readonly string[]; by: Signature; message: string }): string {
    const by = written(commit.by);
    const parents = commit.parents.map((id) => `parent ${id}\n`).join('');
    const head = `tree ${commit.tree}\n${parents}author ${by}\ncommitter ${by}\n`;
    return this.#add('commit', encoder.encode(`${head}\n${line(commit.message)}`));
  }

  tag(tag: { object: string; name: string; by: Signature; message: string }): string {
    const head = `object ${tag.object}\ntype commit\ntag ${tag.name}\ntagger ${written(tag.by)}\n`;
    return this.#add('tag', encoder.encode(`${head}\n${line(tag.message)}`));
  }

  #add(kind: ObjectKind, body: Uint8Array): string {
    const id = hexadecimal(this.#codec.sha1Of(encoder.encode(`${kind} ${body.length}\0`), body));
    if (!this.#objects.has(id)) this.#objects.set(id, { id, kind, body });
    return id;
  }
}

/** Returns the type number of an object in a pack. */
export function numberOf({ kind }: MadeObject): number {
  return kindNumber[kind];
}

/** Concatenates byte arrays. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function contentOf(file: FileSeed): string | Uint8Array {
  return typeof file === 'string' || file instanceof Uint8Array ? file : file.content;
}

function modeOf(file: FileSeed): string {
  if (typeof file === 'string' || file instanceof Uint8Array) return '100644';
  return file.mode === 'executable' ? '100755' : '120000';
}

function written({ name, email, at }: Signature): string {
  return `${name} <${email}> ${Math.floor(at / 1000)} +0000`;
}

function line(message: string): string {
  return message.endsWith('\n') ? message : `${message}\n`;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = (left[at] as number) - (right[at] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function hexadecimal(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

function idBytes(id: string): Uint8Array {
  return Uint8Array.from({ length: 20 }, (_, at) => Number.parseInt(id.slice(2 * at, 2 * at + 2), 16));
}
