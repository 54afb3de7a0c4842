import type { ObjectId } from '../object/object-id.ts';
import { parseRefName, type RefName } from '../refs/ref-name.ts';
import { RemoteError } from './remote-error.ts';
import { malformed } from './remote-packets.ts';

/** A branch or a tag of a remote. */
export interface RemoteRef {
  readonly name: RefName;
  /** Id of the object that the ref points to, which may be a tag. */
  readonly oid: ObjectId;
}

export interface RemoteRefs {
  /** Branches and tags, in the order in which the remote lists them; other refs are left out. */
  readonly refs: readonly RemoteRef[];
  /**
   * The branch that HEAD points to, even if it does not exist. Undefined if HEAD points to no branch, or the remote
   * does not say.
   */
  readonly head: RefName | undefined;
}

/** Told how many bytes more of memory are taken for as long as the import lasts; false if there is no room for them. */
export type TryKeep = (bytes: number) => boolean;

/**
 * Memory per ref, as for commands of a push: the ref, its place in a map, its command, its verdict, and its line in the
 * request.
 */
const keptPerRef = 768;
const keptPerNameByte = 3;

/** Collects the refs of a remote from its list. */
export class RefGatherer {
  readonly #tryKeep: TryKeep;
  readonly #refs = new Map<RefName, RemoteRef>();
  #head: RefName | undefined;

  constructor(tryKeep: TryKeep) {
    this.#tryKeep = tryKeep;
  }

  /**
   * Takes a listed ref. Names that no ref may have here (GIT-120, not UTF-8 above all) are left out.
   *
   * @throws {RemoteError} `malformed` for a name that comes twice; `too large` if there is no room for it.
   */
  add(bytes: Uint8Array, oid: ObjectId): void {
    const name = parseRefName(bytes);
    if (name === undefined || !(isBranch(name) || name.startsWith('refs/tags/'))) return;
    if (this.#refs.has(name)) throw malformed('a ref is listed twice');
    if (!this.#tryKeep(keptPerRef + keptPerNameByte * bytes.length)) {
      throw new RemoteError('too large', 'there is no memory for the refs of the remote');
    }
    this.#refs.set(name, { name, oid });
  }

  /** Sets the ref that HEAD points to. */
  setHead(target: string): void {
    const name = parseRefName(target);
    if (name !== undefined && isBranch(name)) this.#head = name;
  }

  done(): RemoteRefs {
    return { refs: [...this.#refs.values()], head: this.#head };
  }
}

/** Tests if a ref is a branch. */
export function isBranch(name: RefName): boolean {
  return name.startsWith('refs/heads/');
}
