import type { Catalog } from '@packhouse/hosting';

/** Milliseconds that a cached value is valid. */
const lifetime = 60_000;

/** Bytes. The cached usage is trusted only while at least this much quota is left, since other isolates may push. */
const roomMin = 4 * 1024 * 1_048_576;

const accountsMax = 1_000;

/**
 * Caches the stored bytes of accounts (LIM-012), so that a push rarely has to ask the catalog. Does not cache an
 * account that is near its limit.
 */
export class RoomMemory {
  readonly #max: number;
  readonly #known = new Map<string, { readonly bytes: number; readonly at: number }>();

  /** @param max bytes that an account may store. */
  constructor(max: number) {
    this.#max = max;
  }

  async storedBytes(account: string, ask: () => Promise<number>): Promise<number> {
    const known = this.#known.get(account);
    if (known !== undefined && Date.now() - known.at < lifetime) return known.bytes;
    const bytes = await ask();
    this.#known.delete(account);
    if (this.#max - bytes >= roomMin) this.#known.set(account, { bytes, at: Date.now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > accountsMax && oldest !== undefined) this.#known.delete(oldest);
    return bytes;
  }

  /** Drops the cached value. Call it before an operation that may store much at once. */
  forget(account: string): void {
    this.#known.delete(account);
  }

  /** Wraps the catalog of an account, so that `storedBytes` uses the cache. */
  remembering(account: string, catalog: Catalog): Catalog {
    // A fork or an import may store more at once than the cache allows for (LIM-012).
    return {
      ...catalog,
      reserveRepo: async (repo, token) => {
        if (repo.status !== 'creating') this.forget(account);
        return catalog.reserveRepo(repo, token);
      },
      publishRepo: async (id, found) => {
        if (found !== undefined) this.forget(account);
        return catalog.publishRepo(id, found);
      },
      storedBytes: () => this.storedBytes(account, () => catalog.storedBytes()),
    };
  }
}
