import { planFetch, type FetchPlan } from '../graph/fetch-plan.ts';
import { TagEnds } from '../graph/peel.ts';
import { reachedGoals } from '../graph/reach.ts';
import type { ObjectId } from '../object/object-id.ts';
import {
  negotiateFetch,
  negotiateUpload,
  type CommonHistory,
  type Negotiation,
} from '../negotiation/acknowledgments.ts';
import { RepoGoneError, type RepoSnapshot } from '../ports/repo-state.ts';
import { resolveHead } from '../refs/head.ts';
import { visibleRefs } from '../refs/visible-refs.ts';
import type { GitEngine, GitRepository } from '../repository/engine.ts';
import { hasNativePipes } from '../repository/native-pipe.ts';
import { replyStream, type ReplyPiece } from '../repository/reply-stream.ts';
import type { Reservation } from '../repository/admission.ts';
import { fetchMemory, fetchStart, reserveFor } from '../repository/request-memory.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { Visibility } from '../repository/visibility.ts';
import { createTurns } from '../turns.ts';
import { parseCommandRequest } from '../wire/command-request.ts';
import { servedFeatures } from '../wire/features.ts';
import type { FetchRequest } from '../wire/fetch-request.ts';
import { joinSections, packfileHeader } from '../wire/fetch-response.ts';
import { writeLsRefsResponse } from '../wire/ls-refs.ts';
import type { PackRequest } from '../wire/pack-request.ts';
import { PacketReader } from '../wire/packet-reader.ts';
import { delimText, encodeErrorPacket, flushPacket } from '../wire/pkt-line.ts';
import { RequestRefusedError } from '../wire/request-error.ts';
import { encodeBand, frameBand, type SideBand } from '../wire/side-band.ts';
import { parseUploadRequest } from '../wire/upload-request.ts';
import { encodeUtf8 } from '../wire/utf8.ts';
import { packStream } from './pack-stream.ts';
import { resolveWants } from './wants.ts';

export interface UploadPackOptions {
  /** Highest version that the client asked for (GIT-040). */
  readonly version: 0 | 1 | 2;
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** Bound on the request's body (LIM-057). */
  readonly bodyMax: number;
  /** Milliseconds of silence before a keep-alive (LIM-063). */
  readonly keepAlive: number;
  /** Takes the unexpected error that broke off a reply under way, for logs; the client only hears that there was one. */
  readonly failed: (error: unknown) => void;
}

/** How a fetch ended its negotiation, for events (REPO-197). */
export type FetchKind = 'none' | 'clone' | 'fetch';

export interface UploadPackReply {
  readonly body: ReadableStream<Uint8Array> | Uint8Array;
  readonly fetch: FetchKind;
}

/**
 * Answers one POST to `git-upload-pack`.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestTooLargeError} LIM-057.
 * @throws {NotEnoughMemoryError} LIM-059.
 */
export async function uploadPack(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  body: AsyncIterable<Uint8Array>,
  options: UploadPackOptions,
): Promise<UploadPackReply> {
  const reader = new PacketReader(body, options.bodyMax);
  const memory = await reserveFor(engine, snapshot, fetchStart);
  const service = new UploadPack(engine, repository, snapshot, options, memory);
  try {
    const reply = options.version === 2 ? await service.command(reader) : await service.request(reader);
    // What streams lets go by itself.
    if (reply.body instanceof Uint8Array) memory.release();
    return reply;
  } catch (error) {
    memory.release();
    if (error instanceof RequestRefusedError) return { body: encodeErrorPacket(error.text), fetch: 'none' };
    throw error;
  } finally {
    await reader.cancel();
  }
}

class UploadPack {
  readonly #engine: GitEngine;
  readonly #repository: GitRepository;
  readonly #snapshot: RepoSnapshot;
  readonly #options: UploadPackOptions;
  readonly #memory: Reservation;

  constructor(
    engine: GitEngine,
    repository: GitRepository,
    snapshot: RepoSnapshot,
    options: UploadPackOptions,
    memory: Reservation,
  ) {
    this.#engine = engine;
    this.#repository = repository;
    this.#snapshot = snapshot;
    this.#options = options;
    this.#memory = memory;
  }

  /** Version 0 and 1 (section 4). */
  async request(reader: PacketReader): Promise<UploadPackReply> {
    const request = await parseUploadRequest(reader, servedFeatures);
    if (request.wants.length === 0) return { body: new Uint8Array(0), fetch: 'none' };
    const { sideBand } = request;
    return this.#fetch(
      request,
      sideBand,
      (history) => negotiateUpload(request, history),
      (reply) => reply,
    );
  }

  /** Version 2 (section 6). */
  async command(reader: PacketReader): Promise<UploadPackReply> {
    const request = await parseCommandRequest(reader, servedFeatures);
    if (request === undefined) return { body: new Uint8Array(0), fetch: 'none' };
    if (request.command === 'ls-refs') {
      const refs = visibleRefs(this.#snapshot.refs, this.#options.hiddenRefs);
      return {
        body: writeLsRefsResponse(request, refs, resolveHead(refs, this.#snapshot.defaultBranch)),
        fetch: 'none',
      };
    }
    return this.#fetchCommand(request);
  }

  async #fetchCommand(request: FetchRequest): Promise<UploadPackReply> {
    if (request.wants.length === 0) return { body: new Uint8Array(0), fetch: 'none' };
    const sections = (reply: string, packFollows: boolean): string => {
      if (!packFollows) return joinSections([reply], 'flush');
      return (reply === '' ? '' : reply + delimText) + packfileHeader;
    };
    return this.#fetch(request, 'side-band-64k', (history) => negotiateFetch(request, history), sections);
  }

  async #fetch(
    request: PackRequest,
    sideBand: SideBand,
    negotiate: (history: CommonHistory) => Promise<Negotiation>,
    frame: (reply: string, packFollows: boolean) => string,
  ): Promise<UploadPackReply> {
    const whole = this.#wholePack(request, sideBand);
    if (whole !== undefined) {
      const negotiation = await negotiate({ isCommon: () => false, isReady: () => false });
      if (negotiation.packFollows) return this.#reply(frame(negotiation.reply, true), whole, sideBand, 'clone');
    }
    await this.#memory.resize(fetchMemory(this.#engine, this.#snapshot));
    const view = await RepositoryView.open(this.#engine, this.#repository, this.#snapshot);
    const visibility = new Visibility(this.#snapshot, view.set, this.#options.hiddenRefs);
    const wants = await resolveWants(view, visibility, request.wants);
    const negotiation = await negotiate(commonHistory(view, visibility, wants.nodes));
    const head = frame(negotiation.reply, negotiation.packFollows);
    if (!negotiation.packFollows) return { body: encodeUtf8(head), fetch: 'none' };

    const nodes = {
      wants: wants.nodes,
      objects: wants.objects,
      common: negotiation.common.map((oid) => view.set.findNodeById(oid)),
      tags: request.includeTag ? tagNodes(view, visibility) : [],
    };
    const plan = await planFetch(view.set, nodes, createTurns());
    const kind = negotiation.common.length > 0 ? 'fetch' : 'clone';
    return this.#reply(head, packPieces(view, plan, request, sideBand), sideBand, kind);
  }

  /**
   * The one pack of a repository as it lies, if nothing but its exact objects is asked for: then not even the graph
   * is looked at (`docs/design/workers.md`, "Clone").
   */
  #wholePack(request: PackRequest, sideBand: SideBand): AsyncGenerator<ReplyPiece, void, undefined> | undefined {
    const [pack, ...others] = this.#snapshot.packs;
    if (pack === undefined || others.length > 0 || !pack.exact || pack.where !== 'store') return undefined;
    if (request.haves.length > 0 || !request.ofsDelta || this.#options.hiddenRefs.length > 0) return undefined;
    const tips = new Set(this.#snapshot.refs.map((ref) => ref.oid));
    const wants = new Set(request.wants);
    if (wants.size !== tips.size || request.wants.some((want) => !tips.has(want))) return undefined;
    return storedPack(this.#repository, pack.id, sideBand, request.noProgress ? undefined : pack.objects);
  }

  #reply(
    head: string,
    pieces: AsyncGenerator<ReplyPiece, void, undefined>,
    sideBand: SideBand,
    fetch: FetchKind,
  ): UploadPackReply {
    const stream = replyStream(withHead(encodeUtf8(head), pieces, sideBand), {
      released: () => this.#memory.release(),
      keepAlive: sideBand === 'none' ? undefined : this.#options.keepAlive,
      failure: (error) => {
        // A repository that was deleted meanwhile is no fault (GIT-158).
        if (!(error instanceof RepoGoneError)) this.#options.failed(error);
        return sideBand === 'none' ? undefined : encodeBand(3, 'An internal error occurred.\n', sideBand);
      },
    });
    return { body: stream, fetch };
  }
}

async function* withHead(
  head: Uint8Array,
  pieces: AsyncGenerator<ReplyPiece, void, undefined>,
  sideBand: SideBand,
): AsyncGenerator<ReplyPiece, void, undefined> {
  if (head.length > 0) yield head;
  yield* pieces;
  if (sideBand !== 'none') yield flushPacket();
}

async function* packPieces(
  view: RepositoryView,
  plan: FetchPlan,
  request: PackRequest,
  sideBand: SideBand,
): AsyncGenerator<ReplyPiece, void, undefined> {
  const [pack] = view.set.packs;
  const isStored = view.snapshot.packs[0]?.where === 'store';
  // Where every object of the only pack is sent, the pack is what lies there.
  if (pack !== undefined && view.set.packs.length === 1 && isStored && request.ofsDelta) {
    if (plan.objects.length === pack.graph.count && plan.objects.length > 0) {
      yield* storedPack(view.repository, pack.record.id, sideBand, request.noProgress ? undefined : pack.graph.count);
      return;
    }
  }
  yield* progress(sideBand, request.noProgress ? undefined : plan.objects.length);
  yield* frameBand(packStream(view, plan, request), sideBand, hasNativePipes());
}

async function* storedPack(
  repository: GitRepository,
  id: RepoSnapshot['packs'][number]['id'],
  sideBand: SideBand,
  told: number | undefined,
): AsyncGenerator<ReplyPiece, void, undefined> {
  yield* progress(sideBand, told);
  if (sideBand !== 'side-band-64k') {
    yield* frameBand(repository.packs.stream(id), sideBand, hasNativePipes());
    return;
  }
  const framed = repository.packs.framed(id);
  if (!hasNativePipes()) for await (const chunk of framed) yield chunk.slice();
  else if (framed.pipeTo === undefined) yield* framed;
  else yield { pipeTo: framed.pipeTo };
}

function* progress(sideBand: SideBand, objects: number | undefined): Generator<Uint8Array, void, undefined> {
  if (sideBand !== 'none' && objects !== undefined) yield encodeBand(2, `Sending ${objects} objects\n`, sideBand);
}

function tagNodes(view: RepositoryView, visibility: Visibility): readonly number[] {
  const nodes: number[] = [];
  for (const ref of visibility.refs) {
    if (ref.kind === 'tag' && ref.name.startsWith('refs/tags/')) nodes.push(view.set.findNodeById(ref.oid));
  }
  return nodes;
}

/** GIT-064 over the graph. */
function commonHistory(view: RepositoryView, visibility: Visibility, wants: readonly number[]): CommonHistory {
  const { set } = view;
  return {
    isCommon(oid: ObjectId): boolean {
      const node = set.findNodeById(oid);
      return node >= 0 && visibility.mayLeanOn(node);
    },
    isReady(common: readonly ObjectId[]): boolean {
      const ends = new TagEnds(set);
      const commits = wants.filter((want) => ends.isCommit(want));
      const goals = common.map((oid) => set.findNodeById(oid));
      return reachedGoals(set, commits, [goals]).every((reached) => reached === 1);
    },
  };
}
