import type { Catalog } from '@packhouse/hosting';

/** Milliseconds. */
const lifetime = 60_000;

/** Bytes that must be left for a remembered sum to do: what may be pushed elsewhere until it is asked for again. */
const roomMin = 4 * 1024 * 1_048_576;

const accountsMax = 1_000;

/**
 * What accounts hold, as their catalogs told a moment ago (LIM-012), so that a push rarely has to ask. An account that
 * comes near its limit is asked about each time.
 */
export class RoomMemory {
  readonly #max: number;
  readonly #known = new Map<string, { readonly bytes: number; readonly at: number }>();

  /** @param max bytes that an account may hold. */
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

  /** Before something that may bring much at once: the next answer is of that time. */
  forget(account: string): void {
    this.#known.delete(account);
  }

  /** The catalog of an account, which answers `storedBytes` from here where that is good enough. */
  remembering(account: string, catalog: Catalog): Catalog {
    // A fork or an import fills a repo with more at once than a remembered sum has room for (LIM-012).
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
