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
  checkQuery(query);
  return isReadable(source, version, query) ? pageOf(query, load(source, version, query)) : undefined;
}

/** @throws {RangeError} if a query exceeds its limits. */
export function checkQuery(query: RefQuery): void {
  if (query.kind === 'named' && query.names.length > refNamesMax)
    throw new RangeError(`A query has too many names: ${query.names.length}`);
  if (query.kind === 'pointing' && query.oids.length > refOidsMax)
    throw new RangeError(`A query has too many values: ${query.oids.length}`);
  if (query.kind !== 'below') return;
  const { limit = packedRefsMax } = query;
  if (limit < 1 || limit > packedRefsMax) throw new RangeError(`A query asks for ${limit} refs`);
}

/** Tests if the version, and the other one that a query compares with, can be read. */
export function isReadable(
  { version, oldest }: Pick<RefSource, 'version' | 'oldest'>,
  asked: number,
  query: RefQuery,
): boolean {
  const versions = query.kind === 'changed' ? [asked, query.since] : [asked];
  return versions.every((each) => each <= version && each >= oldest);
}

/** Returns all current refs, if they are few. */
export function fewRefs(source: RefSource): PackedRefs | undefined {
  const rows = source.below({ prefix: '' }, fewRefsMax + 1);
  return rows.length > fewRefsMax ? undefined : packRefs(rows);
}

/** Refs that a query needs. */
export interface LoadedRefs {
  /** Current refs that match: of `changed`, those with its names. */
  readonly rows: readonly RefRow[];
  /** Values at the asked version of refs that changed after it; null for a missing one. It may have more refs. */
  readonly past: ReadonlyMap<RefName, RefTarget | null>;
  /** Names that `changed` asks for, sorted. */
  readonly names?: readonly RefName[];
}

function load(source: RefSource, version: number, query: RefQuery): LoadedRefs {
  const past = (range: NameRange): LoadedRefs['past'] =>
    version === source.version ? new Map() : source.before(version, range);
  if (query.kind === 'named') return { rows: source.named(query.names), past: past({ prefix: '' }) };
  if (query.kind === 'pointing') return { rows: source.pointing(query.oids, refsPerOid), past: past({ prefix: '' }) };
  if (query.kind === 'below') {
    const { prefix, after, limit = packedRefsMax } = query;
    const rows = source.below({ prefix, after }, limit);
    return { rows, past: past({ prefix, after, end: nextOf(rows, limit) }) };
  }
  const { since, after, end } = query;
  const [low, high] = [Math.min(since, version), Math.max(since, version)];
  const names = source.changed(low, high, { prefix: '', after, end }, refNamesMax);
  return { rows: source.named(names), past: past({ prefix: '' }), names };
}

/** Makes the reply to a query from what was loaded for it. */
export function pageOf(query: RefQuery, { rows, past, names = [] }: LoadedRefs): RefPage {
  if (query.kind === 'named') return whole(undone(rows, among(past, query.names)));
  if (query.kind === 'pointing') return whole(pointing(rows, past, query.oids));
  if (query.kind === 'below') {
    return { chunks: packed(undone(rows, past)), next: nextOf(rows, query.limit ?? packedRefsMax) };
  }
  const values = new Map(undone(rows, among(past, names)).map(({ name, target }) => [name, target]));
  return {
    chunks: packed(names.map((name) => ({ name, target: values.get(name) ?? null }))),
    next: names.length < refNamesMax ? undefined : names.at(-1),
  };
}

/** Returns the last name if there may be more rows. */
function nextOf(rows: readonly RefRow[], limit: number): RefName | undefined {
  return rows.length < limit ? undefined : rows.at(-1)?.name;
}

function among(past: LoadedRefs['past'], names: readonly RefName[]): LoadedRefs['past'] {
  if (past.size === 0) return past;
  const asked = new Set(names);
  return new Map([...past].filter(([name]) => asked.has(name)));
}

function pointing(rows: readonly RefRow[], past: LoadedRefs['past'], oids: readonly ObjectId[]): readonly RefRow[] {
  if (past.size === 0) return rows;
  const asked = new Set(oids);
  const counts = new Map<ObjectId, number>();
  return undone(rows, past).filter(({ target: { oid } }) => {
    const count = (counts.get(oid) ?? 0) + 1;
    counts.set(oid, count);
    return asked.has(oid) && count <= refsPerOid;
  });
}

/** Undoes changes in rows; sorted. */
function undone(rows: readonly RefRow[], past: LoadedRefs['past']): readonly RefRow[] {
  if (past.size === 0) return rows;
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
