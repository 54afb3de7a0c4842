/** Events (section 11 of docs/specification/repositories.md), as they come to the sink of the suite. */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { assertSuccess } from './replies.ts';
import type { Context, TestRepo } from '../core/context.ts';
import type { Delivery } from '../core/event-sink.ts';
import { NotDone } from '../core/outcome.ts';
import { pathOf } from './content.ts';
import { same } from '../tools/same.ts';

/** What an event is to tell. */
export interface ExpectedEvent {
  /** Without the prefix. */
  readonly name: string;
  readonly repo: { readonly namespace: string; readonly name: string };
  readonly payload: Readonly<Record<string, unknown>>;
  /** Id of the token behind it (REPO-199), if it has one. */
  readonly tokenId?: string;
}

/** Milliseconds that events may take to come: on a busy machine, one that was refused may be late twice more. */
const patience = 75_000;
const accountWide = ['created', 'deleted', 'forked', 'imported'];

export interface EventsOf {
  /** Default: that of the case. */
  readonly namespace?: string;
  /** Default: that of the target. */
  readonly account?: string;
}

/** The events about a namespace, one after the other. */
export class EventLog {
  readonly #t: Context;
  readonly #namespace: string;
  readonly #account: string;
  #seen = 0;

  constructor(t: Context, { namespace = t.namespace, account = t.account }: EventsOf = {}) {
    this.#t = t;
    this.#namespace = namespace;
    this.#account = account;
  }

  /** What was taken of it until now, each event once. */
  get #taken(): readonly Delivery[] {
    const taken = this.#t.eventSink.deliveries(this.#namespace).filter(({ status }) => status < 300);
    return [...new Map(taken.map((delivery) => [delivery.headers['webhook-id'], delivery])).values()];
  }

  /** Waits for the next ones. @throws if they do not come. */
  async next(count: number, what: string): Promise<readonly Delivery[]> {
    const from = this.#seen;
    for (const end = Date.now() + patience; this.#taken.length < from + count; await wait(10)) {
      const came = this.#taken.length - from;
      if (Date.now() > end) {
        const all = this.#t.eventSink.deliveries(this.#namespace);
        const shown = all.map(({ headers, event, status }) => `${headers['webhook-id']} ${event.type}: ${status}`);
        throw new NotDone(`${what}: ${came} of ${count} events came in time; all so far:\n${shown.join('\n')}`);
      }
    }
    this.#seen += count;
    return this.#taken.slice(from, from + count);
  }

  /** Expects that just these come next, signed, with all members that the specification has and no others. */
  async expect(what: string, ...expected: readonly ExpectedEvent[]): Promise<readonly Delivery[]> {
    const deliveries = await this.next(expected.length, what);
    const { prefix, account, repo } = this.#t.dialect.events;
    deliveries.forEach((delivery, i) => {
      expectSigned(this.#t, delivery);
      const { event } = delivery;
      const { name, repo: about, payload, tokenId } = expected[i] as ExpectedEvent;
      const { eventSubscriptionId, eventTimestamp } = event.metadata;
      assert.match(String(eventSubscriptionId), /^[0-9a-z]{16}$/, `${what}: eventSubscriptionId`);
      assert.match(String(eventTimestamp), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, `${what}: eventTimestamp`);
      const wanted = {
        type: `${prefix}${name}`,
        source: { type: accountWide.includes(name) ? account : repo, namespace: about.namespace, repoName: about.name },
        payload,
        metadata: {
          accountId: this.#account,
          eventSubscriptionId,
          eventSchemaVersion: 1,
          eventTimestamp,
          ...(tokenId === undefined ? {} : { tokenId }),
        },
      };
      same(event, wanted, `${what}: event ${i + 1} of ${expected.length}.`);
    });
    return deliveries;
  }
}

/** Expects the headers of Standard Webhooks, with one signature for each secret (REPO-200). */
export function expectSigned({ eventSink }: Context, { headers, text }: Delivery): void {
  same([headers[':method'], headers['content-type']], ['POST', 'application/json'], 'Method and type of a delivery.');
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '', 'webhook-signature': signature } = headers;
  assert.notEqual(id, '', 'webhook-id');
  const age = Date.now() / 1000 - Number(seconds);
  assert.ok(/^\d+$/.test(seconds) && age > -5 && age < 300, `webhook-timestamp: ${seconds}`);
  const signatures = eventSink.secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')}`;
  });
  same(signature?.split(' '), signatures, 'The signatures of a delivery.');
}

/** What events say of a repo (REPO-193): what REST says of it. */
export async function repoPayload(
  t: Context,
  repo: Pick<TestRepo, 'namespace' | 'name'>,
): Promise<Record<string, unknown>> {
  const info = assertSuccess(await t.rest('GET', pathOf(repo)), 200, `GET of ${repo.name}`);
  return {
    repoId: info.id,
    defaultBranch: info.default_branch,
    description: info.description,
    readOnly: info.read_only,
    createdAt: info.created_at,
    updatedAt: info.updated_at,
    lastPushAt: info.last_push_at,
  };
}

/** The tokens of a repo, newest first, as `token.created` tells of them. */
export async function tokenPayloads(
  t: Context,
  repo: Pick<TestRepo, 'namespace' | 'name'>,
): Promise<readonly TokenPayload[]> {
  const tokens = assertSuccess(await t.rest('GET', `${pathOf(repo)}/tokens?state=all`), 200, 'the list of tokens');
  return tokens.map((token: Record<string, string>) => ({
    tokenId: token['id'] ?? '',
    scope: token['scope'],
    expiresAt: token['expires_at'],
  }));
}

export interface TokenPayload extends Readonly<Record<string, unknown>> {
  readonly tokenId: string;
}
