import type { RepoPlace } from '@packhouse/hosting';
import type { Bucket } from '@packhouse/storage/workers';
import type { PortObject } from '../calls/remote-port.ts';

/** What the Worker finds in its environment: the bindings, variables and secrets of `wrangler.jsonc`. */
export interface Environment {
  /** Objects of `CatalogObject`, called with the name of the account. */
  readonly CATALOGS: ObjectNamespace<string>;
  /** Objects of `RepoObject`. */
  readonly REPOS: ObjectNamespace<RepoPlace>;
  /** Packs of namespaces of the jurisdiction `unrestricted`. */
  readonly PACKS: Bucket;
  /** Packs of the jurisdiction `eu`; without it, none is offered. */
  readonly PACKS_EU?: Bucket;
  /** Packs of the jurisdiction `us`; without it, none is offered. */
  readonly PACKS_US?: Bucket;
  /** Every setting, as the configuration file of the server has them: an object, or its JSON text. */
  readonly CONFIG?: unknown;
  /** Secret: the API token for reading and editing every account served. */
  readonly API_TOKEN?: string;
  /** Secret: further API tokens, as JSON text of the form of `api_tokens` in the configuration. */
  readonly API_TOKENS?: string;
  /** Secret: what events are signed with, as JSON text of the form of `webhook_secrets` in the configuration. */
  readonly WEBHOOK_SECRETS?: string;
  /** Set by the local runtime: the way to addresses that are not public, which `fetch` does not reach there. */
  readonly INSIDE?: { fetch(request: Request): Promise<Response> };
  /** Set by the local runtime: a line `{"event":"begin"}` for each request that begins. */
  readonly LOG_BEGIN?: boolean;
}

/** The least of a binding to Durable Objects of one class. */
export interface ObjectNamespace<Place> {
  getByName(name: string): PortObject<Place>;
  /** The same class in another part of the world. */
  jurisdiction(name: string): ObjectNamespace<Place>;
}
