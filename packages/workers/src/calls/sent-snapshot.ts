import type { ObjectId, PackRecord, RetiredTip } from '@packhouse/git';
import type { HostedSnapshot } from '@packhouse/hosting';
import { receiveLists, sendLists, type SentLists } from './sent-lists.ts';

/** The lists of a snapshot. */
interface SnapshotItems {
  readonly packs: PackRecord;
  readonly shallow: ObjectId;
  readonly retiredTips: RetiredTip;
}

/** A snapshot as a message. */
export interface SentSnapshot {
  readonly rest: Omit<HostedSnapshot, keyof SnapshotItems>;
  readonly sent: SentLists<SnapshotItems>;
}

/** Converts a snapshot to a message. */
export function sendSnapshot(snapshot: HostedSnapshot, max?: number): SentSnapshot {
  const { packs, shallow, retiredTips, ...rest } = snapshot;
  return { rest, sent: sendLists<SnapshotItems>({ packs, shallow, retiredTips }, { max }) };
}

/** Restores a snapshot from a message. */
export async function receiveSnapshot({ rest, sent }: SentSnapshot): Promise<HostedSnapshot> {
  return { ...rest, ...(await receiveLists(sent)) };
}
