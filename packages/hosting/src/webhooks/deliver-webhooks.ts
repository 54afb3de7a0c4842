import type { Clock } from '@packhouse/base';
import { deliveredEvent, EventDeliveryError, pauseAfter } from '../events/deliver-events.ts';
import { WebhookError } from '../events/webhook-sink.ts';
import { within } from '../internal/within.ts';
import type { EventBody } from '../ports/on-event.ts';
import type { PostWebhook } from '../ports/post-webhook.ts';
import type {
  QueuedEvent,
  QueuedWebhook,
  WebhookDelivery,
  WebhookProgress,
  WebhookQueue,
  WebhookRecord,
} from '../ports/webhooks.ts';
import { isWanted } from './is-wanted.ts';

/** Parameters of a delivery to the webhooks of one repository. */
export interface WebhookDeliveries {
  readonly repoId: string;
  readonly queue: WebhookQueue;
  /** Looks up whether the repository is published. Events wait until it is. */
  readonly isPublished: () => Promise<boolean>;
  readonly post: PostWebhook;
  /** `eventTypePrefix` of the dialect. */
  readonly typePrefix: string;
  /** Milliseconds from the first failure of an event until one more failure stops its webhook. */
  readonly retryFor: number;
  readonly clock: Clock;
  /** Receives an error for each webhook that is stopped. */
  readonly report: (error: unknown) => void;
  /** Ends the delivery. An event whose attempt it aborts is delivered again later. */
  readonly signal: AbortSignal;
}

/** Events that a webhook gets before its progress is stored. After a crash, so many may be delivered twice. */
const batch = 16;
/** Milliseconds until a webhook that always has more events leaves its turn to other repositories. */
const turn = 10_000;
/** Milliseconds between two looks for new events while a slower webhook is at work. */
const lookPeriod = 500;
/** Milliseconds until the next look if the repository is not published yet. */
const publishPause = 1_000;
/** Milliseconds before `activeSince` whose events a webhook may get, since clocks of servers differ. */
const clockSlack = 10_000;

/**
 * Delivers due events of one repository to its webhooks and those of its namespace (REPO-377). Each webhook gets them in
 * order, and at its own pace. The caller must not run two deliveries for one repository at the same time.
 *
 * @returns when to call it again, in milliseconds since 1970. Undefined if no event waits.
 */
export async function deliverWebhooks(deliveries: WebhookDeliveries): Promise<number | undefined> {
  const { queue, clock, isPublished, signal } = deliveries;
  const work = await queue.webhookWork();
  if (work === undefined) return undefined;
  if (!work.isErased && !(await isPublished())) {
    const next = clock.now() + publishPause;
    await queue.delayWebhooks(next);
    return next;
  }
  const end = clock.now() + turn;
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const begin = (webhooks: readonly QueuedWebhook[], mayGoOn: () => boolean): void => {
    for (const queued of webhooks) {
      const { id } = queued.webhook;
      if (running.has(id) || queued.due > clock.now()) continue;
      const taken = takeTurn(deliveries, queued, () => !signal.aborted && mayGoOn())
        .catch((error: unknown) => failures.push(error))
        .then(() => void running.delete(id));
      running.set(id, taken);
    }
  };
  begin(work.webhooks, () => clock.now() < end);
  // While one of these is still at work, others get new events, so that a slow webhook delays no other.
  let isSlow = true;
  const first = Promise.all(running.values()).then(() => void (isSlow = false));
  for (;;) {
    await within(lookPeriod, first);
    if (!isSlow || signal.aborted || failures.length > 0) break;
    // What is read now of a webhook at work may be old once it has ended.
    const atWork = new Set(running.keys());
    const again = await queue.webhookWork().catch(() => undefined);
    begin(again?.webhooks.filter(({ webhook }) => !atWork.has(webhook.id)) ?? [], () => isSlow);
  }
  // All must have ended before the lease does, even if the storage failed for one of them.
  await Promise.all(running.values());
  if (failures.length > 0) throw failures[0];
  return queue.settleWebhooks([]);
}

/** Delivers events to one webhook, until it has caught up or failed. */
async function takeTurn(deliveries: WebhookDeliveries, queued: QueuedWebhook, mayGoOn: () => boolean): Promise<void> {
  let place: QueuedWebhook | undefined = queued;
  while (place !== undefined && mayGoOn()) {
    place = await advance(deliveries, place, mayGoOn);
    if (place !== undefined && place.attempts > 0) return;
  }
}

/**
 * Delivers one batch of events to one webhook, and stores its progress. Returns undefined if there are no more events, or
 * the webhook has changed.
 */
async function advance(
  deliveries: WebhookDeliveries,
  queued: QueuedWebhook,
  mayGoOn: () => boolean,
): Promise<QueuedWebhook | undefined> {
  const { queue } = deliveries;
  const { webhook } = queued;
  const events = await queue.webhookEvents(queued.position, batch);
  if (events.length === 0) return undefined;
  let progress: WebhookProgress = { ...placeOf(queued), id: webhook.id };
  for (const event of events) {
    if (!mayGoOn()) break;
    progress = await handOver(deliveries, queued, progress, event);
    if (progress.attempts > 0) break;
  }
  // The failure is that of the webhook before its change, so it neither delays nor stops the webhook (REPO-382).
  const isOutdated = progress.attempts > 0 && (await isChanged(queue, webhook));
  if (isOutdated) {
    const { stopped: _, ...kept } = progress;
    progress = { ...kept, attempts: 0, due: 0, failingSince: null };
  }
  await queue.settleWebhooks([progress]);
  if (progress.stopped !== undefined) deliveries.report(stopError(deliveries, progress));
  return isOutdated ? undefined : { webhook, ...placeOf(progress) };
}

/** Tests if a client has changed a webhook since it was read. */
async function isChanged(queue: WebhookQueue, { id, updatedAt }: WebhookRecord): Promise<boolean> {
  const work = await queue.webhookWork();
  return work?.webhooks.some(({ webhook }) => webhook.id === id && webhook.updatedAt !== updatedAt) === true;
}

function stopError({ repoId }: WebhookDeliveries, { id, stopped, lastDelivery }: WebhookProgress): EventDeliveryError {
  const cause = new Error(lastDelivery?.error ?? 'unknown reason');
  return new EventDeliveryError('warn', `webhook ${id} of repo ${repoId} is stopped, ${stopped}`, cause);
}

function placeOf({ position, attempts, due, failingSince }: WebhookProgress | QueuedWebhook) {
  return { position, attempts, due, failingSince };
}

/** Delivers one event, unless the webhook does not get it. Returns the progress after it, which has attempts if it failed. */
async function handOver(
  { post, typePrefix, clock, retryFor, signal }: WebhookDeliveries,
  { webhook }: QueuedWebhook,
  before: WebhookProgress,
  queued: QueuedEvent,
): Promise<WebhookProgress> {
  const passed = { ...before, position: queued.sequence, attempts: 0, due: 0, failingSince: null };
  if (queued.at < webhook.activeSince - clockSlack) return passed;
  const event = deliveredEvent(queued, webhook.id);
  if (!isWanted(webhook, event.type.slice(typePrefix.length), event.body)) return passed;
  const attempts = before.attempts + 1;
  const delivery = await deliverOnce(post, webhook, event, { clock, signal, attempts });
  if (delivery === undefined) return before;
  if (delivery.error === null) return { ...passed, lastDelivery: delivery };
  const now = clock.now();
  const failingSince = before.failingSince ?? now;
  const failed = { ...before, attempts, failingSince, due: now + pauseAfter(attempts), lastDelivery: delivery };
  return now - failingSince < retryFor ? failed : { ...failed, stopped: `an event failed ${attempts} times` };
}

/** Tries to deliver one event. Returns undefined if the signal ended the attempt. */
export async function deliverOnce(
  post: PostWebhook,
  { url, secret }: { readonly url: string; readonly secret: string },
  event: { readonly id: string; readonly type: string; readonly body: EventBody },
  { clock, signal, attempts }: { readonly clock: Clock; readonly signal: AbortSignal; readonly attempts: number },
): Promise<WebhookDelivery | undefined> {
  const made = { eventId: event.id, eventType: event.type, attempts };
  try {
    const status = await post({ url, secrets: [secret] }, event, signal);
    return { ...made, at: clock.now(), status, error: null };
  } catch (error) {
    if (signal.aborted) return undefined;
    const { reason, status = null } = error instanceof WebhookError ? error : { reason: 'failed' };
    return { ...made, at: clock.now(), status, error: `the receiver ${reason}`.slice(0, 200) };
  }
}
