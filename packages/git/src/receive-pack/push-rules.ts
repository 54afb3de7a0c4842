import type { RecordedEvent } from '../ports/repo-state.ts';
import type { WorkOptions } from '../work/scheduler.ts';
import type { DescribedUpdate } from './describe/describe-updates.ts';

/** What a push must keep to. Sizes are bytes. */
export interface PushRules extends WorkOptions {
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** GIT-126. */
  readonly denyNonFastForward: boolean;
  /** GIT-146. */
  readonly strictObjects: boolean;
  /** LIM-051. */
  readonly blobMax: number;
  /** LIM-056. */
  readonly objectMax: number;
  /** LIM-066. */
  readonly commitMax: number;
  /** LIM-067. */
  readonly commitParentsMax: number;
  /** LIM-068. */
  readonly inflatedMax: number;
  /** LIM-059. */
  readonly memoryMax: number;
  /** Bytes of the request's body, if it tells. */
  readonly bodyLength?: number | undefined;
  /** LIM-062. */
  readonly chainDepthMax: number;
  /** LIM-069. */
  readonly chainMax: number;
  /** LIM-070. */
  readonly graphMax: number;
  /** LIM-050. */
  readonly repoStorageMax: number;
  /** How many bytes the account may still store (LIM-012). */
  readonly accountStorageLeft: () => Promise<number>;
  /** Random, names this push for `RepoState.outcome`. */
  readonly pushId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * The boundary of a shallow client becomes that of the repository (GIT-075): what an import with a depth needs, and
   * nothing for clients. Default: no.
   */
  readonly acceptShallow?: boolean | undefined;
  /** Whether it is what a new repository begins with, and no push. Default: no. */
  readonly isImport?: boolean | undefined;
  /** Called right before the commit; what it throws ends the push, and nothing is changed. Default: nobody asks. */
  readonly stillWanted?: (() => void) | undefined;
  /**
   * Says what is to be recorded with each change of a ref (REPO-194), in the same order; called each time the push is
   * prepared, the last time right before the commit. Default: nobody listens, and nothing is looked up for it.
   */
  readonly describe?: ((updates: readonly DescribedUpdate[]) => readonly (RecordedEvent | undefined)[]) | undefined;
}
