/**
 * Acknowledgements for the objects that a client declares to have: pure functions over two questions to the repository.
 */

import { objectIdAt, objectIdBytes, type ObjectId } from '../object/object-id.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { acknowledgmentsSection } from '../wire/fetch/fetch-response.ts';
import type { FetchRequest } from '../wire/fetch/fetch-request.ts';
import type { IdList } from '../wire/id-list.ts';
import { packetText } from '../wire/pkt-line.ts';
import { ReplyText } from '../wire/reply-text.ts';
import type { UploadRequest } from '../wire/fetch/upload-request.ts';

/** Facts about the repository that the negotiation needs. */
export interface CommonHistory {
  /**
   * Returns the node with the id whose 20 bytes start at `at`, if the repository has it with everything it reaches
   * (GIT-064); else -1.
   */
  commonNode(ids: Uint8Array, at: number): number;
  /** Tests if every want reaches one of the nodes `common`, of which there is at least one (GIT-064). */
  isReady(common: readonly number[]): boolean | Promise<boolean>;
}

/** One round of the negotiation. */
export interface Negotiation {
  /** Nodes of the common objects among the haves, in the order of the request, each once. */
  readonly common: readonly number[];
  /** Packets of the reply, without those before (GIT-072) and after it. */
  readonly reply: Uint8Array;
  readonly packFollows: boolean;
}

const nothing = new Uint8Array(0);

/** Negotiation of version 0 and 1 (GIT-062, GIT-063). */
export async function negotiateUpload(
  request: UploadRequest,
  history: CommonHistory,
  work: Work,
): Promise<Negotiation> {
  const { wants, haves, ending, acknowledgments: mode } = request;
  if (wants.length === 0 || ending === 'wants') return { common: [], reply: nothing, packFollows: false };
  const reply = new ReplyText();
  let last: ObjectId | undefined;
  const common = await findCommon(haves, history, work, (at) => {
    const oid = objectIdAt(haves.bytes, at);
    if (mode === 'multi_ack_detailed') reply.add(packetText(`ACK ${oid} common\n`));
    else if (mode === 'multi_ack') reply.add(packetText(`ACK ${oid} continue\n`));
    else if (last === undefined) reply.add(packetText(`ACK ${oid}\n`));
    last = oid;
  });
  const nak = packetText('NAK\n');
  const final = last === undefined ? nak : packetText(`ACK ${last}\n`);
  const told = (packFollows: boolean): Negotiation => ({ common, reply: reply.toBytes(), packFollows });
  if (ending === 'done') {
    if (last === undefined || mode !== 'none') reply.add(final);
    return told(true);
  }
  if (mode === 'none') {
    if (last === undefined) reply.add(nak);
    return told(false);
  }
  const ready = mode === 'multi_ack_detailed' && last !== undefined && (await history.isReady(common));
  if (ready) reply.add(packetText(`ACK ${last} ready\n`));
  reply.add(nak);
  if (!ready || !request.noDone) return told(false);
  reply.add(final);
  return told(true);
}

/**
 * Negotiation of version 2 (GIT-094 to GIT-097). The reply is the section `acknowledgments` without the packet that
 * ends it, or is empty.
 */
export async function negotiateFetch(request: FetchRequest, history: CommonHistory, work: Work): Promise<Negotiation> {
  const { haves } = request;
  const wanted = request.wants.length > 0 || request.wantRefs.length > 0;
  if (!wanted && !request.waitForDone) return { common: [], reply: nothing, packFollows: false };
  const places: number[] = [];
  const common = await findCommon(haves, history, work, (at, isNew) => {
    if (isNew) places.push(at);
  });
  if (wanted && (request.done || (haves.length === 0 && !request.waitForDone))) {
    return { common, reply: nothing, packFollows: true };
  }
  const ready = wanted && !request.waitForDone && common.length > 0 && (await history.isReady(common));
  return { common, reply: acknowledgmentsSection(idsAt(haves.bytes, places), ready), packFollows: ready };
}

function* idsAt(bytes: Uint8Array, places: readonly number[]): Generator<ObjectId, void, undefined> {
  for (const at of places) yield objectIdAt(bytes, at);
}

/** Returns the nodes of common ids. Calls `visit` with the position of each, and if it is new. */
async function findCommon(
  haves: IdList,
  history: CommonHistory,
  work: Work,
  visit: (at: number, isNew: boolean) => void,
): Promise<readonly number[]> {
  const common = new Set<number>();
  for (let i = 0; i < haves.length; i++) {
    if (work.spend(cost.steps)) await work.yield();
    const at = i * objectIdBytes;
    const node = history.commonNode(haves.bytes, at);
    if (node < 0) continue;
    visit(at, !common.has(node));
    common.add(node);
  }
  return [...common];
}
