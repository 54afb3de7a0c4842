import type { HostileReply } from '@packhouse/fixtures/hostile';
import type { LocalService } from '../service/local-service.ts';
import type { Effort } from './effort.ts';

/** A number that an input is made of: from 0 to `max`. */
export interface Field {
  readonly max: number;
  /** Numbers of every order of magnitude are tried; without it all are as likely. */
  readonly byMagnitude?: boolean;
}

/** An input as numbers by the names of their fields. */
export type Values = Readonly<Record<string, number>>;

/** Bytes of a URL that no server takes more of: Node's headers have 16 KiB, with our setting 32. */
export const urlMax: number = 32 * 1024;

/** A part of the service that hostile inputs are sent to. */
export interface Area {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Cuts an input to an effort. Default: every input is cheap enough. */
  readonly cut?: (values: Values, effort: Effort) => Values;
  /** Opens a service with all that the inputs ask for. */
  open(): Promise<Session>;
}

/** A service that inputs of one area are sent to, one after the other. */
export interface Session {
  readonly service: LocalService;
  /** Makes the requests of an input; what they need beforehand is done here. */
  trial(values: Values): Promise<Trial>;
}

export interface Trial {
  /** Bytes that it sends: bodies and URLs, without headers. */
  readonly sent: number;
  run(): Promise<readonly HostileReply[]>;
}
