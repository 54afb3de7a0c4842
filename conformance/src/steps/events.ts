/** Events (section 11 of docs/specification/repositories.md), as the sink of the suite receives them. */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { assertSuccess } from './replies.ts';
import type { Context, TestRepo } from '../core/context.ts';
import type { Delivery } from '../core/event-sink.ts';
import { NotDone } from '../core/outcome.ts';
import { pathOf } from './content.ts';
import { same } from '../tools/same.ts';

/** The expected content of an event. */
export interface ExpectedEvent {
  /** The type without the prefix. */
  readonly name: string;
  readonly repo: { readonly namespace: string; readonly name: string };
  readonly payload: Readonly<Record<string, unknown>>;
  /** The id of the token that caused it (REPO-199), if there is one. */
  readonly tokenId?: string;
}

/** Milliseconds to wait for events. On a busy machine, a delivery that was refused may be late twice more. */
const patience = 75_000;
const accountWide = ['created', 'deleted', 'forked', 'imported', 'renamed', 'updated'];

export interface EventsOf {
  /** Default: the namespace of the case. */
  readonly namespace?: string;
  /** Default: the account of the target. */
  readonly account?: string;
}

/** Reads the events about a namespace in order. */
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

  /** All deliveries accepted so far, each event once. */
  get #taken(): readonly Delivery[] {
    const taken = this.#t.eventSink.deliveries(this.#namespace).filter(({ status }) => status < 300);
    return [...new Map(taken.map((delivery) => [delivery.headers['webhook-id'], delivery])).values()];
  }

  /**
   * Waits for the next events.
   *
   * @throws if they do not arrive in time.
   */
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

  /** Expects exactly these events next, signed, with all members of the specification and no others. */
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

/** Expects the headers of Standard Webhooks, with one signature per secret (REPO-200). */
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

/** Returns the repo object of events (REPO-193), built from the reply of REST. */
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

/** Returns the tokens of a repo, newest first, as `token.created` describes them. */
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
