import { fc, test } from '@fast-check/vitest';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { DeliveredEvent } from '../ports/on-event.ts';
import { webhookHeaders, webhookKey } from './webhook-headers.ts';
import { parseWebhookSecret } from '../settings/webhook-secret.ts';
import { webhookSink, type WebhookSinkOptions } from './webhook-sink.ts';

/** The example that Standard Webhooks tests its libraries with. */
const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const { secret } = published;
const older = `whsec_${Buffer.alloc(64, 7).toString('base64')}`;

const event: DeliveredEvent = {
  id: 'evt_1',
  type: 'repos.repo.cloned',
  body: {
    type: 'repos.repo.cloned',
    source: { type: 'repos.repo', namespace: 'n', repoName: 'r' },
    payload: {},
    metadata: {
      accountId: 'local',
      eventSubscriptionId: 'a'.repeat(16),
      eventSchemaVersion: 1,
      eventTimestamp: '2026-01-01T00:00:00.000Z',
    },
  },
};

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly redirect: string;
  readonly addresses: readonly string[] | undefined;
}

/** A sink whose network replies with `answer`, and records what was sent. */
function made(answer: () => Response | Promise<Response>, options: Partial<WebhookSinkOptions> = {}) {
  const sent: Sent[] = [];
  const sink = webhookSink({
    url: 'https://hooks.example/x?key=hidden',
    secrets: [secret],
    allow: [],
    clock: { now: () => Date.now() },
    agent: 'packhouse/1',
    outbound: {
      lookup: async (host) => (host === 'hooks.example' ? ['93.184.216.34'] : ['10.0.0.1']),
      async fetch(request, addresses) {
        const { url, headers, redirect } = request;
        sent.push({ url, headers: Object.fromEntries(headers), body: await request.text(), redirect, addresses });
        return answer();
      },
    },
    ...options,
  });
  return { sent, deliver: (signal = new AbortController().signal) => sink(event, signal) };
}

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('delivered'),
    (error: Error) => error,
  );

describe('REPO-200: signatures', () => {
  it('equal those of the published example', async () => {
    const key = await webhookKey(parseWebhookSecret(secret) as Uint8Array<ArrayBuffer>);
    const headers = await webhookHeaders([key], published.id, published.seconds, published.body);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'webhook-id': published.id,
      'webhook-timestamp': String(published.seconds),
      'webhook-signature': published.signature,
    });
  });

  test.prop([fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.string({ unit: 'binary' })])(
    'are valid for standardwebhooks with each of several secrets, for any body',
    async (bytes, text) => {
      const own = `whsec_${Buffer.from(bytes).toString('base64')}`;
      const body = JSON.stringify({ text });
      const keys = [own, older].map((one) => webhookKey(parseWebhookSecret(one) as Uint8Array<ArrayBuffer>));
      const headers = await webhookHeaders(await Promise.all(keys), 'evt', Math.floor(Date.now() / 1000), body);
      for (const one of [own, older]) expect(new Webhook(one).verify(body, { ...headers })).toEqual({ text });
      expect(() => new Webhook(secret).verify(body, { ...headers })).toThrow();
    },
  );

  it('require a key of 24 to 64 bytes in base64', () => {
    const of = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;
    expect([24, 25, 26, 64].map((bytes) => parseWebhookSecret(of(bytes))?.length)).toEqual([24, 25, 26, 64]);
    expect(parseWebhookSecret(of(25).replace(/=+$/, ''))?.length).toBe(25);
    for (const wrong of [
      of(23),
      of(65),
      'whsec_',
      secret.slice(6),
      `${secret}!`,
      `${secret}A`,
      `whsec_ ${secret.slice(6)}`,
    ])
      expect(parseWebhookSecret(wrong), wrong).toBeUndefined();
  });
});

describe('the webhook sink', () => {
  it('REPO-200: posts the unchanged body to an address that was checked', async () => {
    const { sent, deliver } = made(() => new Response('thanks'), { secrets: [secret, older] });
    await deliver();
    expect(sent).toHaveLength(1);
    const { headers, ...rest } = sent[0] as Sent;
    expect(rest).toEqual({
      url: 'https://hooks.example/x?key=hidden',
      body: JSON.stringify(event.body),
      redirect: 'manual',
      addresses: ['93.184.216.34'],
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'packhouse/1',
      'webhook-id': 'evt_1',
    });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(new Webhook(older).verify(rest.body, headers)).toEqual(event.body);
  });

  it.each([200, 201, 202, 204, 299])('REPO-201: takes %i as delivered', async (status) => {
    await made(() => new Response(null, { status: status === 299 ? 299 : status })).deliver();
  });

  it.each([301, 302, 307, 308, 400, 410, 429, 500, 503])('REPO-201: takes %i as not delivered', async (status) => {
    const headers = { location: 'https://hooks.example/other' };
    const { sent, deliver } = made(() => new Response(null, { status, headers }));
    expect(await failure(deliver())).toMatchObject({
      name: 'WebhookError',
      message: `the webhook sink answered ${status}`,
    });
    expect(sent).toHaveLength(1);
  });

  it('REPO-201: stops waiting for a response after `timeout`, and accepts one whose body does not end', async () => {
    const never = new Promise<Response>(() => {});
    const late = 'the webhook sink took longer than 0.02 s';
    expect((await failure(made(() => never, { timeout: 20 }).deliver())).message).toBe(late);
    const lookup = { lookup: () => new Promise<never>(() => {}), fetch: () => never };
    expect((await failure(made(() => never, { timeout: 20, outbound: lookup }).deliver())).message).toBe(late);
    const endless = new ReadableStream({ pull: () => new Promise(() => {}) });
    await made(() => new Response(endless), { timeout: 20 }).deliver();
  });

  it('fails a delivery when the caller aborts it', async () => {
    const controller = new AbortController();
    const delivery = made(() => new Promise<Response>(() => {})).deliver(controller.signal);
    controller.abort();
    expect(await failure(delivery)).toMatchObject({ name: 'WebhookError' });
  });

  it('REPO-201: reads a bounded part of an endless response body', async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(++pulled)),
      cancel: () => void (cancelled = true),
    });
    await made(() => new Response(endless)).deliver();
    expect([cancelled, pulled < 10]).toEqual([true, true]);
  });

  it('REPO-201, REPO-129: sends nothing to private addresses unless allowed, and its errors contain no URL', async () => {
    const inside = made(() => new Response(), { url: 'https://inside.example/x' });
    const refused = await failure(inside.deliver());
    expect(refused.message).toBe('the webhook sink is not sent to: the host has an address that is not public');
    expect(inside.sent).toEqual([]);
    const allowed = made(() => new Response(), { url: 'https://inside.example/x', allow: ['inside.example'] });
    await allowed.deliver();
    expect(allowed.sent[0]?.addresses).toBeUndefined();
    const broken = await failure(made(() => Promise.reject(new Error('ECONNREFUSED'))).deliver());
    expect(broken.message).toBe('the webhook sink cannot be reached');
    const reset = Object.assign(new Error('at https://hooks.example/x'), { code: 'ECONNRESET' });
    const named = await failure(made(() => Promise.reject(reset)).deliver());
    expect(named.message).toBe('the webhook sink cannot be reached (ECONNRESET)');
  });

  it.each([
    ['http://hooks.example/x', ['hooks.example'], false],
    ['http://localhost:8080/x', [], false],
    ['http://localhost:8080/x', ['localhost'], true],
    ['http://127.0.0.1:8080/x', ['localhost'], false],
    ['http://[::1]:8080/x', ['::1'], true],
    ['https://user:word@hooks.example/x', [], false],
    ['https://hooks.example/x#part', [], false],
    ['ftp://localhost/x', ['localhost'], false],
    ['hooks', [], false],
  ])('REPO-200: is at %s with %j: %s', (url, allow, fits) => {
    const start = (): unknown => made(() => new Response(), { url, allow });
    if (fits) expect(start).not.toThrow();
    else expect(start).toThrow(TypeError);
  });
});
