import type { SetTagsOutcome, TagChange, TagPart, TagRecord } from '@packhouse/tagging';
import { receiveLists, sendLists, type SentLists } from './sent-lists.ts';

/** A part of a list as a message. One item may be as large as all tags of an account. */
export interface SentPart<T> {
  readonly more: boolean;
  readonly sent: SentLists<{ readonly items: T }>;
}

export function sendPart<T>({ items, more }: TagPart<T>, max?: number): SentPart<T> {
  return { more, sent: sendLists<{ readonly items: T }>({ items }, { max, sizeOf }) };
}

export async function receivePart<T>({ more, sent }: SentPart<T>): Promise<TagPart<T>> {
  return { items: (await receiveLists(sent)).items, more };
}

/** A record, or its absence, as a message. */
export type SentRecord = SentLists<{ readonly records: TagRecord }>;

export function sendRecord(record: TagRecord | undefined, max?: number): SentRecord {
  return sendLists<{ readonly records: TagRecord }>({ records: record === undefined ? [] : [record] }, { max, sizeOf });
}

export async function receiveRecord(sent: SentRecord): Promise<TagRecord | undefined> {
  return (await receiveLists(sent)).records[0];
}

/** A change as a message. */
export interface SentChange {
  readonly rest: Omit<TagChange, 'tags'>;
  readonly sent: SentLists<{ readonly tags: readonly [key: string, value: string] }>;
}

export function sendChange({ tags, ...rest }: TagChange, max?: number): SentChange {
  return { rest, sent: sendLists({ tags: Object.entries(tags) }, { max, sizeOf }) };
}

export async function receiveChange({ rest, sent }: SentChange): Promise<TagChange> {
  return { ...rest, tags: Object.fromEntries((await receiveLists(sent)).tags) };
}

/** The outcome of a change, without the parts that the caller sent. */
export type SetAnswer =
  | { readonly kind: 'set'; readonly updatedAt: number }
  | Exclude<SetTagsOutcome, { readonly kind: 'set' }>;

export function sendOutcome(outcome: SetTagsOutcome): SetAnswer {
  return outcome.kind === 'set' ? { kind: 'set', updatedAt: outcome.record.updatedAt } : outcome;
}

export function receiveOutcome(answer: SetAnswer, { resource, name, tags }: TagChange): SetTagsOutcome {
  if (answer.kind !== 'set') return answer;
  return { kind: 'set', record: { resource, name, tags, updatedAt: answer.updatedAt } };
}

/** Bytes of a value in a message, without its text. */
const valueSize = 16;

/** Returns the maximum bytes of a plain value in a message. A text takes one or two bytes per code unit. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return valueSize + 2 * value.length;
  if (typeof value !== 'object' || value === null) return valueSize;
  let size = valueSize;
  for (const [name, member] of Object.entries(value)) size += sizeOf(name) + sizeOf(member);
  return size;
}
