import type { Dialect } from '../dialect/dialect.ts';
import { type Clock, SettingsError } from '@packhouse/base';
import type { OnEvent } from '../ports/on-event.ts';
import type { Outbound } from '../ports/outbound.ts';
import type { Settings } from '../settings/settings.ts';
import { version } from '../outbound/version.ts';
import { webhookSink, type PostWebhookOptions } from './webhook-sink.ts';

/**
 * Creates the sink of the setting `webhook_url`. Without a URL, a sink that does nothing lets events be recorded and
 * kept for `events_kept`. If that is 0, too, returns undefined, and no event is recorded.
 *
 * @throws {SettingsError} if there is a URL but no `outbound`.
 */
export function configuredSink(
  { webhook_url: url, webhook_secrets: secrets, webhook_allow: allow, events_kept: kept }: Settings,
  parts: { readonly outbound: Outbound | undefined; readonly dialect: Dialect; readonly clock: Clock },
): OnEvent | undefined {
  if (url === null) return kept > 0 ? async () => {} : undefined;
  const options = postOptions(allow, parts);
  if (options === undefined) throw new SettingsError('webhook_url', 'must be null where nothing can be reached');
  return webhookSink({ url, secrets, ...options });
}

/** Returns what all webhooks are sent with; undefined without `outbound`. */
export function postOptions(
  allow: readonly string[],
  {
    outbound,
    dialect,
    clock,
  }: { readonly outbound: Outbound | undefined; readonly dialect: Dialect; readonly clock: Clock },
): PostWebhookOptions | undefined {
  return outbound && { allow, outbound, clock, agent: dialect.agent.replace('{version}', version) };
}
