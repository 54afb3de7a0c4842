import type { GivenSettings } from './deployment.ts';
import type { Tenants } from './tenants.ts';

/** A run sends far more tagging requests with one token than a person would (TAG-144). */
const manyRequests = { requests: 1_000_000_000, seconds: 1 };

/** Returns the configuration file of a deployment. The settings of a case override the others. */
export function configurationOf({ accounts, zones, entries }: Tenants, settings: GivenSettings): GivenSettings {
  return { accounts, zones, api_tokens: entries, rate_tags: manyRequests, import_allow: ['localhost'], ...settings };
}
