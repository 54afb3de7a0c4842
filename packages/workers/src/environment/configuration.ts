import {
  apiPermissions,
  checkConfig,
  describeJsonFault,
  preparedMaxDefault,
  type ApiTokenEntry,
  resolveServiceSettings,
  type ServiceSettings,
} from '@packhouse/router';
import { ConfigError, SettingsError } from '@packhouse/base';
import { cloudflare, neutral, type Dialect } from '@packhouse/hosting';
import type { Environment } from './environment.ts';
import { boundJurisdictions } from './jurisdictions.ts';

/** The checked configuration from the variables and secrets of the environment. */
export interface Configuration {
  readonly dialect: Dialect;
  readonly settings: ServiceSettings;
  readonly apiTokens: readonly ApiTokenEntry[];
  /** Four times the bytes of prepared packs that one repository may have (LIM-071). */
  readonly preparedMax: number;
}

/** The variables or secrets are wrong. The message names the setting and never shows a secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** LIM-052: on most plans, the edge itself refuses more than 100 MB, and its reply does not say why. */
const pushBodyMax = 95_000_000;

/** LIM-059: a large push must leave memory of the isolate for other requests. */
const requestMemoryMax = 56 * 1_048_576;

/**
 * Reads and checks the configuration in the environment.
 *
 * @throws {ConfigurationError}
 */
export function readConfiguration(environment: Environment): Configuration {
  const document = { ...objectOf('CONFIG', environment.CONFIG ?? {}) };
  const { WEBHOOK_SECRETS: secrets } = environment;
  const tokens = environment.API_TOKENS === undefined ? [] : parsed('API_TOKENS', environment.API_TOKENS);
  try {
    const { dialect, settings: given, api_tokens: listed = [], prepared_max: prepared } = checkConfig(document);
    const { api_tokens: secret = [] } = checkConfig({ api_tokens: tokens });
    const sink = checkConfig(secrets === undefined ? {} : { webhook_secrets: parsed('WEBHOOK_SECRETS', secrets) });
    const chosen = dialect === 'cloudflare' ? cloudflare : neutral;
    if (given.public_url === undefined)
      throw new ConfigError('public_url: is missing; expected the origin of the Worker');
    const bound = boundJurisdictions(environment);
    const unbound = given.jurisdictions?.find((one) => !bound.includes(one));
    if (unbound !== undefined) throw new ConfigError(`jurisdictions: no bucket is bound for "${unbound}"`);
    const own = { jurisdictions: bound, push_body_max: pushBodyMax, request_memory_max: requestMemoryMax };
    // Workers has no way to read kept events, so it keeps none.
    const settings = resolveServiceSettings({ ...own, ...given, ...sink.settings, events_kept: 0 }, chosen);
    const ownTokens = ownToken(environment.API_TOKEN, settings, [...listed, ...secret]);
    const apiTokens = [...ownTokens, ...listed, ...secret];
    if (apiTokens.length === 0)
      throw new ConfigError('API_TOKEN: is missing; expected a secret, so that anybody may in');
    return { dialect: chosen, settings, apiTokens, preparedMax: prepared ?? preparedMaxDefault };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof SettingsError) {
      throw new ConfigurationError(error.message, { cause: error });
    }
    throw error;
  }
}

/**
 * Makes the entries of the one token for all accounts. With `any`, these are `local` and the accounts that other tokens
 * or zones name.
 */
function ownToken(
  token: string | undefined,
  settings: ServiceSettings,
  others: readonly ApiTokenEntry[],
): readonly ApiTokenEntry[] {
  if (token === undefined || token === '') return [];
  const { accounts, zones } = settings;
  const named = others.flatMap(({ account }) => account ?? []);
  const served = accounts === 'any' ? new Set(['local', ...named, ...Object.values(zones)]) : accounts;
  const entries = [...served].map((account) => ({ token, account, permissions: apiPermissions }));
  try {
    checkConfig({ api_tokens: entries });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError('API_TOKEN: must be at least 16 letters, digits or any of ._~+/-', { cause: error });
  }
  return entries;
}

function objectOf(name: string, value: unknown): object {
  const found = typeof value === 'string' ? parsed(name, value) : value;
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new ConfigurationError(`${name}: expected an object`);
  }
  return found;
}

/** Parses JSON. The engine's own message would quote the text, which may hold a token. */
function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(`${name}: is not JSON ${describeJsonFault(text)}`);
  }
}
