import type { ObjectId, PackRecord, RepoSnapshot, RetiredTip } from '@packhouse/git';
import { receiveLists, sendLists, type SentLists } from './sent-lists.ts';

/** What a snapshot has many of. */
interface SnapshotItems {
  readonly packs: PackRecord;
  readonly shallow: ObjectId;
  readonly retiredTips: RetiredTip;
}

/** A snapshot on its way. */
export interface SentSnapshot {
  readonly rest: Omit<RepoSnapshot, keyof SnapshotItems>;
  readonly sent: SentLists<SnapshotItems>;
}

/** Makes a snapshot ready to travel. */
export function sendSnapshot(snapshot: RepoSnapshot, max?: number): SentSnapshot {
  const { packs, shallow, retiredTips, ...rest } = snapshot;
  return { rest, sent: sendLists<SnapshotItems>({ packs, shallow, retiredTips }, { max }) };
}

/** The snapshot at the other end. */
export async function receiveSnapshot({ rest, sent }: SentSnapshot): Promise<RepoSnapshot> {
  return { ...rest, ...(await receiveLists(sent)) };
}
