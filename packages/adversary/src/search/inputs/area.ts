import type { HostileReply } from '@packhouse/fixtures/hostile';
import type { LocalService } from '../../service/local-service.ts';
import type { Effort } from './effort.ts';

/** One number of an input: from 0 to `max`. */
export interface Field {
  readonly max: number;
  /**
   * True to pick every order of magnitude with the same probability. Default: every number has the same probability.
   */
  readonly byMagnitude?: boolean;
}

/** An input: numbers by field name. */
export type Values = Readonly<Record<string, number>>;

/** Bytes of a URL that no server accepts more of: Node limits headers to 16 KiB, with our setting to 32. */
export const urlMax: number = 32 * 1024;

/** A part of the service that hostile inputs are sent to. */
export interface Area {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Reduces an input to an effort. Default: every input is cheap enough. */
  readonly cut?: (values: Values, effort: Effort) => Values;
  /** Opens a service with everything that the inputs need. */
  open(): Promise<Session>;
}

/** A service for the inputs of one area, which run sequentially. */
export interface Session {
  readonly service: LocalService;
  /** Prepares the requests of an input, and everything that they need beforehand. */
  trial(values: Values): Promise<Trial>;
}

export interface Trial {
  /** Bytes sent: bodies and URLs, without headers. */
  readonly sent: number;
  run(): Promise<readonly HostileReply[]>;
}
