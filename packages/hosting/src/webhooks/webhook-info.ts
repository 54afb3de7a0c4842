import { isoTime } from '@packhouse/base';
import type { WebhookDelivery, WebhookRecord } from '../ports/webhooks.ts';

/** A webhook in the form of REST (REPO-376). */
export interface WebhookInfo {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[] | null;
  readonly refs: readonly string[] | null;
  readonly active: boolean;
  readonly stopped_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_delivery: WebhookDeliveryInfo | null;
}

export interface WebhookDeliveryInfo {
  readonly event_id: string;
  readonly event_type: string;
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly attempts: number;
}

/** A new webhook. */
export interface WebhookWithSecret extends WebhookInfo {
  readonly secret: string;
}

export function toWebhookInfo(webhook: WebhookRecord): WebhookInfo {
  const { id, url, events, refs, isActive, stopped, createdAt, updatedAt, lastDelivery } = webhook;
  return {
    id,
    url,
    events,
    refs,
    active: isActive,
    stopped_reason: stopped,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    last_delivery: lastDelivery && toDeliveryInfo(lastDelivery),
  };
}

export function toDeliveryInfo({ eventId, eventType, at, ...result }: WebhookDelivery): WebhookDeliveryInfo {
  return { event_id: eventId, event_type: eventType, at: isoTime(at), ...result };
}
