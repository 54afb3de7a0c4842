import {
  fewRefsMax,
  packedRefsMax,
  packRefs,
  refNamesMax,
  refOidsMax,
  refsPerOid,
  type ObjectId,
  type PackedRefs,
  type RefName,
  type RefPage,
  type RefQuery,
  type RefTarget,
} from '@packhouse/git';
import { compareBytewise } from '@packhouse/base';

/** A ref, or its value before a change: null if it did not exist. */
export interface RefRow<Target = RefTarget> {
  readonly name: RefName;
  readonly target: Target;
}

/** A range of sorted names: those with `prefix`, after `after`, up to `end`. */
export interface NameRange {
  readonly prefix: string;
  readonly after?: RefName | undefined;
  readonly end?: RefName | undefined;
}

/** Refs of one repository within a running transaction, with the changes that can be undone. */
export interface RefSource {
  readonly version: number;
  /** The oldest readable version. */
  readonly oldest: number;
  named(names: readonly RefName[]): readonly RefRow[];
  /** Returns up to `limit` refs of each value. */
  pointing(oids: readonly ObjectId[], limit: number): readonly RefRow[];
  /** Returns up to `limit` refs, sorted. */
  below(range: NameRange, limit: number): readonly RefRow[];
  /** Returns the values at a version, by name, of refs that changed after it; null for a missing ref. */
  before(version: number, range: NameRange): ReadonlyMap<RefName, RefTarget | null>;
  /** Returns names of refs that changed after version `low`, up to `high`, sorted. */
  changed(low: number, high: number, range: NameRange, limit: number): readonly RefName[];
}

/**
 * Implements `RepoState.refs`: reads the current refs and undoes the changes since that version.
 *
 * @throws {RangeError}
 */
export function readRefs(source: RefSource, version: number, query: RefQuery): RefPage | undefined {
  if (!isReadable(source, version)) return undefined;
  if (query.kind === 'named') return whole(named(source, version, query.names));
  if (query.kind === 'pointing') return whole(pointing(source, version, query.oids));
  if (query.kind === 'below') return below(source, version, query);
  return isReadable(source, query.since) ? changed(source, version, query) : undefined;
}

/** Returns all current refs, if they are few. */
export function fewRefs(source: RefSource): PackedRefs | undefined {
  const rows = source.below({ prefix: '' }, fewRefsMax + 1);
  return rows.length > fewRefsMax ? undefined : packRefs(rows);
}

function isReadable(source: RefSource, version: number): boolean {
  return version <= source.version && version >= source.oldest;
}

function named(source: RefSource, version: number, names: readonly RefName[]): readonly RefRow[] {
  if (names.length > refNamesMax) throw new RangeError(`A query has too many names: ${names.length}`);
  const rows = source.named(names);
  if (version === source.version) return rows;
  const asked = new Set(names);
  const past = [...source.before(version, { prefix: '' })].filter(([name]) => asked.has(name));
  return undone(rows, new Map(past));
}

function pointing(source: RefSource, version: number, oids: readonly ObjectId[]): readonly RefRow[] {
  if (oids.length > refOidsMax) throw new RangeError(`A query has too many values: ${oids.length}`);
  const rows = source.pointing(oids, refsPerOid);
  if (version === source.version) return rows;
  const asked = new Set(oids);
  const past = source.before(version, { prefix: '' });
  const now = undone(rows, past).filter(({ target }) => asked.has(target.oid));
  const counts = new Map<ObjectId, number>();
  return now.filter(({ target: { oid } }) => {
    const count = (counts.get(oid) ?? 0) + 1;
    counts.set(oid, count);
    return count <= refsPerOid;
  });
}

function below(source: RefSource, version: number, query: RefQuery & { kind: 'below' }): RefPage {
  const { prefix, after, limit = packedRefsMax } = query;
  if (limit < 1 || limit > packedRefsMax) throw new RangeError(`A query asks for ${limit} refs`);
  const rows = source.below({ prefix, after }, limit);
  const next = rows.length < limit ? undefined : rows.at(-1)?.name;
  const past = version === source.version ? undefined : source.before(version, { prefix, after, end: next });
  return { chunks: packed(past === undefined ? rows : undone(rows, past)), next };
}

function changed(source: RefSource, version: number, query: RefQuery & { kind: 'changed' }): RefPage {
  const { since, after, end } = query;
  const [low, high] = [Math.min(since, version), Math.max(since, version)];
  const names = source.changed(low, high, { prefix: '', after, end }, refNamesMax);
  const rows = new Map(named(source, version, names).map(({ name, target }) => [name, target]));
  return {
    chunks: packed(names.map((name) => ({ name, target: rows.get(name) ?? null }))),
    next: names.length < refNamesMax ? undefined : names.at(-1),
  };
}

/** Undoes changes in rows; sorted. */
function undone(rows: readonly RefRow[], past: ReadonlyMap<RefName, RefTarget | null>): readonly RefRow[] {
  const all = new Map(rows.map(({ name, target }) => [name, target]));
  for (const [name, target] of past) {
    if (target === null) all.delete(name);
    else all.set(name, target);
  }
  return [...all].map(([name, target]) => ({ name, target })).sort((a, b) => compareBytewise(a.name, b.name));
}

function whole(rows: readonly RefRow[]): RefPage {
  return { chunks: packed(rows.toSorted((a, b) => compareBytewise(a.name, b.name))), next: undefined };
}

function packed(rows: readonly RefRow<RefTarget | null>[]): readonly PackedRefs[] {
  const chunks: PackedRefs[] = [];
  for (let from = 0; from < rows.length; from += packedRefsMax) {
    chunks.push(packRefs(rows.slice(from, from + packedRefsMax)));
  }
  return chunks;
}
