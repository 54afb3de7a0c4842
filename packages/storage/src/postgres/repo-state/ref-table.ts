import { compareBytewise, type PostgresSession } from '@packhouse/base';
import type { RefName, RefTarget, RefUpdate } from '@packhouse/git';
import type { AppliedUpdates, RefTable } from '../../repo-state/apply-updates.ts';
import { sharedLength } from '../../repo-state/name-range.ts';
import type { RefRow } from '../../repo-state/read-refs.ts';
import { formatTarget, parseTarget } from '../../repo-state/ref-target.ts';

/** A row of `refs`. */
export interface TargetRow {
  readonly name: RefName;
  readonly target: string;
}

/**
 * Selects the refs with the names in an array. One look-up in the index for each: a condition with ANY may read all refs
 * of the repository.
 */
export function namedRefs(names: string): string {
  return `SELECT found.name, found.target FROM unnest(${names}::text[]) AS asked (name)
    CROSS JOIN LATERAL (
      SELECT name, target FROM packhouse.refs WHERE repo_id = $1 AND refs.name = asked.name LIMIT 1
    ) AS found`;
}

/** Number of leading paths of a name that are looked up without a search; most names have fewer. */
const pathsMax = 8;

/** Loads the refs that updates can meet: those with their names, leading paths of new names, and refs below them. */
export async function loadRefTable(
  session: PostgresSession,
  repo: string,
  updates: readonly RefUpdate[],
): Promise<LoadedRefTable> {
  const names = updates.map(({ name }) => name);
  const created = updates.flatMap((update) => (update.old === null && update.new !== null ? [update.name] : []));
  const deleted = updates.flatMap((update) => (update.new === null ? [update.name] : []));
  const [rows, below, deep] = await Promise.all([
    session.rows<TargetRow>(namedRefs('$2'), [
      repo,
      [...new Set([...names, ...created.flatMap((name) => leadingPaths(name).slice(0, pathsMax))])],
    ]),
    created.length === 0 ? [] : firstBelow(session, repo, created, deleted),
    searchPaths(
      session,
      repo,
      created.filter((name) => leadingPaths(name).length > pathsMax),
    ),
  ]);
  return new LoadedRefTable(
    names,
    [...rows, ...deep].map(refOf),
    new Map(below.map(({ name, below }) => [name, below])),
  );
}

/** Finds the first ref below each name as a folder, apart from `deleted` ones. */
function firstBelow(
  session: PostgresSession,
  repo: string,
  names: readonly RefName[],
  deleted: readonly RefName[],
): Promise<{ readonly name: RefName; readonly below: RefName }[]> {
  return session.rows(
    `SELECT new.name, first.name AS below FROM unnest($2::text[]) AS new (name)
     CROSS JOIN LATERAL (
       SELECT name FROM packhouse.refs
       WHERE repo_id = $1 AND refs.name > new.name || '/' AND refs.name < new.name || '0' AND refs.name <> ALL ($3)
       ORDER BY name LIMIT 1
     ) AS first`,
    [repo, names, deleted],
  );
}

/** Finds refs that are leading paths of long names. Names between such a ref and the name begin with that path. */
async function searchPaths(session: PostgresSession, repo: string, names: readonly RefName[]): Promise<TargetRow[]> {
  const found: TargetRow[] = [];
  let open = names.map((name) => ({ name, path: name as string }));
  while (open.length > 0) {
    const rows = await session.rows<TargetRow & { readonly path: string }>(
      `SELECT asked.path, near.* FROM unnest($2::text[]) AS asked (path)
       CROSS JOIN LATERAL (
         SELECT name, target FROM packhouse.refs WHERE repo_id = $1 AND name <= asked.path ORDER BY name DESC LIMIT 1
       ) AS near`,
      [repo, [...new Set(open.map(({ path }) => path))]],
    );
    const nearest = new Map(rows.map((row) => [row.path, row]));
    open = open.flatMap(({ name, path }) => {
      const near = nearest.get(path);
      if (near === undefined) return [];
      if (name.startsWith(`${near.name}/`)) {
        found.push(near);
        return [];
      }
      const next = name.slice(0, Math.max(0, name.lastIndexOf('/', sharedLength(near.name, name))));
      return leadingPaths(next).length < pathsMax ? [] : [{ name, path: next }];
    });
  }
  return found;
}

/** Returns the leading paths of a name, shortest first, without the first component. */
function leadingPaths(name: string): string[] {
  const paths: string[] = [];
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) paths.push(name.slice(0, at));
  return paths;
}

export function refOf({ name, target }: TargetRow): RefRow {
  return { name, target: parseTarget(target) as RefTarget };
}

/** Refs in memory, of which {@link LoadedRefTable.write} later stores the changed ones. */
class LoadedRefTable implements RefTable {
  readonly #refs: Map<RefName, RefTarget>;
  readonly #names: readonly RefName[];
  /** First refs below new names that this change does not delete. */
  readonly #below: ReadonlyMap<RefName, RefName>;
  #sorted: readonly RefName[] | undefined;

  constructor(names: readonly RefName[], rows: readonly RefRow[], below: ReadonlyMap<RefName, RefName>) {
    this.#names = names;
    this.#refs = new Map(rows.map(({ name, target }) => [name, target]));
    this.#below = below;
  }

  named(names: readonly RefName[]): readonly RefRow[] {
    return names.flatMap((name) => {
      const target = this.#refs.get(name);
      return target === undefined ? [] : [{ name, target }];
    });
  }

  set(name: RefName, target: RefTarget): void {
    this.#refs.set(name, target);
  }

  delete(name: RefName): void {
    this.#refs.delete(name);
  }

  conflicting(name: RefName): RefName | undefined {
    const path = leadingPaths(name).find((path) => this.#refs.has(path as RefName));
    if (path !== undefined) return path as RefName;
    const changed = this.#changedBelow(`${name}/`);
    const kept = this.#below.get(name);
    return changed === undefined || (kept !== undefined && compareBytewise(kept, changed) < 0) ? kept : changed;
  }

  /** Stores the refs that were changed, with the statements of the commit. */
  write(session: PostgresSession, repo: string, { replaced }: AppliedUpdates): void {
    const set = replaced.filter(({ name }) => this.#refs.has(name)).map(({ name }) => name);
    const deleted = replaced.filter(({ name }) => !this.#refs.has(name)).map(({ name }) => name);
    if (deleted.length > 0)
      void session.rows('DELETE FROM packhouse.refs WHERE repo_id = $1 AND name = ANY($2)', [repo, deleted]);
    if (set.length === 0) return;
    const targets = set.map((name) => this.#refs.get(name) as RefTarget);
    void session.rows(
      `INSERT INTO packhouse.refs (repo_id, name, oid, target)
       SELECT $1, name, left(target, 40), target FROM unnest($2::text[], $3::text[]) AS changed (name, target)
       ON CONFLICT (repo_id, name) DO UPDATE SET oid = excluded.oid, target = excluded.target`,
      [repo, set, targets.map(formatTarget)],
    );
  }

  /** Returns the first existing ref with this prefix among those that the change names. */
  #changedBelow(prefix: string): RefName | undefined {
    const sorted = (this.#sorted ??= this.#names.toSorted(compareBytewise));
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareBytewise(sorted[middle] as RefName, prefix) < 0) low = middle + 1;
      else high = middle;
    }
    for (let i = low; sorted[i]?.startsWith(prefix) === true; i++) {
      const name = sorted[i] as RefName;
      if (this.#refs.has(name)) return name;
    }
    return undefined;
  }
}
