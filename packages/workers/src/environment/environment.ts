import type { RepoPlace } from '@packhouse/hosting';
import type { Bucket } from '@packhouse/storage/workers';
import type { PortObject } from '../calls/remote-port.ts';

/** The environment of the Worker: its bindings, variables and secrets, as in `wrangler.jsonc`. */
export interface Environment {
  /** Objects of `CatalogObject`. The `place` of a call is the name of the account. */
  readonly CATALOGS: ObjectNamespace<string>;
  /** Objects of `RepoObject`. */
  readonly REPOS: ObjectNamespace<RepoPlace>;
  /** Packs of namespaces in the jurisdiction `unrestricted`. */
  readonly PACKS: Bucket;
  /** Packs of the jurisdiction `eu`. Without it, that jurisdiction is not available. */
  readonly PACKS_EU?: Bucket;
  /** Packs of the jurisdiction `us`. Without it, that jurisdiction is not available. */
  readonly PACKS_US?: Bucket;
  /** The settings, in the form of the server's configuration file: an object, or its JSON text. */
  readonly CONFIG?: unknown;
  /** Secret: the API token for reading and editing every served account. */
  readonly API_TOKEN?: string;
  /** Secret: further API tokens, as JSON text in the form of `api_tokens` in the configuration. */
  readonly API_TOKENS?: string;
  /** Secret: the keys that sign events, as JSON text in the form of `webhook_secrets` in the configuration. */
  readonly WEBHOOK_SECRETS?: string;
  /** Set by the local runtime: reaches addresses that are not public, which `fetch` cannot reach there. */
  readonly INSIDE?: { fetch(request: Request): Promise<Response> };
  /** Set by the local runtime: logs a line `{"event":"begin"}` at the start of each request. */
  readonly LOG_BEGIN?: boolean;
}

/** The part of a Durable Object binding that this package uses. */
export interface ObjectNamespace<Place> {
  getByName(name: string): PortObject<Place>;
  /** The same class in another part of the world. */
  jurisdiction(name: string): ObjectNamespace<Place>;
}
