import { RepoGoneError, WorkAbortedError } from '@packhouse/git';
import { HostingError, isoTime, type RawFields } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { findReadyRepo } from '../lookup/find-repo.ts';
import type { EventBody } from '../ports/on-event.ts';
import type { WebhookChange, WebhookList, WebhookRecord } from '../ports/webhooks.ts';
import { deliverOnce } from './deliver-webhooks.ts';
import { readWebhook } from './read-webhook.ts';
import {
  toDeliveryInfo,
  toWebhookInfo,
  type WebhookDeliveryInfo,
  type WebhookInfo,
  type WebhookWithSecret,
} from './webhook-info.ts';

/** The owner of webhooks: a namespace, or one repo of it. */
export interface WebhookOwner {
  readonly account: string;
  readonly namespace: string;
  /** Undefined for all repos of the namespace. */
  readonly repo: string | undefined;
  /** Ids of the only repos that the caller may reach (REPO-365). Default: all. */
  readonly within?: readonly string[] | undefined;
}

/** Webhooks of repos and namespaces (REPO-375). Methods throw {@link HostingError} for errors that clients may see. */
export interface Webhooks {
  /** Members of `body`: `url`, `events`, `refs`, `active`, `secret`. The secret is shown only here. */
  create(owner: WebhookOwner, body: RawFields): Promise<WebhookWithSecret>;
  /** Oldest first. */
  list(owner: WebhookOwner): Promise<readonly WebhookInfo[]>;
  get(owner: WebhookOwner, id: string): Promise<WebhookInfo>;
  /** Members of `body`: those of `create`. Absent ones stay. */
  update(owner: WebhookOwner, id: string, body: RawFields): Promise<WebhookInfo>;
  delete(owner: WebhookOwner, id: string): Promise<void>;
  /** Sends a `ping` event at once, and returns what became of it (REPO-381). */
  ping(owner: WebhookOwner, id: string, signal?: AbortSignal): Promise<WebhookDeliveryInfo>;
}

/** Webhooks of one owner (LIM-100). */
const webhooksMax = 20;

export function createWebhooks(context: Context): Webhooks {
  const { settings, clock, ids, catalog, storage, dialect, postWebhook } = context;

  /** Finds the list of an owner, and runs `work` on it. */
  const visit = async <Result>(
    { account, namespace, repo, within }: WebhookOwner,
    work: (list: WebhookList, stored: { readonly namespace: string; readonly repoName: string }) => Promise<Result>,
  ): Promise<Result> => {
    if (repo === undefined) {
      const found = await catalog(account).namespace(namespace);
      if (found === undefined) throw new HostingError('namespaceNotFound');
      const list = storage.namespaceWebhooks?.(account, found.name);
      if (list === undefined) throw unavailable('Namespaces have no webhooks on this service');
      return work(list, { namespace: found.name, repoName: '' });
    }
    const record = await findReadyRepo(context, account, namespace, repo, within);
    try {
      const { state } = storage.repo(account, record.id, record.jurisdiction);
      return await work(state, { namespace: record.namespace, repoName: record.name });
    } catch (error) {
      throw error instanceof RepoGoneError ? new HostingError('repoNotFound') : error;
    }
  };
  const find = async (list: WebhookList, id: string): Promise<WebhookRecord> => {
    const found = (await list.webhooks()).find((webhook) => webhook.id === id);
    if (found === undefined) throw new HostingError('webhookNotFound');
    return found;
  };

  return {
    async create(owner, body) {
      if (postWebhook === undefined) throw unavailable('This service sends no webhooks');
      const {
        url = '',
        events = null,
        refs = null,
        isActive = true,
        secret,
      } = await readWebhook(body, settings.user_webhook_allow, true);
      const now = clock.now();
      const webhook: WebhookRecord = {
        id: ids.id(),
        url,
        events,
        refs,
        secret: secret ?? `whsec_${btoa(ids.secret())}`,
        createdAt: now,
        updatedAt: now,
        activeSince: now,
        isActive,
        stopped: null,
        lastDelivery: null,
      };
      const isAdded = await visit(owner, (list) => list.addWebhook(webhook, webhooksMax));
      if (!isAdded) throw unavailable(`Too many webhooks: at most ${webhooksMax} for a namespace or a repository`);
      return { ...toWebhookInfo(webhook), secret: webhook.secret };
    },

    list: async (owner) => (await visit(owner, (list) => list.webhooks())).map(toWebhookInfo),

    get: async (owner, id) => toWebhookInfo(await visit(owner, (list) => find(list, id))),

    async update(owner, id, body) {
      const fields = await readWebhook(body, settings.user_webhook_allow, false);
      const now = clock.now();
      const changed = await visit(owner, async (list) => {
        const { isActive } = await find(list, id);
        const starts = fields.isActive === true && !isActive;
        const change: WebhookChange = {
          ...fields,
          updatedAt: now,
          ...(starts ? { activeSince: now } : {}),
          // The client decides from now on.
          ...(fields.isActive === undefined ? {} : { stopped: null }),
        };
        return list.changeWebhook(id, change);
      });
      if (changed === undefined) throw new HostingError('webhookNotFound');
      return toWebhookInfo(changed);
    },

    async delete(owner, id) {
      const isRemoved = await visit(owner, (list) => list.removeWebhook(id));
      if (!isRemoved) throw new HostingError('webhookNotFound');
    },

    async ping(owner, id, signal = new AbortController().signal) {
      if (postWebhook === undefined) throw unavailable('This service sends no webhooks');
      return visit(owner, async (list, source) => {
        const webhook = await find(list, id);
        const type = `${dialect.eventTypePrefix}ping`;
        const { account: ofAccount, repo: ofRepo } = dialect.eventSources;
        const body: EventBody = {
          type,
          source: { type: owner.repo === undefined ? ofAccount : ofRepo, ...source },
          payload: { webhookId: id },
          metadata: {
            accountId: owner.account,
            eventSubscriptionId: id,
            eventSchemaVersion: 1,
            eventTimestamp: isoTime(clock.now()),
          },
        };
        const event = { id: ids.id(), type, body };
        const delivery = await deliverOnce(postWebhook, webhook, event, { clock, signal, attempts: 1 });
        if (delivery === undefined) throw new WorkAbortedError();
        await list.changeWebhook(id, { lastDelivery: delivery });
        return toDeliveryInfo(delivery);
      });
    },
  };
}

function unavailable(text: string): HostingError {
  return new HostingError('invalidInput', { text });
}
