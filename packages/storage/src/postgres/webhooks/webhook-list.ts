import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import { foldName, type WebhookChange, type WebhookList, type WebhookRecord } from '@packhouse/hosting';
import {
  changedWebhook,
  namespaceOwner,
  oldestWebhooks,
  wakes,
  webhookOf,
  webhookRow,
  type WebhookRow,
} from '../../repo-state/webhook-row.ts';

/** Selects the webhooks of the owner `$1`. */
export const ownWebhooks = 'SELECT * FROM packhouse.webhooks WHERE owner = $1';

export function webhooksOf(rows: readonly WebhookRow[]): readonly WebhookRecord[] {
  return oldestWebhooks(rows.map(webhookOf));
}

/** Adds a webhook. The caller has a lock that keeps two of these calls for one owner apart. */
export async function addWebhook(
  session: PostgresSession,
  owner: string,
  webhook: WebhookRecord,
  max: number,
): Promise<boolean> {
  const { id, active, stopped, record, delivery } = webhookRow(webhook);
  const added = await session.rows(
    `INSERT INTO packhouse.webhooks (owner, id, active, stopped, record, delivery)
     SELECT $1, $2, $3, $4, $5, $6
     WHERE (SELECT count(*) FROM packhouse.webhooks WHERE owner = $1 AND id <> $2) < $7
     ON CONFLICT (owner, id) DO UPDATE SET id = excluded.id RETURNING 1`,
    [owner, id, active, stopped, record, delivery, max],
  );
  return added.length > 0;
}

export async function changeWebhook(
  session: PostgresSession,
  owner: string,
  id: string,
  change: WebhookChange,
): Promise<WebhookRecord | undefined> {
  const [row] = await session.rows<WebhookRow>(`${ownWebhooks} AND id = $2 FOR UPDATE`, [owner, id]);
  if (row === undefined) return undefined;
  const webhook = changedWebhook(webhookOf(row), change);
  const { active, stopped, record, delivery } = webhookRow(webhook);
  void session.rows(
    'UPDATE packhouse.webhooks SET active = $2, stopped = $3, record = $4, delivery = $5 WHERE id = $1',
    [id, active, stopped, record, delivery],
  );
  if (wakes(change)) wake(session, id);
  if (!webhook.isActive) void session.rows('DELETE FROM packhouse.webhook_places WHERE webhook_id = $1', [id]);
  return webhook;
}

export async function removeWebhook(session: PostgresSession, owner: string, id: string): Promise<boolean> {
  const removed = await session.rows('DELETE FROM packhouse.webhooks WHERE owner = $1 AND id = $2 RETURNING 1', [
    owner,
    id,
  ]);
  if (removed.length === 0) return false;
  wake(session, id);
  void session.rows('DELETE FROM packhouse.webhook_places WHERE webhook_id = $1', [id]);
  return true;
}

/** Makes everything due that waits for a webhook, as if no delivery had failed. */
function wake(session: PostgresSession, id: string): void {
  void session.rows(
    `UPDATE packhouse.webhook_queues SET due = 0
     WHERE repo_id IN (SELECT repo_id FROM packhouse.webhook_places WHERE webhook_id = $1)`,
    [id],
  );
  void session.rows(
    `UPDATE packhouse.webhook_places SET attempts = 0, due = 0, failing_since = NULL
     WHERE webhook_id = $1 AND attempts > 0`,
    [id],
  );
}

/**
 * Opens the webhooks of a namespace. The lock of the row of the namespace keeps additions apart, and a deletion away.
 *
 * @param changed called when something may have become due.
 */
export function postgresNamespaceWebhooks(
  driver: PostgresDriver,
  account: string,
  namespace: string,
  changed: () => void,
): WebhookList {
  const owner = namespaceOwner(account, namespace);
  return {
    webhooks: async () => webhooksOf(await driver.rows<WebhookRow>(ownWebhooks, [owner])),
    addWebhook: (webhook, max) =>
      driver.transaction(async (session) => {
        const [found] = await session.rows(
          'SELECT 1 FROM packhouse.catalog_namespaces WHERE account = $1 AND folded = $2 FOR NO KEY UPDATE',
          [account, foldName(namespace)],
        );
        return found !== undefined && addWebhook(session, owner, webhook, max);
      }),
    async changeWebhook(id, change) {
      const webhook = await driver.transaction((session) => changeWebhook(session, owner, id, change));
      changed();
      return webhook;
    },
    async removeWebhook(id) {
      const isRemoved = await driver.transaction((session) => removeWebhook(session, owner, id));
      changed();
      return isRemoved;
    },
  };
}
