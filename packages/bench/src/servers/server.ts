import type { Remote } from '../client/remote.ts';
import type { ServiceName, Usage } from './usage.ts';

/** A server under measurement, listening on a port of this machine. */
export interface Server {
  /** Heading of its column. */
  readonly name: string;
  /** Makes an empty repository. */
  createRepository(name: string): Promise<Remote>;
  /** Removes a repository, so that rounds do not fill the disk. */
  removeRepository(name: string): Promise<void>;
  /**
   * What its administrator would do after a large push, such as writing bitmaps. Outside of every measurement.
   */
  settle(name: string): Promise<void>;
  /** Highest memory so far, in bytes, of the processes that do its work; null where the system does not tell. */
  peakMemory(): Promise<number | null>;
  /** Does something that sends one POST to a service, and answers what it cost. Absent where nobody counts. */
  readonly usageOf?: (service: ServiceName, work: () => Promise<unknown>) => Promise<Usage>;
  /** Forks a repository, with every ref or the default branch alone; answers how many objects the fork holds. Absent where there are no forks. */
  readonly fork?: (name: string, as: string, refs: 'all' | 'default branch') => Promise<number>;
  /** Bytes of stored packs on the disk. Absent where nobody can tell. */
  readonly storedBytes?: () => Promise<number>;
  /** Packs that a repository consists of. Absent where nobody asks. */
  readonly countPacks?: (name: string) => Promise<number>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** Starts a server with a data folder of its own. */
export type StartServer = () => Promise<Server>;
