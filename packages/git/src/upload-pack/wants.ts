import { walkSnapshot } from '../graph/snapshot-walk.ts';
import { objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import { refOidsMax } from '../ports/ref-query.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { cost } from '../work/costs.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/** Resolved wants of a request. */
export interface ResolvedWants {
  readonly nodes: readonly number[];
  /** Trees and blobs wanted by id. */
  readonly given: readonly number[];
  /** The same, with all that the trees reach. */
  readonly objects: Iterable<number>;
}

const isReached = 1;
const isGiven = 2;

/**
 * Resolves wants: any object that a visible ref reaches, or reached a moment ago (GIT-060, GIT-061). A tree may reach all
 * that is stored, so a byte an object is all that this takes.
 *
 * @throws {RequestRefusedError} for any other.
 */
export async function resolveWants(
  view: RepositoryView,
  visibility: Visibility,
  wants: Iterable<ObjectId>,
): Promise<ResolvedWants> {
  const { set, work } = view;
  await visibility.lookForTips(few(wants));
  const nodes = new Set<number>();
  const given: number[] = [];
  let marks: Uint8Array = new Uint8Array(0);
  const enter = (object: number): boolean => {
    const isNew = ((marks[object] as number) & isReached) === 0;
    marks[object] = (marks[object] as number) | isReached;
    return isNew;
  };
  for (const want of wants) {
    if (work.spend(cost.steps)) await work.yield();
    const node = set.findNodeById(want);
    if (node >= 0 && (await visibility.mayWant(node, want))) {
      nodes.add(node);
      continue;
    }
    if (marks.length === 0) {
      await view.loadIndexes();
      marks = new Uint8Array(set.objectCount);
    }
    const object = view.findObject(objectIdToBytes(want), 0);
    if (object >= 0 && ((marks[object] as number) & isGiven) !== 0) continue;
    if (object < 0 || !(await visibility.mayWantObject(object)))
      throw new RequestRefusedError(`upload-pack: not our ref ${want}`);
    await walkSnapshot(view, object, enter, work);
    marks[object] = (marks[object] as number) | isGiven;
    given.push(object);
  }
  return { nodes: [...nodes], given, objects: marked(marks) };
}

/** The first wants: all of them, or one more than can be looked for at once. */
function few(wants: Iterable<ObjectId>): readonly ObjectId[] {
  const first: ObjectId[] = [];
  for (const want of wants) {
    first.push(want);
    if (first.length > refOidsMax) break;
  }
  return first;
}

function* marked(marks: Uint8Array): Generator<number, void, undefined> {
  for (let object = 0; object < marks.length; object++) if (marks[object] !== 0) yield object;
}
