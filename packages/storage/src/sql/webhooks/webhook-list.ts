import { durablePort, type SqlDriver } from '@packhouse/base';
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

/** Webhooks of one owner in SQL, without transactions. */
export class SqlWebhookList {
  readonly #driver: SqlDriver;
  readonly #owner: string;

  constructor(driver: SqlDriver, owner: string) {
    this.#driver = driver;
    this.#owner = owner;
  }

  list(): readonly WebhookRecord[] {
    return oldestWebhooks(
      this.#driver.all<WebhookRow>('SELECT * FROM webhooks WHERE owner = ?', this.#owner).map(webhookOf),
    );
  }

  add(webhook: WebhookRecord, max: number): boolean {
    const others = this.list();
    if (others.some(({ id }) => id === webhook.id)) return true;
    if (others.length >= max) return false;
    this.#write(webhook);
    return true;
  }

  change(id: string, change: WebhookChange): WebhookRecord | undefined {
    const webhook = this.list().find((one) => one.id === id);
    if (webhook === undefined) return undefined;
    const changed = changedWebhook(webhook, change);
    this.#write(changed);
    if (wakes(change)) this.#wake(id);
    if (!changed.isActive) this.#driver.run('DELETE FROM webhook_places WHERE webhook_id = ?', id);
    return changed;
  }

  remove(id: string): boolean {
    if (this.#driver.run('DELETE FROM webhooks WHERE owner = ? AND id = ?', this.#owner, id) === 0) return false;
    this.#wake(id);
    this.#driver.run('DELETE FROM webhook_places WHERE webhook_id = ?', id);
    return true;
  }

  #write(webhook: WebhookRecord): void {
    const { id, active, stopped, record, delivery } = webhookRow(webhook);
    this.#driver.run(
      'INSERT OR REPLACE INTO webhooks (owner, id, active, stopped, record, delivery) VALUES (?, ?, ?, ?, ?, ?)',
      this.#owner,
      id,
      active === true ? 1 : 0,
      stopped,
      record,
      delivery,
    );
  }

  /** Makes everything due that waits for a webhook, as if no delivery had failed. */
  #wake(id: string): void {
    this.#driver.run(
      'UPDATE webhook_queues SET due = 0 WHERE repo_id IN (SELECT repo_id FROM webhook_places WHERE webhook_id = ?)',
      id,
    );
    this.#driver.run(
      'UPDATE webhook_places SET attempts = 0, due = 0, failing_since = NULL WHERE webhook_id = ? AND attempts > 0',
      id,
    );
  }
}

/**
 * Opens the webhooks of a namespace, in the database of its repositories.
 *
 * @param changed called when something may have become due.
 */
export function sqlNamespaceWebhooks(
  driver: SqlDriver,
  account: string,
  namespace: string,
  changed: () => void,
): WebhookList {
  const list = new SqlWebhookList(driver, namespaceOwner(account, namespace));
  const exists = (): boolean =>
    driver.all('SELECT 1 FROM catalog_namespaces WHERE account = ? AND folded = ?', account, foldName(namespace))
      .length > 0;
  const port: WebhookList = {
    webhooks: async () => list.list(),
    addWebhook: async (webhook, max) => driver.transaction(() => exists() && list.add(webhook, max)),
    async changeWebhook(id, change) {
      const webhook = driver.transaction(() => list.change(id, change));
      changed();
      return webhook;
    },
    async removeWebhook(id) {
      const isRemoved = driver.transaction(() => list.remove(id));
      changed();
      return isRemoved;
    },
  };
  return durablePort(port, driver);
}
