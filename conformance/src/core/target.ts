import type { Need } from './case.ts';
import type { Dialect } from './dialect.ts';
import type { EventSink } from './event-sink.ts';
import type { ImportRemote } from './import-remote.ts';

/** A deployment that cases run against. */
export interface Target {
  /** Shown in reports, such as the URL, or `workerd, cloudflare`. */
  readonly name: string;
  /** Origin of the REST API. */
  readonly origin: string;
  readonly dialect: Dialect['name'];
  readonly account: string;
  readonly apiToken: string;
  readonly readToken?: string;
  readonly other?: { readonly account: string; readonly apiToken: string };
  /** Origin of a hostname that serves platform errors, such as `https://www.example.com`. */
  readonly zone?: string;
  /** Id of a zone of the account, whose resources the API token may tag. */
  readonly zoneId?: string;
  /** A probe beside the binding (`@packhouse/conformance/binding-probe`), and its secret. */
  readonly binding?: { readonly url: string; readonly secret: string };
  /** Where it sends its events: of a deployment that was started to do so. */
  readonly eventSink?: EventSink;
  /** Repositories that the service trusts enough to import them. */
  readonly importRemote?: ImportRemote;
  /** A repository on a public host, to be imported: not a large one. */
  readonly importUrl?: string;
  /** Whether there is the zone and no service: cases that do not need the zone are skipped. Default false. */
  readonly zoneAlone?: boolean;
  /**
   * Default: `fetch`. With another one, and without `listens`, nothing else can reach the service. One that cannot send
   * everything throws `Skipped` for what it cannot: that ends the case as `skipped`, with the message as reason.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Whether other processes reach `origin`. Default: whether `fetch` is absent. */
  readonly listens?: boolean;
  /** What deployments have, and this one has not: a mock, or one behind something that cannot send all. Default: nothing. */
  readonly lacks?: readonly Extract<Need, 'event sink' | 'maintenance' | 'streaming'>[];
  /** Starts, or finds, a deployment with these settings. Absent: the target is as it is. */
  readonly configured?: (settings: Readonly<Record<string, unknown>>) => Promise<Target>;
  /** Of a deployment that `configured` started: stops it and throws away what it holds. Called after its last case. */
  readonly close?: () => Promise<void>;
  /** Whether this is the public service, where requirements marked `(beyond)` are not expected. Default false. */
  readonly publicService?: boolean;
}
