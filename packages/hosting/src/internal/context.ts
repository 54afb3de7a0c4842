import type { Dialect } from '../dialect/dialect.ts';
import type { ApiTokenStores } from '../ports/api-tokens.ts';
import type { Catalogs } from '../ports/catalog.ts';
import type { CreateRateLimiter, Clock, Ids } from '@packhouse/base';
import type { PostWebhook } from '../ports/post-webhook.ts';
import type { OnEvent } from '../ports/on-event.ts';
import type { HostedRepoState, RepoStorage } from '../ports/repo-storage.ts';
import type { Remotes } from './remotes.ts';
import type { Settings } from '../settings/settings.ts';

/** Removes the tags of a repo, and resolves once they are gone. */
export type RemoveTags = (account: string, repoId: string) => Promise<unknown>;

/** Gives the tags of a repo the name that it has now, and resolves once they have it. */
export type RenameTags = (
  account: string,
  repo: { readonly id: string; readonly namespace: string; readonly name: string },
) => Promise<unknown>;

/** Values that all parts of the service share. */
export interface Context {
  readonly dialect: Dialect;
  readonly settings: Settings;
  readonly remotes: Remotes;
  readonly catalog: Catalogs;
  readonly storage: RepoStorage;
  /** Undefined if the service stores no API tokens. */
  readonly apiTokens: ApiTokenStores | undefined;
  /** Undefined if repos have no tags. */
  readonly removeTags: RemoveTags | undefined;
  /** Undefined if repos have no tags. */
  readonly renameTags: RenameTags | undefined;
  /** Sends events to webhooks. Undefined if the service reaches no other hosts, so that there are no webhooks. */
  readonly postWebhook: PostWebhook | undefined;
  /** The service's own listener. Undefined: events are recorded for webhooks alone. */
  readonly events: OnEvent | undefined;
  readonly createLimiter: CreateRateLimiter;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Starts work that continues after the reply, such as `waitUntil`. The work never rejects. */
  readonly background: (work: Promise<void>) => void;
  /** Receives failures that no caller gets. Never throws. */
  readonly report: (error: unknown) => void;
  /** Receives each committed push that could not be recorded in the catalog (GIT-159). Must not throw. */
  readonly unheard: (repo: { readonly account: string; readonly id: string }, state: HostedRepoState) => void;
}
