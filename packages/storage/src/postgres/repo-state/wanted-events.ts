import type { PostgresDriver } from '@packhouse/base';
import { eventNames } from '@packhouse/hosting';
import { wantedBy, webhookOf, type WebhookRow } from '../../repo-state/webhook-row.ts';
import { readRows } from './repo-row.ts';

/** Selects the active webhooks that get events of the repository `$1`. */
export const heardWebhooks = `
  SELECT webhook.* FROM (
    SELECT account || '/' || lower(namespace COLLATE "C") AS owner
    FROM packhouse.repos WHERE id = $1
  ) AS place JOIN packhouse.webhooks AS webhook ON webhook.owner IN ($1, place.owner) AND webhook.active`;

/** Implements `WebhookQueue.wantedEvents` in one statement. */
export async function readWanted(driver: PostgresDriver, repo: string): Promise<readonly string[]> {
  const webhooks = await readRows<WebhookRow>(driver, repo, heardWebhooks);
  return wantedBy(webhooks.map(webhookOf), eventNames);
}
