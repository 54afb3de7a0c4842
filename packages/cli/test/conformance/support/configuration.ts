import type { GivenSettings } from './deployment.ts';
import type { Tenants } from './tenants.ts';

/** A run sends more requests about tags with one token than anybody would by hand (TAG-144). */
const manyRequests = { requests: 1_000_000_000, seconds: 1 };

/** The configuration file of a deployment; what a case asks for wins. */
export function configurationOf({ accounts, zones, entries }: Tenants, settings: GivenSettings): GivenSettings {
  return { accounts, zones, api_tokens: entries, rate_tags: manyRequests, import_allow: ['localhost'], ...settings };
}
