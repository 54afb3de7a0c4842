import type { GitEngine, GitRepository } from '../engine/engine.ts';
import type { RefName } from '../refs/ref-name.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { RequestWork } from '../work/scheduler.ts';
import { RepoRefs } from './repo-refs.ts';
import { VisibleRefs } from './visible-refs.ts';

export interface RefReaderOptions {
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** Account that the reads are charged to. */
  readonly work: RequestWork;
}

/**
 * Reads the visible refs of one repository snapshot, for callers that know no protocol. Reads no object, and besides the
 * refs that it returns at most as many for each prefix of hidden ones.
 *
 * Every method throws `RefsExpiredError`, after which the caller begins again with a new snapshot (`retryExpired`), and
 * `RepoGoneError` once the repository is deleted.
 */
export class RefReader {
  readonly #refs: VisibleRefs;

  constructor(
    engine: GitEngine,
    repository: GitRepository,
    snapshot: RepoSnapshot,
    { hiddenRefs, work }: RefReaderOptions,
  ) {
    this.#refs = new VisibleRefs(new RepoRefs(engine, repository, snapshot, work), snapshot, hiddenRefs);
  }

  /** Returns the ref with this full name; undefined if it is missing, hidden, or no name of a ref. */
  async find(name: string): Promise<RefRecord | undefined> {
    return (await this.#refs.find([name])).get(name);
  }

  /** Returns the visible refs among these full names, by name. */
  findAll(names: readonly string[]): Promise<ReadonlyMap<string, RefRecord>> {
    return this.#refs.find(names);
  }

  /**
   * Returns refs whose full names start with `prefix`, sorted bytewise.
   *
   * @param after the name that the page begins behind. Default: the page is the first one.
   * @param limit from 1 to 1,024.
   */
  page(prefix: string, after: RefName | undefined, limit: number): Promise<readonly RefRecord[]> {
    return this.#refs.page(prefix, after, limit);
  }
}
