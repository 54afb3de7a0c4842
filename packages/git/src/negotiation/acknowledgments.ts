/** What the server tells about the objects that a client says it has: pure, over two questions to the repository. */

import type { ObjectId } from '../object/object-id.ts';
import { createTurns } from '../turns.ts';
import { acknowledgmentsSection } from '../wire/fetch-response.ts';
import type { FetchRequest } from '../wire/fetch-request.ts';
import { packetText } from '../wire/pkt-line.ts';
import type { UploadRequest } from '../wire/upload-request.ts';

/** What the negotiation must know of the repository. */
export interface CommonHistory {
  /** Whether the repository holds an object with all it reaches (GIT-064). */
  isCommon(oid: ObjectId): boolean;
  /** Whether every want reaches one of `common`, which is never empty here (GIT-064). */
  isReady(common: readonly ObjectId[]): boolean;
}

/** One round of the negotiation. */
export interface Negotiation {
  /** The common ones among the haves, in the order sent, each once. */
  readonly common: readonly ObjectId[];
  /** What is replied, as packets in a text; without what comes before (GIT-072) and after it. */
  readonly reply: string;
  readonly packFollows: boolean;
}

/** Negotiation of version 0 and 1 (GIT-062, GIT-063). */
export async function negotiateUpload(request: UploadRequest, history: CommonHistory): Promise<Negotiation> {
  if (request.wants.length === 0 || request.ending === 'wants') return { common: [], reply: '', packFollows: false };
  const mode = request.acknowledgments;
  const common = await commonOf(request.haves, history);
  const known = new Set(common);
  let reply = '';
  let last: ObjectId | undefined;
  for (const oid of request.haves) {
    if (!known.has(oid)) continue;
    if (mode === 'multi_ack_detailed') reply += packetText(`ACK ${oid} common\n`);
    else if (mode === 'multi_ack') reply += packetText(`ACK ${oid} continue\n`);
    else if (last === undefined) reply += packetText(`ACK ${oid}\n`);
    last = oid;
  }
  const nak = packetText('NAK\n');
  const final = last === undefined ? nak : packetText(`ACK ${last}\n`);
  if (request.ending === 'done') {
    const told = last !== undefined && mode === 'none';
    return { common, reply: told ? reply : reply + final, packFollows: true };
  }
  if (mode === 'none') return { common, reply: last === undefined ? nak : reply, packFollows: false };
  const ready = mode === 'multi_ack_detailed' && last !== undefined && history.isReady(common);
  if (ready) reply += packetText(`ACK ${last} ready\n`);
  if (ready && request.noDone) return { common, reply: reply + nak + final, packFollows: true };
  return { common, reply: reply + nak, packFollows: false };
}

/**
 * Negotiation of version 2 (GIT-094 to GIT-097). The reply is the section `acknowledgments`, without what ends it; or
 * nothing.
 */
export async function negotiateFetch(request: FetchRequest, history: CommonHistory): Promise<Negotiation> {
  const wanted = request.wants.length > 0 || request.wantRefs.length > 0;
  if (!wanted && !request.waitForDone) return { common: [], reply: '', packFollows: false };
  const common = await commonOf(request.haves, history);
  if (wanted && (request.done || (request.haves.length === 0 && !request.waitForDone))) {
    return { common, reply: '', packFollows: true };
  }
  const ready = wanted && !request.waitForDone && common.length > 0 && history.isReady(common);
  return { common, reply: acknowledgmentsSection(common, ready), packFollows: ready };
}

async function commonOf(haves: readonly ObjectId[], history: CommonHistory): Promise<readonly ObjectId[]> {
  const turns = createTurns();
  const common: ObjectId[] = [];
  for (const oid of new Set(haves)) {
    if (history.isCommon(oid)) common.push(oid);
    if (turns.due()) await turns.pass();
  }
  return common;
}
