import { orderProblem, type BindingEntry, bindingProblem } from '@packhouse/hosting';
import { serviceRules, type ServiceSettings } from '../settings/service-settings.ts';
import { isRecord, problemsOf, ConfigError } from '@packhouse/base';
import { configType } from './members.ts';
import type { ApiPermission, TagPermission } from './permissions.ts';

/** One API token of a configuration: exactly one of `token` and `token_sha256` is there. */
export type ApiTokenEntry = AccountTokenEntry | ZoneTokenEntry;

interface ListedToken {
  readonly token?: string;
  /** 64 lower-case hexadecimal digits. */
  readonly token_sha256?: string;
}

interface AccountTokenEntry extends ListedToken {
  readonly account: string;
  readonly zone?: never;
  readonly permissions: readonly ApiPermission[];
}

/** Allows something in one zone alone, where there is nothing but tags. */
interface ZoneTokenEntry extends ListedToken {
  readonly zone: string;
  readonly account?: never;
  readonly permissions: readonly TagPermission[];
}

/** A checked configuration; every member may be absent. */
export interface ServerConfig {
  readonly dialect?: 'neutral' | 'cloudflare';
  readonly api_tokens?: readonly ApiTokenEntry[];
  /** Seconds that requests may still run after the server was told to stop. Default 30. */
  readonly shutdown_grace?: number;
  /** Bytes that a server on Node, Deno or Bun may take (LIM-080). Default: a share of what there is. */
  readonly memory_max?: number;
  /** Seconds that a request body may be silent (LIM-020). Default 60. Not for Workers. */
  readonly body_idle_timeout?: number;
  /** Most connections of clients at a time (LIM-021). Default: by the descriptors of the process. Not for Workers. */
  readonly connections_max?: number;
  /** Bindings of the dialect `neutral`, for code in the process of the service; `readBindings` knows which are meant. */
  readonly repos?: readonly BindingEntry[];
  /** The same of the dialect `cloudflare`. */
  readonly artifacts?: readonly BindingEntry[];
  /** For Workers alone (BIND-005). */
  readonly compatibility_date?: string;
  /** The settings of the service. */
  readonly settings: Partial<ServiceSettings>;
}

/**
 * Checks a configuration that was read from JSON, the same on every runtime. Rules over origins and remotes are
 * checked by `packhouse`.
 *
 * @throws {ConfigError} naming the first wrong member with its path and what may stand there, and how many more there
 *   are: the end of a sentence, without a full stop.
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
  // The check above has seen every member.
  return { ...host, settings } as ServerConfig;
}
