import type { Remote } from '../client/remote.ts';
import type { Profile } from './profile.ts';
import type { ServiceName, Usage } from './usage.ts';

/** A server under measurement, listening on a port of this machine. */
export interface Server {
  /** The heading of its column. */
  readonly name: string;
  /** Such as `http://127.0.0.1:8787`. Absent where no measure needs it. */
  readonly origin?: string;
  /** Creates an empty repository. */
  createRepository(name: string): Promise<Remote>;
  /** Removes a repository, so that rounds do not fill the disk. */
  removeRepository(name: string): Promise<void>;
  /** Does what an administrator would do after a large push, such as writing bitmaps. Never part of a measurement. */
  settle(name: string): Promise<void>;
  /** Returns the peak memory of the processes that do its work, in bytes; null where the system does not report it. */
  peakMemory(): Promise<number | null>;
  /**
   * Runs work that sends one POST to a service, and returns the cost of that request. Absent where the server does not
   * report it.
   */
  readonly usageOf?: (service: ServiceName, work: () => Promise<unknown>) => Promise<Usage>;
  /**
   * Forks a repository, with every ref or only the default branch. Returns the object count of the fork. Absent where
   * there are no forks.
   */
  readonly fork?: (name: string, as: string, refs: 'all' | 'default branch') => Promise<number>;
  /**
   * Sends a request below the account and returns the bytes of the reply's body. Throws for a status of 400 or more.
   * Absent where there is no such API.
   */
  readonly rest?: (method: string, path: string, body?: object) => Promise<Buffer>;
  /** Returns the processor time of the processes that do its work, in milliseconds. Absent where it is not known. */
  readonly processorTime?: () => number;
  /** Runs work while the server is profiled. Absent where it cannot be. */
  readonly profile?: (work: () => Promise<unknown>) => Promise<Profile>;
  /** Returns the bytes of stored packs on the disk. Absent where they cannot be measured. */
  readonly storedBytes?: () => Promise<number>;
  /** Returns the number of packs of a repository. Absent where it is not needed. */
  readonly countPacks?: (name: string) => Promise<number>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** Starts a server with a new data folder. */
export type StartServer = () => Promise<Server>;
