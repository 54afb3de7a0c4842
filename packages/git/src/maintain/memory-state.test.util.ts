import type { ObjectId } from '../object/object-id.ts';
import type { PackId } from '../ports/pack-store.ts';
import type { RefPage, RefQuery } from '../ports/ref-query.ts';
import type {
  CommitOutcome,
  NewPack,
  PackRecord,
  PackReplacement,
  ReplaceOutcome,
  RepoChange,
  RepoSnapshot,
  RepoState,
  RetiredPack,
  RetiredTip,
  RowFile,
  UpdateOutcome,
} from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { byName, packed, RefVersions } from '../refs/made-refs.test.util.ts';

/** The state of a repository in memory, as strict as the port. */
export class MemoryState implements RepoState {
  version = 1;
  records: readonly RefRecord[] = [];
  packs: readonly PackRecord[] = [];
  shallow: readonly ObjectId[] = [];
  retired: readonly RetiredPack[] = [];
  tips: readonly RetiredTip[] = [];
  files: readonly RowFile[] = [];
  uploaded: readonly ObjectId[] = [];
  /** Called before each replacement. */
  beforeReplace: () => Promise<void> = async () => {};
  readonly outcomes: string[] = [];
  #position = 0;
  readonly #versions = new RefVersions();
  readonly #done = new Set<string>();
  /** Retired packs of which nothing was left out, up to now. */
  readonly #keptWhole = new Set<PackId>();

  /** The refs as they were at a version. */
  recordsAt(version: number): readonly RefRecord[] {
    return this.#versions.at(version);
  }

  get current(): RepoSnapshot {
    const { version, packs, shallow } = this;
    // What comes with the snapshot, and what is asked for, must be the same.
    const refs = version % 2 === 0 ? packed(this.records) : undefined;
    return { version, refs, packs, shallow, defaultBranch: 'main', retiredTips: this.tips.slice(0, 1024) };
  }

  async snapshot(known?: number): Promise<RepoSnapshot | undefined> {
    return known === this.version ? undefined : this.current;
  }

  async refs(version: number, query: RefQuery): Promise<RefPage | undefined> {
    return this.#versions.read(version, query);
  }

  async commit(change: RepoChange): Promise<CommitOutcome> {
    const held = new Set([...this.packs.map(({ id }) => id), ...this.#keptWhole]);
    if (change.leansOn.some((id) => !held.has(id))) return { kind: 'packs changed' };
    const updates = change.updates.map((update): UpdateOutcome => {
      const known = this.records.find(({ name }) => name === update.name);
      if ((known?.oid ?? null) !== update.old) return { kind: 'stale' };
      const others = this.records.filter(({ name }) => name !== update.name);
      const target = update.new;
      this.records = target === null ? others : [...others, { name: update.name, ...target }].sort(byName);
      if (update.old !== null && !update.forward && update.old !== target?.oid) {
        this.tips = [{ name: update.name, oid: update.old, at: change.at }, ...this.tips];
      }
      return { kind: 'ok' };
    });
    const changes = change.updates.filter((update) => update.old !== (update.new?.oid ?? null));
    const { uploaded = [] } = change;
    if (uploaded.length > 0 || changes.some((update) => updates[change.updates.indexOf(update)]?.kind === 'ok')) {
      const isForward = change.updates.every((update, i) => updates[i]?.kind !== 'ok' || update.forward);
      if (!isForward || change.addPacks.length > 0) this.packs = this.packs.map((pack) => ({ ...pack, exact: false }));
      this.packs = [...this.packs, ...change.addPacks.map((pack) => recordOf(pack, ++this.#position, change.at))];
      this.files = [...this.files, ...change.addPacks.flatMap(filesOf)];
      this.uploaded = [...this.uploaded, ...uploaded];
      this.shallow = [...this.shallow, ...change.addShallow];
      this.version++;
      this.#versions.note(this.version, this.records);
    }
    return { kind: 'done', version: this.version, updates };
  }

  async outcome(): Promise<CommitOutcome | undefined> {
    return undefined;
  }

  async rowFiles(ids: readonly PackId[], names: readonly string[]): Promise<readonly RowFile[]> {
    return this.files.filter(({ id, file }) => ids.includes(id) && names.includes(file));
  }

  async replacePacks(replacement: PackReplacement): Promise<ReplaceOutcome> {
    await this.beforeReplace();
    const outcome = this.#replace(replacement);
    this.outcomes.push(outcome);
    return outcome;
  }

  #replace({ id, at, remove, add, leavesOut, ifVersion }: PackReplacement): ReplaceOutcome {
    if (this.#done.has(id)) return 'done';
    const from = this.packs.findIndex((pack) => pack.id === remove[0]);
    const removed = this.packs.slice(from, from + remove.length);
    if (from < 0 || remove.length === 0 || removed.some((pack, i) => pack.id !== remove[i])) return 'packs changed';
    if (ifVersion !== undefined && ifVersion !== this.version) return 'version changed';
    if (add !== undefined && add.after !== removed[0]?.after) throw new RangeError('after');
    if ((leavesOut || add?.exact === true) && ifVersion === undefined) throw new RangeError('no version');
    if (add === undefined && !leavesOut) throw new RangeError('nothing is left, and nothing left out');
    const { position } = removed.at(-1) as PackRecord;
    const made = add === undefined ? [] : [recordOf(add, position, add.at)];
    if (made[0]?.exact === true && this.packs.length > removed.length) throw new RangeError('exact beside others');
    this.packs = [...this.packs.slice(0, from), ...made, ...this.packs.slice(from + remove.length)];
    this.files = [...this.files, ...(add === undefined ? [] : filesOf(add))];
    this.retired = [...this.retired, ...removed.map((pack) => ({ pack, at }))];
    if (leavesOut) this.#keptWhole.clear();
    else for (const pack of removed) this.#keptWhole.add(pack.id);
    this.version++;
    this.#done.add(id);
    return 'done';
  }

  async retiredPacks(): Promise<readonly RetiredPack[]> {
    return this.retired;
  }

  async forgetPacks(ids: readonly PackId[]): Promise<void> {
    this.retired = this.retired.filter(({ pack }) => !ids.includes(pack.id));
    for (const id of ids) this.#keptWhole.delete(id);
    this.files = this.files.filter(({ id }) => !ids.includes(id) || this.packs.some((pack) => pack.id === id));
  }

  async retiredTips(): Promise<readonly RetiredTip[]> {
    return this.tips;
  }

  async forgetTips(before: number): Promise<void> {
    const kept = this.tips.filter(({ at }) => at >= before);
    if (kept.length < this.tips.length) this.version++;
    this.tips = kept;
  }

  async uploadedBlobs(oids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
    return oids.filter((oid) => this.uploaded.includes(oid));
  }

  async keyedResult(): Promise<string | undefined> {
    return undefined;
  }

  async planMaintenance(): Promise<void> {}
}

function recordOf({ files: _, ...pack }: NewPack, position: number, at: number): PackRecord {
  return { ...pack, position, at };
}

function filesOf({ id, files }: NewPack): RowFile[] {
  return Object.entries(files ?? {}).map(([file, bytes]) => ({
    id,
    file: file as RowFile['file'],
    bytes: bytes.slice(),
  }));
}
