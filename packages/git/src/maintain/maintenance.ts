import type { PackId } from '../ports/pack-store.ts';
import type { HistoryPart } from './history-part.ts';

/** How a repository is to be maintained. */
export interface MaintainOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds that unreachable objects are kept (LIM-064). */
  readonly grace: number;
  /** Milliseconds that the bytes of replaced packs are kept, for fetches under way. */
  readonly retireGrace: number;
  /** `usual`: what the geometric rule asks for, and what is to be collected; `full`: all into one pack. */
  readonly mode: 'usual' | 'full';
  /** Bytes: a merge never makes a larger pack. */
  readonly mergeMax: number;
  /** Maximum size in bytes of a made pack that is stored in rows (each of its files below 1.9 MB); 0: never. */
  readonly rowsMax: number;
  /**
   * Makes deltas of objects that came whole, which opens many of them. Default true; false where each read costs money.
   */
  readonly deltas?: boolean;
  /** The commits of a large pack whose versions become deltas of earlier ones. Default: the newest 4,096. */
  readonly history?: HistoryPart;
  /** Tests if a running request of this process may still read a retired pack. */
  readonly inUse: (id: PackId) => boolean;
  /** Returns a new random id that names one replacement of packs. */
  readonly newId: () => string;
  /** Ends the maintenance at its next yield. The repository is then either unchanged or complete. */
  readonly signal?: AbortSignal | undefined;
}

/** Result of a maintenance. */
export interface MaintenanceReport {
  /** Packs that were replaced. */
  readonly mergedPacks: number;
  /** Packs that were made. */
  readonly madePacks: number;
  /** Unreachable objects that were left out of made packs. */
  readonly collectedObjects: number;
  /** Number of retired packs whose bytes were removed. */
  readonly removedPacks: number;
  /** Time of the next work, in milliseconds since 1970. Undefined: no work before the next push. */
  readonly nextAt: number | undefined;
  /** Version of the state that this result is based on, for `RepoState.planMaintenance`. */
  readonly version: number;
}
