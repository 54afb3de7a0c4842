import { orderProblem, type BindingEntry, bindingProblem } from '@packhouse/hosting';
import { serviceRules, type ServiceSettings } from '../settings/service-settings.ts';
import { isRecord, problemsOf, ConfigError } from '@packhouse/base';
import { configType } from './members.ts';
import type { ApiPermission, TagPermission } from './permissions.ts';

/** One API token of a configuration. Exactly one of `token` and `token_sha256` is set. */
export type ApiTokenEntry = AccountTokenEntry | ZoneTokenEntry;

export interface ListedToken {
  readonly token?: string;
  /** 64 lower-case hexadecimal digits. */
  readonly token_sha256?: string;
}

interface AccountTokenEntry extends ListedToken {
  readonly account: string;
  readonly zone?: never;
  readonly permissions: readonly ApiPermission[];
}

/** A token for one zone. A zone has only tags, so only permissions of tags fit. */
interface ZoneTokenEntry extends ListedToken {
  readonly zone: string;
  readonly account?: never;
  readonly permissions: readonly TagPermission[];
}

/** A checked configuration; every member may be absent. */
export interface ServerConfig {
  readonly dialect?: 'neutral' | 'cloudflare';
  /** `postgres://` URL of a database that several servers share (REPO-336). Not for Workers. */
  readonly database?: string;
  /** The place of packs beside a database: `s3://BUCKET/PREFIX`, or the absolute path of a folder that all servers mount. */
  readonly packs?: string;
  readonly api_tokens?: readonly ApiTokenEntry[];
  /** Serves `/metrics` for requests with this token (REPO-340). Exactly one member is set. Not for Workers. */
  readonly metrics?: ListedToken;
  /** Seconds that running requests get to finish after the server receives the signal to stop. Default 30. */
  readonly shutdown_grace?: number;
  /** Memory limit in bytes of a server on Node, Deno or Bun (LIM-080). Default: a share of the available memory. */
  readonly memory_max?: number;
  /** Memory in bytes of the caches of a server on Node, Deno or Bun. Default: an eighth of what the runtime leaves, at most 512 MiB. */
  readonly cache_max?: number;
  /**
   * Maximum bytes of packs that are stored to answer clones again (LIM-071): of one server, and a quarter of them of one
   * repository. On Workers the latter alone counts. Default 2 GiB; 0: none.
   */
  readonly prepared_max?: number;
  /** Bytes of the cache on disk of a server whose packs are in a bucket. Default 10 GiB. Not for Workers. */
  readonly pack_cache_max?: number;
  /** Seconds that a client may pause within a request body (LIM-020). Default 60. Not for Workers. */
  readonly body_idle_timeout?: number;
  /**
   * Maximum number of client connections at a time (LIM-021). Default: depends on the number of file descriptors that
   * the process may open. Not for Workers.
   */
  readonly connections_max?: number;
  /**
   * Bindings of the dialect `neutral`, for code in the process of the service. `readBindings` chooses between this list
   * and `artifacts`.
   */
  readonly repos?: readonly BindingEntry[];
  /** Bindings of the dialect `cloudflare`. */
  readonly artifacts?: readonly BindingEntry[];
  /** The compatibility date of the Worker; only Workers use it (BIND-005). */
  readonly compatibility_date?: string;
  readonly settings: Partial<ServiceSettings>;
}

/**
 * Checks a configuration that was read from JSON, in the same way on every runtime. `packhouse` checks the rules about
 * origins and remotes.
 *
 * @throws {ConfigError} with the path of the first wrong member, the values that it accepts, and the number of further
 *   errors. The message is the end of a sentence, without a full stop.
 */
export function checkConfig(document: unknown): ServerConfig {
  const [first, ...others] = problemsOf(configType, document);
  if (first !== undefined || !isRecord(document)) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    throw new ConfigError(`${first ?? 'no object'}${more}`);
  }
  const host: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(document)) {
    if (member !== '$schema') (Object.hasOwn(serviceRules, member) ? settings : host)[member] = value;
  }
  const disorder = orderProblem(settings);
  const together = bindingProblem(host) ?? (disorder && `${disorder.setting}: ${disorder.rule}`);
  if (together !== undefined) throw new ConfigError(together);
  // The cast is safe, because `problemsOf` has checked every member.
  return { ...host, settings } as ServerConfig;
}
