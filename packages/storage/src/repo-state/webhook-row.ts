import { foldName, type WebhookChange, type WebhookDelivery, type WebhookRecord } from '@packhouse/hosting';

/** A row of a table of webhooks. What SQL does not read is JSON. */
export interface WebhookRow {
  readonly id: string;
  readonly active: number | boolean;
  readonly stopped: string | null;
  readonly record: string;
  readonly delivery: string | null;
}

/** Returns the owner of the webhooks of a namespace. That of a repository's own ones is its id, which has no slash. */
export function namespaceOwner(account: string, namespace: string): string {
  return `${account}/${foldName(namespace)}`;
}

export function webhookOf({ active, stopped, record, delivery }: WebhookRow): WebhookRecord {
  const stored = JSON.parse(record) as Omit<WebhookRecord, 'isActive' | 'stopped' | 'lastDelivery'>;
  const lastDelivery = delivery === null ? null : (JSON.parse(delivery) as WebhookDelivery);
  return { ...stored, isActive: active === true || active === 1, stopped, lastDelivery };
}

export function webhookRow({ isActive, stopped, lastDelivery, ...stored }: WebhookRecord): WebhookRow {
  const delivery = lastDelivery === null ? null : JSON.stringify(lastDelivery);
  return { id: stored.id, active: isActive, stopped, record: JSON.stringify(stored), delivery };
}

/** Returns the webhooks of a list in the order of the port. */
export function oldestWebhooks(webhooks: readonly WebhookRecord[]): readonly WebhookRecord[] {
  return webhooks.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

/** Returns the names of the events that at least one active webhook gets. */
export function wantedBy(webhooks: readonly WebhookRecord[], all: readonly string[]): readonly string[] {
  const active = webhooks.filter(({ isActive }) => isActive);
  return all.filter((name) => active.some(({ events }) => events === null || events.includes(name)));
}

/** Applies a change. Members that are undefined stay. */
export function changedWebhook(webhook: WebhookRecord, change: WebhookChange): WebhookRecord {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...webhook, ...Object.fromEntries(given) };
}

/** Tests if a change makes deliveries due at once. The outcome of a `ping` does not. */
export function wakes(change: WebhookChange): boolean {
  return Object.keys(change).some((member) => member !== 'lastDelivery');
}
