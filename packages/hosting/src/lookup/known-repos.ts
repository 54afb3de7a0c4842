import { LruCache } from '@packhouse/base';
import { foldName } from '../names/fold.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { HostedSnapshot } from '../ports/repo-storage.ts';

/** Names whose id is remembered. */
const namesMax = 20_000;

/** Place of a repo in the storage. */
export interface KnownRepo {
  readonly id: string;
  readonly jurisdiction: string;
}

/**
 * Caches ids and snapshots of requested repos, so that a request need not read the catalog or the whole state again. A
 * cached id may be gone, or have another name by now (REPO-238). The caller that finds out must forget it, and look in
 * the catalog.
 */
export class KnownRepos {
  readonly #ids = new LruCache<string, KnownRepo>(namesMax);
  readonly #snapshots: LruCache<string, HostedSnapshot>;

  /** `capacity`: bytes that snapshots may take. */
  constructor(capacity: number) {
    this.#snapshots = new LruCache(capacity, weight);
  }

  find(account: string, namespace: string, name: string): KnownRepo | undefined {
    return this.#ids.get(keyOf(account, namespace, name));
  }

  /** Caches a repo by its name if it is ready. The creation of another repo may be undone without a trace in its state. */
  note(account: string, namespace: string, name: string, { id, jurisdiction, status }: RepoRecord): void {
    if (status === 'ready') this.#ids.set(keyOf(account, namespace, name), { id, jurisdiction });
  }

  /** The repo of that name is gone, or has another name. */
  forget(account: string, namespace: string, name: string): void {
    const key = keyOf(account, namespace, name);
    const known = this.#ids.get(key);
    this.#ids.delete(key);
    if (known !== undefined) this.#snapshots.delete(known.id);
  }

  /** The last snapshot that was kept of a repo, which may be old. */
  snapshot(id: string): HostedSnapshot | undefined {
    return this.#snapshots.get(id);
  }

  keep(id: string, snapshot: HostedSnapshot): void {
    this.#snapshots.set(id, snapshot);
  }
}

/** Tests if two texts name the same repo. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

function keyOf(account: string, namespace: string, name: string): string {
  return JSON.stringify([account, foldName(namespace), foldName(name)]);
}

/** A guess in bytes: ids and names dominate. */
function weight({ refs, packs, shallow, retiredTips }: HostedSnapshot): number {
  const counted = packs.length * 160 + shallow.length * 60 + retiredTips.length * 220;
  return 512 + counted + (refs?.names.length ?? 0) + (refs?.count ?? 0) * 25;
}
