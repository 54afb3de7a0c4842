import { join } from 'node:path';
import type { SqlDriver } from '@packhouse/base';
import { packFiles } from '@packhouse/git';
import { linkFiles, nodeFileSystem } from '@packhouse/storage/node';

/** A pack in the folder `packs/` that a database names. */
export interface NamedPack {
  readonly account: string;
  readonly repo: string;
  readonly id: string;
  /** 0 for a replaced pack, and one of a repository that is still being made: its files may be missing. */
  readonly needed: 0 | 1;
}

/** Returns the packs in files that a database names. */
export function namedPacks(driver: SqlDriver): readonly NamedPack[] {
  return driver.all<NamedPack>(
    `SELECT r.account, r.id AS repo, p.id, p.retired_at IS NULL AND r.status = 'ready' AS needed
     FROM repos r JOIN packs p ON p.repo_id = r.id
     WHERE r.erased = 0 AND p.place = 'store' ORDER BY r.account, r.id`,
  );
}

/** Copies packs from one folder of packs to another: by links, or the bytes where the file system has no links. */
export class PackCopies {
  readonly #from: string;
  readonly #to: string;
  /** Packs that were copied, by their folder and id. */
  readonly #done = new Map<string, NamedPack>();
  /** Folder of the first copy of each pack, since the packs that forks share have the same id. */
  readonly #first = new Map<string, string>();

  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** Copies a pack durably, unless that was done before. Returns false if a file of it is missing. */
  async add(pack: NamedPack): Promise<boolean> {
    const key = keyOf(pack);
    if (this.#done.has(key)) return true;
    const folder = placeOf(this.#to, pack);
    await nodeFileSystem.makeFolder(folder);
    const source = this.#first.get(pack.id) ?? placeOf(this.#from, pack);
    if ((await linkFiles(nodeFileSystem, source, folder, namesOf(pack))) === 'missing') {
      await this.#remove(pack);
      return false;
    }
    this.#done.set(key, pack);
    if (!this.#first.has(pack.id)) this.#first.set(pack.id, folder);
    return true;
  }

  /** Removes the copies of all packs except these, and makes the names of all folders durable. */
  async keepOnly(packs: readonly NamedPack[]): Promise<void> {
    const kept = new Set(packs.map(keyOf));
    const accounts = new Set([this.#to]);
    for (const [key, pack] of this.#done) {
      accounts.add(join(this.#to, pack.account));
      if (!kept.has(key)) await this.#remove(pack);
    }
    for (const folder of accounts) await nodeFileSystem.syncFolder(folder);
  }

  async #remove(pack: NamedPack): Promise<void> {
    const folder = placeOf(this.#to, pack);
    for (const name of namesOf(pack)) await nodeFileSystem.remove(join(folder, name));
  }
}

function placeOf(root: string, { account, repo }: NamedPack): string {
  return join(root, account, repo);
}

function namesOf({ id }: NamedPack): readonly string[] {
  return packFiles.map((file) => `${id}.${file}`);
}

function keyOf({ repo, id }: NamedPack): string {
  return `${repo} ${id}`;
}
