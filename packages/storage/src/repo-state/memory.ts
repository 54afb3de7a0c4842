import {
  RepoGoneError,
  type CommitOutcome,
  type NewPack,
  type PackFile,
  type PackId,
  type PackRecord,
  type RepoChange,
  type RepoSnapshot,
  type RowFile,
} from '@packhouse/git';
import {
  tokenState,
  type LastPush,
  type OpenedRepo,
  type RepoHead,
  type RepoStatus,
  type TokenList,
  type TokenPart,
  type TokenRecord,
} from '@packhouse/hosting';
import { applyUpdates } from './apply-updates.ts';
import { compareBytewise } from './byte-order.ts';
import { checkChange, droppedTokensMax, exactnessAfter, outcomeLifetime } from './change.ts';
import type { MaintainedRepoState } from './maintained.ts';
import { MemoryRefs } from './memory-refs.ts';

interface Contents {
  head: RepoHead;
  version: number;
  pushedAt: number | undefined;
  readonly refs: MemoryRefs;
  packs: readonly PackRecord[];
  files: readonly RowFile[];
  readonly pushes: Map<string, { readonly at: number; readonly outcome: CommitOutcome }>;
  tokens: readonly TokenRecord[];
}

/** The state of one repository in memory: for tests, mocks and browsers. */
export function memoryRepoState(): MaintainedRepoState {
  return new MemoryRepoState();
}

class MemoryRepoState implements MaintainedRepoState {
  #contents: Contents | 'erased' | undefined;

  async begin(head: RepoHead, firstToken: TokenRecord): Promise<void> {
    this.#contents ??= {
      head: { ...head },
      version: 1,
      pushedAt: undefined,
      refs: new MemoryRefs(),
      packs: [],
      files: [],
      pushes: new Map(),
      tokens: [{ ...firstToken }],
    };
  }

  async setStatus(status: RepoStatus): Promise<void> {
    const contents = this.#alive();
    contents.head = { ...contents.head, status };
  }

  async open(secretHash: string, known?: number): Promise<OpenedRepo> {
    const contents = this.#contents;
    if (contents === undefined || contents === 'erased') return { kind: 'gone' };
    const token = contents.tokens.find((candidate) => candidate.secretHash === secretHash);
    const snapshot = token === undefined || contents.version === known ? undefined : snapshotOf(contents);
    return { kind: 'open', head: contents.head, token, version: contents.version, snapshot };
  }

  async snapshot(known?: number): Promise<RepoSnapshot | undefined> {
    const contents = this.#alive();
    return contents.version === known ? undefined : snapshotOf(contents);
  }

  async commit(change: RepoChange): Promise<CommitOutcome> {
    checkChange(change);
    const contents = this.#alive();
    const recorded = contents.pushes.get(change.pushId);
    if (recorded !== undefined) return recorded.outcome;
    const held = new Set(contents.packs.map((pack) => pack.id));
    if (change.leansOn.some((id) => !held.has(id))) return { kind: 'packs changed' };
    if (change.addPacks.some((pack) => held.has(pack.id))) throw new RangeError('A change adds a pack that is there');
    const applied = applyUpdates(contents.refs, change.updates, change.atomic);
    if (applied.changed) {
      const exactness = exactnessAfter(held.size, change.addPacks.length, applied);
      contents.packs = [
        ...contents.packs.map((pack) => ({ ...pack, exact: pack.exact && exactness.old })),
        ...change.addPacks.map((pack) => recordOf(pack, exactness.added)),
      ];
      contents.files = [...contents.files, ...change.addPacks.flatMap(filesOf)];
      contents.version += 1;
      contents.pushedAt = change.at;
    }
    const outcome: CommitOutcome = { kind: 'done', version: contents.version, updates: applied.outcomes };
    for (const [id, { at }] of contents.pushes) {
      if (at >= change.at - outcomeLifetime) break;
      contents.pushes.delete(id);
    }
    contents.pushes.set(change.pushId, { at: change.at, outcome });
    return outcome;
  }

  async outcome(pushId: string): Promise<CommitOutcome | undefined> {
    return this.#alive().pushes.get(pushId)?.outcome;
  }

  async rowFiles(ids: readonly PackId[], files: readonly PackFile[]): Promise<readonly RowFile[]> {
    return this.#alive()
      .files.filter(({ id, file }) => ids.includes(id) && files.includes(file))
      .map(({ id, file, bytes }) => ({ id, file, bytes: bytes.slice() }));
  }

  async rowPacks(): Promise<readonly PackRecord[]> {
    return this.#alive().packs.filter(({ where }) => where === 'rows');
  }

  async settle(id: PackId): Promise<boolean> {
    const contents = this.#alive();
    if (!contents.packs.some((pack) => pack.id === id && pack.where === 'rows')) return false;
    contents.packs = contents.packs.map((pack) => (pack.id === id ? { ...pack, where: 'store' } : pack));
    contents.files = contents.files.filter((file) => file.id !== id);
    contents.version += 1;
    return true;
  }

  async addToken(token: TokenRecord, at: number, history: number): Promise<readonly string[]> {
    const contents = this.#alive();
    const known = contents.tokens.some(({ id }) => id === token.id);
    const all = known ? contents.tokens : [...contents.tokens, { ...token }].sort(newestFirst);
    const ended = all.filter((candidate) => hasEnded(candidate, at));
    const dropped = new Set(ended.slice(history, history + droppedTokensMax));
    contents.tokens = all.filter((candidate) => !dropped.has(candidate));
    return [...dropped].map(({ id }) => id);
  }

  async tokens({ state, at, limit, offset }: TokenList): Promise<TokenPart> {
    const found = this.#alive().tokens.filter((token) => state === 'all' || tokenState(token, at) === state);
    return { tokens: found.slice(offset, offset + limit), total: found.length };
  }

  async revokeToken(id: string, at: number): Promise<'revoked' | 'ended' | 'unknown'> {
    const contents = this.#alive();
    const token = contents.tokens.find((candidate) => candidate.id === id);
    if (token === undefined) return 'unknown';
    if (hasEnded(token, at)) return 'ended';
    contents.tokens = contents.tokens.map((candidate) =>
      candidate === token ? { ...token, revokedAt: at } : candidate,
    );
    return 'revoked';
  }

  async storedBytes(): Promise<number> {
    return this.#alive().packs.reduce((sum, pack) => sum + pack.packSize, 0);
  }

  async lastPush(): Promise<LastPush | undefined> {
    const { pushedAt, version } = this.#alive();
    return pushedAt === undefined ? undefined : { at: pushedAt, version };
  }

  async erase(): Promise<void> {
    this.#contents = 'erased';
  }

  async forget(): Promise<void> {
    if (this.#contents === 'erased') this.#contents = undefined;
  }

  #alive(): Contents {
    if (this.#contents === undefined || this.#contents === 'erased')
      throw new RepoGoneError('The repository was deleted');
    return this.#contents;
  }
}

function snapshotOf({ version, refs, packs, head }: Contents): RepoSnapshot {
  return { version, refs: refs.list(), packs, shallow: [], defaultBranch: head.defaultBranch };
}

function recordOf(
  { id, where, objects, packSize, idxSize, graphSize, exact }: NewPack,
  mayBeExact: boolean,
): PackRecord {
  return { id, where, objects, packSize, idxSize, graphSize, exact: exact && mayBeExact };
}

function filesOf({ id, where, files }: NewPack): RowFile[] {
  if (where !== 'rows' || files === undefined) return [];
  return Object.entries(files).map(([file, bytes]) => ({ id, file: file as PackFile, bytes: bytes.slice() }));
}

function hasEnded(token: TokenRecord, at: number): boolean {
  return tokenState(token, at) !== 'active';
}

function newestFirst(a: TokenRecord, b: TokenRecord): number {
  return b.createdAt - a.createdAt || compareBytewise(a.id, b.id);
}
