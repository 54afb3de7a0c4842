import { refNamesMax, type RefPage, type RefQuery } from '../ports/ref-query.ts';
import type { RefRecord } from './ref-record.ts';
import { compareNames, packRefs, type PackedRefs, type RefSlice } from './packed-refs.ts';
import type { RefName } from './ref-name.ts';

/** Refs as tables have them. */
export function packed(records: readonly RefRecord[]): PackedRefs {
  return packRefs(records.map(({ name, ...target }) => ({ name, target })));
}

/** Refs as lists pass them on, a few at a time. */
export async function* sliced(records: readonly RefRecord[], size = 2): AsyncGenerator<RefSlice, void, undefined> {
  for (let from = 0; from < records.length; from += size) {
    const refs = packed(records.slice(from, from + size));
    yield { refs, from: 0, to: refs.count };
  }
}

/** Joins written pieces. */
export async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return new Uint8Array(Buffer.concat(all));
}

export function byName(a: Pick<RefRecord, 'name'>, b: Pick<RefRecord, 'name'>): number {
  return compareNames(Buffer.from(a.name), Buffer.from(b.name));
}

/** The refs of all versions of a repository, read in pages of three. */
export class RefVersions {
  readonly #versions: { readonly version: number; readonly records: readonly RefRecord[] }[] = [];

  /** From this version on the refs are these. */
  note(version: number, records: readonly RefRecord[]): void {
    this.#versions.push({ version, records: records.toSorted(byName) });
  }

  at(version: number): readonly RefRecord[] {
    return this.#versions.findLast((one) => one.version <= version)?.records ?? [];
  }

  read(version: number, query: RefQuery): RefPage {
    const all = this.at(version);
    if (query.kind === 'named') {
      if (query.names.length > refNamesMax) throw new RangeError('too many names');
      return { chunks: [packed(all.filter(({ name }) => query.names.includes(name)))], next: undefined };
    }
    if (query.kind === 'pointing') {
      return { chunks: [packed(all.filter(({ oid }) => query.oids.includes(oid)))], next: undefined };
    }
    const isBehind = ({ name }: Pick<RefRecord, 'name'>): boolean =>
      query.after === undefined || byName({ name }, { name: query.after }) > 0;
    if (query.kind === 'below') {
      const found = all.filter((ref) => ref.name.startsWith(query.prefix) && isBehind(ref));
      const page = found.slice(0, query.limit ?? 3);
      return { chunks: [packed(page)], next: page.length < found.length ? page.at(-1)?.name : undefined };
    }
    const [then, now] = [query.since, version].map((one) => new Map(this.at(one).map((ref) => [ref.name, ref])));
    const isSame = (name: RefName): boolean => JSON.stringify(then?.get(name)) === JSON.stringify(now?.get(name));
    const changed = [...new Set([...(then?.keys() ?? []), ...(now?.keys() ?? [])])]
      .filter((name) => !isSame(name) && isBehind({ name }))
      .filter((name) => query.end === undefined || byName({ name }, { name: query.end }) <= 0)
      .sort((a, b) => byName({ name: a }, { name: b }));
    const page = changed.slice(0, 3);
    return {
      chunks: [packRefs(page.map((name) => ({ name, target: now?.get(name) ?? null })))],
      next: page.length < changed.length ? page.at(-1) : undefined,
    };
  }
}
