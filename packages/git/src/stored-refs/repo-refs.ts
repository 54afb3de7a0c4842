import type { ObjectId } from '../object/object-id.ts';
import { refNamesMax, refOidsMax, type RefPage, type RefQuery } from '../ports/ref-query.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import {
  nameAt,
  recordsOf,
  repackRefs,
  sliceBelow,
  sliceOfName,
  type PackedRefs,
  type RefSlice,
} from '../refs/packed-refs.ts';
import { RefList } from '../refs/ref-list.ts';
import type { KnownRefs } from '../refs/ref-lists.ts';
import type { RefName } from '../refs/ref-name.ts';

/** Too much has changed since a snapshot was taken to read its refs: the request begins again with a new one. */
export class RefsExpiredError extends Error {
  override readonly name = 'RefsExpiredError';

  constructor() {
    super('the refs of this snapshot can no longer be read');
  }
}

/** Versions after which a repository that had too many refs for a list may have fewer. */
const tooLargeFor = 1_000;

const noRefs = new RefList([]);

/**
 * The refs of one snapshot, hidden ones included. Each method reads what it needs. What needs all refs loads them in
 * parts, into a list that later requests share ({@link GitEngine.refLists}).
 *
 * Every method throws {@link RefsExpiredError}, and `RepoGoneError` once the repository is deleted.
 */
export class RepoRefs {
  readonly #engine: GitEngine;
  readonly #repository: GitRepository;
  readonly #version: number;
  /** All refs, if they came with the snapshot. */
  readonly #few: PackedRefs | undefined;
  readonly #work: Work;
  /** The list of this request's version, as far as the request has loaded it. */
  #own: KnownRefs | undefined;

  constructor(engine: GitEngine, repository: GitRepository, { version, refs }: RepoSnapshot, work: Work) {
    this.#engine = engine;
    this.#repository = repository;
    this.#version = version;
    this.#few = refs;
    this.#work = work;
  }

  /** The refs with these names that exist, by name. */
  async find(names: readonly RefName[]): Promise<ReadonlyMap<string, RefRecord>> {
    const found = new Map<string, RefRecord>();
    const list = this.#loaded();
    if (list !== undefined) {
      for (const name of names) {
        const ref = list.find(name);
        if (ref !== undefined) found.set(name, ref);
        if (this.#work.spend(cost.steps)) await this.#work.yield();
      }
      return found;
    }
    for (let from = 0; from < names.length; from += refNamesMax) {
      const page = await this.#read({ kind: 'named', names: names.slice(from, from + refNamesMax) });
      for (const slice of slicesOf(page)) for (const ref of recordsOf(slice)) found.set(ref.name, ref);
    }
    return found;
  }

  /** Some refs that have one of these values, at most {@link refOidsMax}. Every value that a ref has is found. */
  async pointing(oids: readonly ObjectId[]): Promise<readonly RefRecord[]> {
    if (oids.length > refOidsMax) throw new RangeError(`Too many values of refs: ${oids.length}`);
    if (this.#few !== undefined) return pointingAmong(this.#few, oids);
    const page = await this.#read({ kind: 'pointing', oids });
    return slicesOf(page).flatMap((slice) => [...recordsOf(slice)]);
  }

  /** Tests if the name of any ref starts with `prefix`. */
  async any(prefix: string): Promise<boolean> {
    const list = this.#loaded();
    if (list !== undefined) return list.below(prefix).next().done !== true;
    for (let after: RefName | undefined; ;) {
      const page = await this.#read({ kind: 'below', prefix, limit: 1, ...behind(after) });
      if (page.chunks.some(({ count }) => count > 0)) return true;
      if (page.next === undefined) return false;
      after = page.next;
    }
  }

  /** The refs whose names start with `prefix`, in order. */
  async *below(prefix: string): AsyncGenerator<RefSlice, void, undefined> {
    const isListed = prefix === '' || this.#loaded() !== undefined;
    const first = isListed ? undefined : await this.#read({ kind: 'below', prefix });
    if (first !== undefined && first.next === undefined) {
      yield* slicesOf(first);
      return;
    }
    // If there are many, the list is worth caching for the next request.
    const list = await this.list();
    if (list === undefined) {
      yield* this.#pages(prefix);
      return;
    }
    yield* this.#slices(list, prefix);
  }

  /** The next refs after `after` whose names start with `prefix`, at most `limit`. Makes no list. */
  async page(prefix: string, after: RefName | undefined, limit: number): Promise<RefPage> {
    if (this.#few === undefined) return this.#read({ kind: 'below', prefix, limit, ...behind(after) });
    const { refs, from, to } = sliceBelow(this.#few, encodeUtf8(prefix));
    const start = after === undefined ? from : Math.max(from, sliceOfName(refs, encodeUtf8(after)).to);
    const end = Math.min(to, start + limit);
    const places = Array.from({ length: Math.max(0, end - start) }, (_, i) => [refs, start + i] as const);
    return { chunks: [repackRefs(places)], next: start < end && end < to ? nameAt(refs, end - 1) : undefined };
  }

  /** All refs in order, for callers that may stop early. Makes no list. */
  async *scan(): AsyncGenerator<RefSlice, void, undefined> {
    const list = this.#loaded();
    if (list === undefined) yield* this.#pages('');
    else yield* this.#slices(list, '');
  }

  /** All refs. Undefined: they take too much memory for a list. */
  async list(): Promise<RefList | undefined> {
    for (;;) {
      const loaded = this.#loaded();
      if (loaded !== undefined) return loaded;
      const known = await this.#known();
      if (known.extent === 'all') return known.list;
      if (known.extent === 'too large') return undefined;
      const page = await this.#read({ kind: 'below', prefix: '', ...behind(known.end) });
      // Another request may have loaded more meanwhile.
      if ((this.#shared()?.list.chunks.length ?? 0) > known.list.chunks.length) continue;
      this.#keep(extended(known, page, this.#engine.refLists.sizeMax));
    }
  }

  async *#slices(list: RefList, prefix: string): AsyncGenerator<RefSlice, void, undefined> {
    for (const slice of list.below(prefix)) {
      yield slice;
      if (this.#work.spend(cost.steps, slice.to - slice.from)) await this.#work.yield();
    }
  }

  async *#pages(prefix: string): AsyncGenerator<RefSlice, void, undefined> {
    for (let after: RefName | undefined; ;) {
      const page = await this.#read({ kind: 'below', prefix, ...behind(after) });
      yield* slicesOf(page);
      if (page.next === undefined) return;
      after = page.next;
    }
  }

  /** All refs, if they are known without a query. */
  #loaded(): RefList | undefined {
    if (this.#few !== undefined && this.#shared()?.extent !== 'all') {
      this.#keep({ version: this.#version, list: noRefs.with([this.#few]), extent: 'all' });
    }
    const known = this.#shared() ?? this.#own;
    return known?.extent === 'all' ? known.list : undefined;
  }

  /** The shared list, if it has this version. */
  #shared(): KnownRefs | undefined {
    const shared = this.#cached();
    return shared?.version === this.#version ? shared : undefined;
  }

  #cached(): KnownRefs | undefined {
    const { id } = this.#repository;
    return id === undefined ? undefined : this.#engine.refLists.get(id);
  }

  #keep(known: KnownRefs): void {
    const { id } = this.#repository;
    this.#own = known;
    if (id !== undefined) this.#engine.refLists.set(id, known);
  }

  /** Returns the loaded part of this version's list; without one, derives it from another version. */
  async #known(): Promise<KnownRefs> {
    const known = this.#shared() ?? this.#own;
    if (known !== undefined) return known;
    const other = this.#cached();
    if (other?.extent === 'too large' && Math.abs(this.#version - other.version) < tooLargeFor) return other;
    const changes = other === undefined || other.extent === 'too large' ? undefined : await this.#changes(other);
    if (other === undefined || changes === undefined) {
      return (this.#own = { version: this.#version, list: noRefs, extent: 'part' });
    }
    const list = await other.list.after(changes, this.#work);
    if (this.#shared() === undefined) this.#keep({ ...other, version: this.#version, list });
    return this.#shared() ?? (this.#own as KnownRefs);
  }

  /** Refs that changed between a list of another version and this version; undefined: too many to read. */
  async #changes({ version: since, end }: KnownRefs): Promise<readonly PackedRefs[] | undefined> {
    const changes: PackedRefs[] = [];
    for (let after: RefName | undefined; ;) {
      const page = await this.#tryRead({
        kind: 'changed',
        since,
        ...behind(after),
        ...(end === undefined ? {} : { end }),
      });
      if (page === undefined) return undefined;
      changes.push(...page.chunks);
      if (page.next === undefined) return changes;
      after = page.next;
    }
  }

  async #read(query: RefQuery): Promise<RefPage> {
    const page = await this.#tryRead(query);
    if (page === undefined) throw new RefsExpiredError();
    return page;
  }

  async #tryRead(query: RefQuery): Promise<RefPage | undefined> {
    const page = await this.#repository.state.refs(this.#version, query);
    const found = page?.chunks.reduce((sum, { count }) => sum + count, 1) ?? 1;
    // A name that no ref has is also looked up.
    const rows = query.kind === 'named' ? Math.max(query.names.length, found) : found;
    if (this.#work.spend(cost.rows, rows)) await this.#work.yield();
    return page;
  }
}

function pointingAmong(refs: PackedRefs, oids: readonly ObjectId[]): readonly RefRecord[] {
  return [...recordsOf({ refs, from: 0, to: refs.count })].filter(({ oid }) => oids.includes(oid));
}

/** Adds the page that follows the end of a list. */
function extended({ version, list }: KnownRefs, { chunks, next }: RefPage, sizeMax: number): KnownRefs {
  const longer = list.with(chunks);
  if (longer.size > sizeMax) return { version, list: noRefs, extent: 'too large' };
  return { version, list: longer, extent: next === undefined ? 'all' : 'part', end: next };
}

function behind(after: RefName | undefined): { readonly after?: RefName } {
  return after === undefined ? {} : { after };
}

function slicesOf({ chunks }: RefPage): readonly RefSlice[] {
  return chunks.map((refs) => ({ refs, from: 0, to: refs.count }));
}
