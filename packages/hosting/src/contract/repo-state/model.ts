import type {
  CommitOutcome,
  ObjectId,
  PackId,
  PackRecord,
  PackReplacement,
  RefRecord,
  RefTarget,
  ReplaceOutcome,
  RepoChange,
  RetiredPack,
  RetiredTip,
  UpdateOutcome,
} from '@packhouse/git';
import { expect } from 'vitest';
import type { WholeState } from '@packhouse/git/contract';
import type { HostedSnapshot } from '../../ports/repo-storage.ts';

/** Maps a text to one that compares like its UTF-8 bytes. */
function utf8(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join('');
}

/** A naive repository state, written without regard to speed. */
export class RepoStateModel {
  version = 1;
  refs: ReadonlyMap<string, RefTarget> = new Map();
  /** The refs of each version that changed them. */
  readonly #versions: { readonly version: number; readonly refs: ReadonlyMap<string, RefTarget> }[] = [];
  packs: readonly PackRecord[] = [];
  lastPosition = 0;
  retired: readonly RetiredPack[] = [];
  /** For each retired pack: true if its replacement or a later one left something out. */
  readonly lost: Map<PackId, boolean> = new Map();
  shallow: ReadonlySet<ObjectId> = new Set();
  /** By name and value. */
  readonly tips: Map<string, RetiredTip> = new Map();

  /** Returns the refs of a version, sorted bytewise by name. */
  list(version: number = this.version): RefRecord[] {
    return [...(this.#versions.findLast((one) => one.version <= version)?.refs ?? [])]
      .map(([name, value]) => ({ name: name as RefRecord['name'], ...value }))
      .sort((a, b) => (utf8(a.name) < utf8(b.name) ? -1 : 1));
  }

  /** In the order of snapshots: newest first, then by name and value. */
  retiredTips(): RetiredTip[] {
    return [...this.tips]
      .sort(([a, { at }], [b, { at: other }]) => other - at || (utf8(a) < utf8(b) ? -1 : 1))
      .map(([, tip]) => tip);
  }

  snapshot(): WholeState & Pick<HostedSnapshot, 'name' | 'refCount'> {
    return {
      version: this.version,
      refs: this.list(),
      packs: this.packs,
      shallow: [...this.shallow].sort(),
      defaultBranch: 'main',
      retiredTips: this.retiredTips(),
      name: 'notes',
      refCount: this.refs.size,
    };
  }

  retiredPacks(): RetiredPack[] {
    return [...this.retired].sort(
      (a, b) => a.at - b.at || a.pack.position - b.pack.position || (a.pack.id < b.pack.id ? -1 : 1),
    );
  }

  /** Applies a replacement of adjacent packs. Returns the expected outcome. */
  replace({ remove, add, at, leavesOut, ifVersion }: PackReplacement): ReplaceOutcome {
    const removed = this.packs.filter(({ id }) => remove.includes(id));
    if (removed.length < remove.length) return 'packs changed';
    if (ifVersion !== undefined && ifVersion !== this.version) return 'version changed';
    const newest = removed.at(-1) as PackRecord;
    this.packs = this.packs.flatMap((pack) => {
      if (!removed.includes(pack)) return [pack];
      if (pack !== newest || add === undefined) return [];
      const { files: _, ...record } = add;
      const exact = add.exact && removed.length === this.packs.length;
      return [{ ...record, position: newest.position, exact }];
    });
    this.retired = [...this.retired, ...removed.map((pack) => ({ pack, at }))];
    for (const pack of removed) this.lost.set(pack.id, false);
    if (leavesOut) for (const id of this.lost.keys()) this.lost.set(id, true);
    this.version += 1;
    return 'done';
  }

  forgetPacks(ids: readonly PackId[]): void {
    this.retired = this.retired.filter(({ pack }) => !ids.includes(pack.id));
    for (const id of ids) this.lost.delete(id);
  }

  forgetTips(before: number): void {
    const old = [...this.tips].filter(([, { at }]) => at < before);
    for (const [key] of old) this.tips.delete(key);
    if (old.length > 0) this.version += 1;
  }

  /** Returns true if the pack moves. */
  settle(id: PackId): boolean {
    const moves = this.packs.some((pack) => pack.id === id && pack.where === 'rows');
    if (moves) this.version += 1;
    this.packs = this.packs.map((pack) => (pack.id === id ? { ...pack, where: 'store' } : pack));
    return moves;
  }

  /**
   * Applies a change, and checks `actual` against the expected outcome. Which of several conflicts is named does not
   * matter.
   */
  commit(change: RepoChange, actual: CommitOutcome): void {
    if (change.leansOn.some((id) => this.lost.get(id) !== false && !this.packs.some((pack) => pack.id === id))) {
      expect(actual).toEqual({ kind: 'packs changed' });
      return;
    }
    if (actual.kind !== 'done') throw new Error(`Unexpected outcome: ${actual.kind}`);
    const refs = new Map(this.refs);
    const fits = change.updates.map(({ name, old }) => (refs.get(name)?.oid ?? null) === old);
    change.updates.forEach(({ name, new: next }, i) => fits[i] && next === null && refs.delete(name));
    const results = change.updates.map(({ name, new: next }, i): UpdateOutcome => {
      if (!fits[i]) return { kind: 'stale' };
      if (next === null) return { kind: 'ok' };
      const rivals = [...refs.keys()].filter((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`));
      if (rivals.length > 0) {
        const named = actual.updates[i];
        if (named?.kind !== 'conflict')
          throw new Error(`${name} conflicts with ${rivals.join()}, but was: ${named?.kind}`);
        expect(rivals).toContain(named.with);
        return named;
      }
      refs.set(name, next);
      return { kind: 'ok' };
    });
    const failed = results.some((result) => result.kind !== 'ok');
    const before = this.refs;
    if (change.atomic && failed) {
      expect(actual.updates).toEqual(results.map((result) => (result.kind === 'ok' ? { kind: 'held back' } : result)));
    } else {
      expect(actual.updates).toEqual(results);
      this.refs = refs;
    }
    for (const { name, new: next, forward } of change.updates) {
      const old = before.get(name)?.oid;
      if (old === undefined || old === this.refs.get(name)?.oid || (forward && next !== null)) continue;
      const key = `${name} ${old}`;
      this.tips.set(key, { name, oid: old, at: Math.max(change.at, this.tips.get(key)?.at ?? 0) });
    }
    const moved = change.updates.filter(({ name }) => before.get(name)?.oid !== this.refs.get(name)?.oid);
    if (moved.length > 0)
      this.#changed(
        change,
        moved.every((update) => update.forward && update.new !== null),
        failed,
      );
    expect(actual.version).toBe(this.version);
  }

  #changed(change: RepoChange, forward: boolean, failed: boolean): void {
    this.version += 1;
    this.#versions.push({ version: this.version, refs: this.refs });
    this.shallow = new Set([...this.shallow, ...change.addShallow]);
    const only = this.packs.length + change.addPacks.length === 1;
    const added = change.addPacks.map(({ files: _, ...pack }) => ({
      ...pack,
      exact: pack.exact && !failed,
      position: ++this.lastPosition,
      at: change.at,
    }));
    this.packs = [...this.packs, ...added].map((pack) => ({ ...pack, exact: pack.exact && only && forward }));
  }
}
