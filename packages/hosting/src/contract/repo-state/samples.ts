import type {
  NewPack,
  ObjectId,
  PackId,
  PackRecord,
  PackReplacement,
  RecordedEvent,
  RefName,
  RefTarget,
  RefUpdate,
  RepoChange,
} from '@packhouse/git';
import type { RepoHead, TokenList, TokenRecord } from '../../ports/repo-storage.ts';

/** Returns a new valid repo id (REPO-047). */
export function sampleRepoId(): string {
  return randomHex(8);
}

export function sampleHead(id: string): RepoHead {
  return {
    account: 'a1',
    id,
    namespace: 'default',
    name: 'notes',
    defaultBranch: 'main',
    readOnly: false,
    status: 'ready',
  };
}

/** Makes a token created at `createdAt` that lives for 1,000 ms. */
export function sampleToken(id: string, createdAt = 1_000, expiresAt: number = createdAt + 1_000): TokenRecord {
  return { id, secretHash: hashOf(id), scope: 'write', createdAt, expiresAt, revokedAt: null };
}

/** Makes an event at 1,000 ms. */
export function sampleEvent(id: string, part: Partial<RecordedEvent> = {}): RecordedEvent {
  return { id, at: 1_000, body: `{"of":"${id}"}`, ...part };
}

/** Selects all tokens of a sample. */
export const everyToken: TokenList = { state: 'all', at: 0, limit: 100, offset: 0 };

/** Returns the hash of the {@link sampleToken} with that id. */
export function hashOf(id: string): string {
  return [...new TextEncoder().encode(id)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .padStart(64, '0');
}

export function oid(n: number): ObjectId {
  return n.toString(16).padStart(40, '0') as ObjectId;
}

/** Makes a target. Every third is a tag object, which peels to something else. */
export function target(n: number): RefTarget {
  return n % 3 === 0
    ? { oid: oid(n), kind: 'tag', peeled: oid(n + 1_000) }
    : { oid: oid(n), kind: 'commit', peeled: null };
}

/** `old` and `next` are numbers of {@link target}; null means no ref. */
export function update(
  name: string,
  old: number | null,
  next: number | null,
  forward: boolean = next !== null,
): RefUpdate {
  return {
    name: name as RefName,
    old: old === null ? null : oid(old),
    new: next === null ? null : target(next),
    forward,
  };
}

export function samplePackId(): PackId {
  return randomHex(16) as PackId;
}

/** Returns the record of a pack that a {@link change} added and that is not the only one. */
export function keptPack({ files: _, ...pack }: NewPack, position: number, part: Partial<PackRecord> = {}): PackRecord {
  return { ...pack, exact: false, position, at: 1_000_000, ...part };
}

/** Makes a {@link NewPack} in the store. */
export function samplePack(part: Partial<NewPack> = {}): NewPack {
  return {
    id: samplePackId(),
    where: 'store',
    objects: 3,
    packSize: 300,
    idxSize: 1_100,
    graphSize: 50,
    exact: true,
    after: 0,
    borrowed: 'no',
    ...part,
  };
}

export function change(updates: readonly RefUpdate[], part: Partial<RepoChange> = {}): RepoChange {
  return {
    pushId: randomHex(16),
    at: 1_000_000,
    updates,
    atomic: false,
    addPacks: [],
    leansOn: [],
    addShallow: [],
    ...part,
  };
}

/** Replaces `remove` with `add`, whose `at` defaults to 0. `leavesOut` defaults to false if there is a pack to add. */
export function replacement(
  remove: readonly PackId[],
  add?: NewPack & { readonly at?: number },
  part: Partial<PackReplacement> = {},
): PackReplacement {
  return {
    id: randomHex(16),
    at: 2_000_000,
    remove,
    add: add && { at: 0, ...add, exact: false },
    leavesOut: add === undefined,
    ifVersion: undefined,
    ...part,
  };
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
