import type { Dialect } from '../dialect/dialect.ts';
import { nearest, resolveByRules, SettingsError, type ValuesOf } from '@packhouse/base';
import { webhookUrlProblem } from './webhook-url.ts';
import { orderProblem } from './order.ts';
import { settingRules } from './rules.ts';
import { completeOrigins } from './origins.ts';

/** The values of {@link settingRules}, which documents each. */
export interface Settings extends ValuesOf<typeof settingRules> {}

/**
 * Fills in the defaults and checks everything, once, at the start.
 *
 * @throws {SettingsError} naming the setting and the rule it breaks (REPO-026).
 */
export function resolveSettings(given: Partial<Settings>, dialect: Dialect): Settings {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(settingRules, name)) continue;
    const close = nearest(name, Object.keys(settingRules));
    throw new SettingsError(name, `is not a setting${close === undefined ? '' : `; did you mean ${close}?`}`);
  }
  const resolved = resolveByRules(settingRules, given);
  const disorder = orderProblem(given);
  if (disorder !== undefined) throw new SettingsError(disorder.setting, disorder.rule);
  const settings = completeOrigins(resolved, dialect);
  checkWebhook(settings);
  return Object.freeze(settings);
}

/** Requires a secret, since receivers cannot verify the sender of an unsigned event. */
function checkWebhook({ webhook_url: url, webhook_secrets: secrets, webhook_allow: allow }: Settings): void {
  if (url === null) return;
  const problem = webhookUrlProblem(url, allow);
  if (problem !== undefined) throw new SettingsError('webhook_url', problem);
  if (secrets.length > 0) return;
  throw new SettingsError('webhook_secrets', 'must have at least one secret where webhook_url is set (REPO-200)');
}
