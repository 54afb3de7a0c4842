import { joined } from '../packs/buffer-list.ts';

/** Writes are lost or kept in pieces of this size in bytes. */
const pieceSize = 16_384;

interface Piece {
  /** The number of its write. */
  readonly change: number;
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** Contents of a file: durable ones, and those in the cache. */
export class Inode {
  modifiedAt: number;
  current: Uint8Array;
  #durable: Uint8Array;
  #pending: Piece[] = [];
  /** Number of writes and truncations, and those that are durable. */
  #changes = 0;
  #durableChanges = 0;
  readonly #syncs = new Map<number, { readonly contents: Uint8Array; readonly changes: number }>();

  constructor(modifiedAt: number, contents: Uint8Array = new Uint8Array(0)) {
    this.modifiedAt = modifiedAt;
    this.current = contents;
    this.#durable = contents;
  }

  write(buffers: readonly Uint8Array[], position: number): void {
    const bytes = joined(buffers);
    this.current = withBytes(this.current, position, bytes);
    this.#changes++;
    for (let at = 0; at < bytes.length; at += pieceSize) {
      this.#pending.push({ change: this.#changes, position: position + at, bytes: bytes.subarray(at, at + pieceSize) });
    }
  }

  /** Truncates the file. A power cut undoes that until the next {@link Inode.sync}. */
  truncate(size: number): void {
    this.current = this.current.subarray(0, size);
    this.#changes++;
  }

  /** Notes what a sync will make durable. `key` tells it from others under way. */
  beginSync(key: number): void {
    this.#syncs.set(key, { contents: this.current, changes: this.#changes });
  }

  /** Makes durable what was written before the beginning of the sync; without a `key`, until now. */
  sync(key?: number): void {
    const { contents, changes } = this.#syncs.get(key ?? NaN) ?? { contents: this.current, changes: this.#changes };
    // Another sync may have begun later and ended earlier.
    if (changes < this.#durableChanges) return;
    this.#durable = contents;
    this.#durableChanges = changes;
    this.#pending = this.#pending.filter(({ change }) => change > changes);
  }

  /** Returns the file after a power cut. */
  survivor(keep: () => boolean): Inode {
    const kept = this.#pending.filter(keep);
    return new Inode(
      this.modifiedAt,
      kept.reduce((contents, { position, bytes }) => withBytes(contents, position, bytes), this.#durable),
    );
  }
}

/** Returns a copy of `contents` with `bytes` at `position`, and zeros in a gap before it. */
function withBytes(contents: Uint8Array, position: number, bytes: Uint8Array): Uint8Array {
  const changed = new Uint8Array(Math.max(contents.length, position + bytes.length));
  changed.set(contents);
  changed.set(bytes, position);
  return changed;
}

type Entry = Inode | 'folder' | undefined;

interface NameChange {
  readonly folder: string;
  /** All or none, since a rename is one change. */
  readonly names: readonly (readonly [path: string, entry: Entry])[];
}

/** Files and folders by path, with the name changes that a power cut may undo. */
export class VolatileDisk {
  readonly #current: Map<string, Entry>;
  readonly #durable: Map<string, Entry>;
  #pending: NameChange[] = [];

  constructor(entries: Iterable<readonly [string, Entry]> = []) {
    this.#current = new Map(entries);
    this.#durable = new Map(this.#current);
  }

  get(path: string): Entry {
    return this.#current.get(path);
  }

  paths(): readonly string[] {
    return [...this.#current.keys()];
  }

  change(folder: string, names: NameChange['names']): void {
    this.#pending.push({ folder, names });
    apply(this.#current, names);
  }

  syncFolder(folder: string): void {
    for (const change of this.#pending) if (change.folder === folder) apply(this.#durable, change.names);
    this.#pending = this.#pending.filter((change) => change.folder !== folder);
  }

  /** Returns the disk after a power cut. `keep` decides for each unsynced name change and piece of a file. */
  survivor(keep: () => boolean): VolatileDisk {
    const names = new Map(this.#durable);
    for (const change of this.#pending) if (keep()) apply(names, change.names);
    const inodes = new Map<Inode, Inode>();
    const entries: [string, Entry][] = [];
    for (const [path, entry] of names) {
      // Entries in a folder whose name was lost are lost, too.
      if (!parentsOf(path).every((parent) => names.get(parent) === 'folder')) continue;
      if (!(entry instanceof Inode)) {
        entries.push([path, entry]);
        continue;
      }
      const inode = inodes.get(entry) ?? entry.survivor(keep);
      inodes.set(entry, inode);
      entries.push([path, inode]);
    }
    return new VolatileDisk(entries);
  }
}

function apply(target: Map<string, Entry>, names: NameChange['names']): void {
  for (const [path, entry] of names) {
    if (entry === undefined) target.delete(path);
    else target.set(path, entry);
  }
}

/** Returns the folders above a path from the top, without the root. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) parents.push(path.slice(0, end));
  return parents;
}
