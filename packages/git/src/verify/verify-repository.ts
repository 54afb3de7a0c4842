import { paint } from '../graph/paint.ts';
import { noObject } from '../graph/pack-graph.ts';
import { TagEnds } from '../graph/peel.ts';
import { blobKind, commitKind, kindName, tagKind, treeKind, type KindNumber } from '../object/kind.ts';
import { objectIdAt, objectIdBytes, objectIdToBytes } from '../object/object-id.ts';
import { kindOfMode, TreeCursor } from '../object/tree.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { recordsOf, type RefSlice } from '../refs/packed-refs.ts';
import { RepoRefs } from '../stored-refs/repo-refs.ts';
import { linksOf } from '../receive-pack/places/incoming-links.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import type { Problem } from './problem.ts';
import { verifyPack } from './verify-pack.ts';

/**
 * Verifies a whole repository: every file of every pack, that each ref matches its record, that everything it reaches
 * is stored, and that the graph agrees. Reads everything and changes nothing; takes about as long as indexing the packs
 * again.
 */
export async function verifyRepository(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const work = engine.scheduler.begin();
  const refs: RefSlice[] = [];
  for await (const slice of new RepoRefs(engine, repository, snapshot, work).below('')) refs.push(slice);
  for (const record of snapshot.packs) problems.push(...(await verifyPack(engine, repository, record, work)));
  if (problems.length > 0) return problems;
  let view: RepositoryView;
  try {
    view = await RepositoryView.open(engine, repository, snapshot, work);
    await view.loadIndexes();
  } catch {
    return [
      { about: 'graph', where: snapshot.packs.at(-1)?.id ?? '', what: 'the graphs of the packs do not fit together' },
    ];
  }
  problems.push(...verifyRefs(view, refs));
  if (problems.length === 0) problems.push(...(await verifyClosure(view, refs)));
  return problems;
}

function verifyRefs(view: RepositoryView, slices: readonly RefSlice[]): readonly Problem[] {
  const problems: Problem[] = [];
  const ends = new TagEnds(view.set);
  for (const slice of slices) {
    for (const ref of recordsOf(slice)) {
      const what = wrongRecord(view, ends, ref);
      if (what !== undefined) problems.push({ about: 'ref', where: ref.name, what });
    }
  }
  return problems;
}

/** Returns the fault in a ref's record of its value; undefined if it is right. */
function wrongRecord(view: RepositoryView, ends: TagEnds, ref: RefRecord): string | undefined {
  const { set } = view;
  const node = set.findNodeById(ref.oid);
  if (node < 0) return 'its value is not in the graph';
  const kind = set.nodeKind(node);
  if (kindName(kind) !== ref.kind) return 'its value is not of the kind recorded';
  if (kind !== tagKind) return ref.peeled === null ? undefined : 'it is no tag but recorded to peel to something';
  const end = ends.of(node);
  // A chain that ends at a tree or a blob ends, in the graph, at a tag whose tree is that object.
  const object = set.nodeKind(end) === tagKind ? set.nodeTrees[end] : set.nodeObjects[end];
  return ref.peeled === view.objectId(object as number) ? undefined : 'it peels to something else than recorded';
}

/** Walks everything that the refs reach by opening every object, and compares it with the graph. */
async function verifyClosure(view: RepositoryView, slices: readonly RefSlice[]): Promise<readonly Problem[]> {
  const { set, snapshot } = view;
  const problems: Problem[] = [];
  const seen = new Uint8Array(set.objectCount);
  const tips: number[] = [];
  const boundary = new Set(snapshot.shallow);
  for (const slice of slices) {
    for (const ref of recordsOf(slice)) {
      tips.push(set.findNodeById(ref.oid));
      const what = await new ClosureWalk(view, seen, boundary).from(ref);
      if (what !== undefined) problems.push({ about: 'ref', where: ref.name, what });
    }
  }
  if (problems.length > 0) return problems;

  const colours = new Uint8Array(set.nodeCount);
  await paint(view.work, set, tips, colours, 1);
  const listed = new Uint8Array(set.objectCount);
  const list = (object: number): void => {
    if (object !== noObject) listed[object] = 1;
  };
  for (let node = 0; node < set.nodeCount; node++) {
    if (view.work.spend(cost.edges)) await view.work.yield();
    if (colours[node] !== 1) continue;
    list(set.nodeObjects[node] as number);
    for (const object of set.introduced(node)) {
      list(object);
      if (view.work.spend(cost.edges)) await view.work.yield();
    }
  }
  for (let object = 0; object < set.objectCount; object++) {
    if (listed[object] === seen[object]) continue;
    const what =
      listed[object] === 1
        ? 'is listed by the graph but reached by no ref'
        : 'is reached by a ref but not listed by the graph';
    problems.push({
      about: 'graph',
      where: set.packOfObject(object).record.id,
      what: `${view.objectId(object)} ${what}`,
    });
    if (problems.length >= 100) break;
  }
  return problems;
}

class ClosureWalk {
  readonly #view: RepositoryView;
  readonly #seen: Uint8Array;
  readonly #boundary: ReadonlySet<string>;
  readonly #pending: number[] = [];

  constructor(view: RepositoryView, seen: Uint8Array, boundary: ReadonlySet<string>) {
    this.#view = view;
    this.#seen = seen;
    this.#boundary = boundary;
  }

  /** Returns the first fault in what the ref reaches; undefined if it is complete. */
  async from(ref: RefRecord): Promise<string | undefined> {
    const wrong = this.#enter(objectIdToBytes(ref.oid), 0, undefined);
    if (wrong !== undefined) return wrong;
    while (this.#pending.length > 0) {
      const object = this.#pending.pop() as number;
      const { kind, body } = await this.#view.read(object);
      if (this.#view.work.spend(cost.parsed, body.length)) await this.#view.work.yield();
      const broken = kind === treeKind ? this.#followTree(body) : this.#followLinks(object, kind, body);
      if (broken !== undefined) return broken;
    }
    return undefined;
  }

  #followTree(body: Uint8Array): string | undefined {
    const entry = new TreeCursor(body);
    while (entry.next()) {
      const kind = kindOfMode(entry.mode);
      const wrong = kind === 0 ? undefined : this.#enter(body, entry.oidAt, kind);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #followLinks(object: number, kind: KindNumber, body: Uint8Array): string | undefined {
    const links = linksOf(kind, body);
    if (links === undefined) return `${this.#view.objectId(object)} does not parse`;
    const { ids, offset } = links;
    if (kind === tagKind) return this.#enter(ids, offset, links.targetKind);
    const wrong = this.#enter(ids, offset, treeKind);
    if (wrong !== undefined || this.#boundary.has(this.#view.objectId(object))) return wrong;
    for (let i = 1; i <= links.parentCount; i++) {
      const missing = this.#enter(ids, offset + i * objectIdBytes, commitKind);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }

  #enter(ids: Uint8Array, at: number, kind: KindNumber | undefined): string | undefined {
    const object = this.#view.findObject(ids, at);
    if (object < 0) return `${objectIdAt(ids, at)} is missing`;
    const found = this.#view.set.kind(object);
    if (kind !== undefined && found !== kind) return `${objectIdAt(ids, at)} is not a ${kindName(kind)}`;
    if (this.#seen[object] === 1) return undefined;
    this.#seen[object] = 1;
    if (found !== blobKind) this.#pending.push(object);
    return undefined;
  }
}
