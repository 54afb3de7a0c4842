import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventNames } from '../../events/make-event.ts';
import { WebhookError } from '../../events/webhook-sink.ts';
import type { PostWebhook } from '../../ports/post-webhook.ts';
import { queueBytesMax } from '../../ports/outbox.ts';
import type { WebhookDelivery, WebhookList, WebhookPlace } from '../../ports/webhooks.ts';
import type { WorkStorage } from '../../ports/work-leases.ts';
import { deliverWebhooks } from '../../webhooks/deliver-webhooks.ts';
import { change, hashOf, sampleHead, sampleRepoId, sampleToken, update } from '../repo-state/samples.ts';
import { testRandomDeliveries } from './random.ts';
import { begunRepo, sampleDeliveries, samplePushed, sampleWebhook } from './samples.ts';

/** Storage for one test. */
export interface WebhooksFixture {
  /** Opens the storage. Each call may return another connection. */
  open(): WorkStorage;
  /** Returns the ids of repositories with events for webhooks that are due at `now`. */
  due(now: number): Promise<readonly string[]>;
  close(): void | Promise<void>;
}

const place = (position: number, part: Partial<WebhookPlace> = {}): WebhookPlace => ({
  position,
  attempts: 0,
  due: 0,
  failingSince: null,
  ...part,
});

const delivery: WebhookDelivery = {
  eventId: 'e1',
  eventType: 'repos.repo.pushed',
  at: 5,
  status: 204,
  error: null,
  attempts: 1,
};

/** Tests an adapter against the contract of `WebhookList` and `WebhookQueue`. */
export function testWebhooks(adapter: string, make: () => WebhooksFixture | Promise<WebhooksFixture>): void {
  describe(`webhooks: ${adapter}`, () => {
    let fixture: WebhooksFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const begun = () => begunRepo(fixture.open());
    const inNamespace = (): WebhookList => {
      const list = fixture.open().repos.namespaceWebhooks?.('a1', 'dEFAULT');
      if (list === undefined) throw new Error('the storage has no webhooks of namespaces');
      return list;
    };
    const ids = async (list: WebhookList): Promise<readonly string[]> => (await list.webhooks()).map(({ id }) => id);

    it.each([
      ['a repository', async () => (await begun()).open()],
      ['a namespace', async () => begun().then(inNamespace)],
    ])('REPO-375: keeps the webhooks of %s, at most as many as allowed', async (_, openList) => {
      const list = await openList();
      const first = sampleWebhook('w1', { events: ['pushed'], refs: ['refs/heads/*'] });
      expect(await list.addWebhook(sampleWebhook('w2', { createdAt: 2_000 }), 2)).toBe(true);
      expect(await list.addWebhook(first, 2)).toBe(true);
      expect(await list.addWebhook(first, 2)).toBe(true);
      expect(await list.addWebhook(sampleWebhook('w3'), 2)).toBe(false);
      expect(await list.webhooks()).toEqual([first, sampleWebhook('w2', { createdAt: 2_000 })]);
      const changed = { ...first, url: 'https://other.example/', isActive: false, lastDelivery: delivery };
      const { id: _id, createdAt: _createdAt, ...members } = changed;
      expect(await list.changeWebhook('w1', members)).toEqual(changed);
      expect((await list.webhooks())[0]).toEqual(changed);
      expect(await list.changeWebhook('w9', { url: 'x' })).toBeUndefined();
      expect([await list.removeWebhook('w1'), await list.removeWebhook('w1')]).toEqual([true, false]);
      expect(await ids(list)).toEqual(['w2']);
    });

    it('REPO-375: forgets those of a deleted namespace, and adds none to a missing one', async () => {
      const { catalog, repos } = fixture.open();
      await catalog('a1').createNamespace('empty', 'unrestricted', 1);
      const list = repos.namespaceWebhooks?.('a1', 'empty') as WebhookList;
      await list.addWebhook(sampleWebhook('w1'), 9);
      expect(await catalog('a1').deleteNamespace('Empty', 9)).toBe('deleted');
      expect(await ids(list)).toEqual([]);
      expect(await list.addWebhook(sampleWebhook('w2'), 9)).toBe(false);
    });

    it('REPO-377: records no event without an active webhook, and says which events are wanted', async () => {
      const { open } = await begun();
      const push = (id: string, n: number) =>
        open().commit(change([{ ...update(`refs/heads/b${n}`, null, n), event: samplePushed(id) }]));
      await push('e1', 1);
      expect([await open().webhookWork(), await open().wantedEvents()]).toEqual([undefined, []]);
      await open().addWebhook(sampleWebhook('w1', { events: ['pushed', 'cloned'] }), 9);
      await inNamespace().addWebhook(sampleWebhook('w2', { events: ['deleted'] }), 9);
      await inNamespace().addWebhook(sampleWebhook('w3', { isActive: false }), 9);
      expect(await open().wantedEvents()).toEqual(['deleted', 'pushed', 'cloned']);
      expect(await open().open(hashOf('t1'))).toMatchObject({ wanted: ['deleted', 'pushed', 'cloned'] });
      await push('e2', 2);
      await open().record(samplePushed('e3'));
      expect((await open().webhookEvents(0, 9)).map(({ id }) => id)).toEqual(['e2', 'e3']);
      expect(await open().pendingEvents(9)).toMatchObject({ events: [] });
      expect(await open().webhookWork()).toMatchObject({
        isErased: false,
        webhooks: expect.arrayContaining([
          expect.objectContaining({ webhook: expect.objectContaining({ id: 'w1' }) as unknown, ...place(0) }),
          expect.objectContaining({ webhook: expect.objectContaining({ id: 'w2' }) as unknown, ...place(0) }),
        ]) as unknown,
      });
      await inNamespace().changeWebhook('w3', { isActive: true });
      expect(await open().wantedEvents()).toEqual(eventNames);
    });

    it('REPO-377: an event for the listener of the service goes to webhooks, too', async () => {
      const { open } = await begun();
      await open().addWebhook(sampleWebhook('w1'), 9);
      const { webhooksOnly: _, ...event } = samplePushed('e1');
      await open().record(event);
      expect((await open().pendingEvents(9)).events.map(({ id }) => id)).toEqual(['e1']);
      expect((await open().webhookEvents(0, 9)).map(({ id }) => id)).toEqual(['e1']);
    });

    it('REPO-377: keeps an event until each active webhook has passed it, and the queue of a slow one alone', async () => {
      const { id, open } = await begun();
      await open().addWebhook(sampleWebhook('w1'), 9);
      await inNamespace().addWebhook(sampleWebhook('w2'), 9);
      for (const event of ['e1', 'e2']) await open().record(samplePushed(event));
      expect([await fixture.due(999), await fixture.due(1_000)]).toEqual([[], [id]]);
      const [first, second] = (await open().webhookEvents(0, 9)).map(({ sequence }) => sequence) as [number, number];
      expect(await open().settleWebhooks([{ id: 'w1', ...place(second), lastDelivery: delivery }])).toBe(0);
      expect(await open().webhookEvents(0, 9)).toHaveLength(2);
      const failed = place(first, { attempts: 3, due: 9_000, failingSince: 70 });
      expect(await open().settleWebhooks([{ id: 'w2', ...failed }])).toBe(9_000);
      expect([await fixture.due(8_999), await fixture.due(9_000)]).toEqual([[], [id]]);
      expect((await open().webhookEvents(0, 9)).map((event) => event.id)).toEqual(['e2']);
      expect((await open().webhookWork())?.webhooks).toEqual(
        expect.arrayContaining([
          { webhook: sampleWebhook('w1', { lastDelivery: delivery }), ...place(second) },
          { webhook: sampleWebhook('w2'), ...failed },
        ]),
      );
      // A change makes it due at once; what became of a ping does not.
      await inNamespace().changeWebhook('w2', { lastDelivery: delivery });
      expect(await fixture.due(8_999)).toEqual([]);
      await inNamespace().changeWebhook('w2', { url: 'https://other.example/' });
      expect(await fixture.due(0)).toEqual([id]);
      expect((await open().webhookWork())?.webhooks).toContainEqual(
        expect.objectContaining({ ...place(first), webhook: expect.objectContaining({ id: 'w2' }) as unknown }),
      );
      expect(await open().settleWebhooks([{ id: 'w2', ...place(second) }])).toBeUndefined();
      expect([await open().webhookWork(), await open().webhookEvents(0, 9)]).toEqual([undefined, []]);
      // A late report of progress does not hide an event that came afterwards.
      await open().settleWebhooks([{ id: 'w1', ...place(second) }]);
      await open().record(samplePushed('e3'));
      const [third] = await open().webhookEvents(0, 9);
      expect(third?.sequence).toBeGreaterThan(second);
    });

    it('REPO-379, LIM-102: stops a webhook with its reason, and only one that lets too many bytes wait', async () => {
      const { open } = await begun();
      for (const webhook of ['w1', 'w2', 'w3']) await open().addWebhook(sampleWebhook(webhook), 9);
      await open().record(samplePushed('e0'));
      await open().settleWebhooks([{ id: 'w1', ...place(0), stopped: 'an event failed 9 times' }]);
      const big = 900_000;
      for (let n = 1; n * big <= queueBytesMax + big; n++) {
        await open().record({ ...samplePushed(`e${n}`), body: JSON.stringify('x'.repeat(big)) });
      }
      const [first, none] = await open().webhookEvents(0, 2);
      expect(none).toBeUndefined();
      const [second] = await open().webhookEvents(first?.sequence ?? 0, 2);
      expect(await open().settleWebhooks([{ id: 'w2', ...place(second?.sequence ?? 0) }])).toBe(0);
      expect((await open().webhookEvents(0, 1))[0]?.id).toBe('e2');
      expect((await open().webhooks()).map(({ id, isActive, stopped }) => [id, isActive, stopped])).toEqual([
        ['w1', false, 'an event failed 9 times'],
        ['w2', true, null],
        ['w3', false, 'too many events wait'],
      ]);
      expect(await open().settleWebhooks([{ id: 'w2', ...place(Number.MAX_SAFE_INTEGER) }])).toBeUndefined();
    });

    it('REPO-382: a change during an attempt that fails makes the next one due at once, and keeps the webhook active', async () => {
      const { id, open } = await begun();
      await open().addWebhook(sampleWebhook('w1'), 9);
      await open().record(samplePushed('e1'));
      const urls: string[] = [];
      const post: PostWebhook = async ({ url }) => {
        urls.push(url);
        if (urls.length > 1) return 204;
        await open().changeWebhook('w1', { url: 'https://other.example/', updatedAt: 2_000 });
        throw new WebhookError('answered 500', { status: 500 });
      };
      const clock = { now: () => 3_000 };
      const deliver = () => deliverWebhooks(sampleDeliveries({ repoId: id, queue: open(), post, retryFor: 0, clock }));
      expect([await deliver(), await deliver()]).toEqual([0, undefined]);
      expect(urls).toEqual(['https://hooks.example/w1', 'https://other.example/']);
    });

    it('REPO-377: an inactive or removed webhook holds nothing back, and begins again without failures', async () => {
      const { open } = await begun();
      for (const webhook of ['w1', 'w2']) await open().addWebhook(sampleWebhook(webhook), 9);
      await open().record(samplePushed('e1'));
      const failed = place(0, { attempts: 1, due: 9_000, failingSince: 1 });
      await open().settleWebhooks(['w1', 'w2'].map((id) => ({ id, ...failed })));
      await open().changeWebhook('w1', { isActive: false });
      expect(await open().settleWebhooks([])).toBe(9_000);
      expect(await open().removeWebhook('w2')).toBe(true);
      expect(await fixture.due(0)).toHaveLength(1);
      expect(await open().settleWebhooks([])).toBeUndefined();
      await open().changeWebhook('w1', { isActive: true });
      await open().record(samplePushed('e2'));
      expect((await open().webhookWork())?.webhooks).toMatchObject([place(0)]);
    });

    it('REPO-377: first events come before those that were recorded meanwhile; delays are kept', async () => {
      const { repos } = fixture.open();
      await begun();
      await inNamespace().addWebhook(sampleWebhook('w1'), 9);
      const id = sampleRepoId();
      const open = () => repos.repo('a1', id, 'unrestricted').state;
      await open().begin({ ...sampleHead(id), namespace: 'Default', status: 'importing' }, sampleToken('t1'));
      await open().record(samplePushed('revoked'));
      const births = [samplePushed('imported'), samplePushed('created')];
      await open().setStatus('ready', 'main', births);
      await open().setStatus('ready', 'main', births);
      expect((await open().webhookEvents(0, 9)).map((event) => event.id)).toEqual(['imported', 'created', 'revoked']);
      await open().delayWebhooks(7_000);
      expect([await fixture.due(6_999), await fixture.due(7_000)]).toEqual([[], [id]]);
    });

    it('REPO-377: the queue outlives its repository, unless it was never ready', async () => {
      const { open } = await begun();
      await open().addWebhook(sampleWebhook('w1'), 9);
      await inNamespace().addWebhook(sampleWebhook('w2'), 9);
      await open().erase(samplePushed('deleted'));
      expect(await open().webhookWork()).toMatchObject({ isErased: true, webhooks: [{}, {}] });
      expect(await open().forget(true)).toBe(false);
      const [event] = await open().webhookEvents(0, 9);
      const done = place(event?.sequence ?? 0);
      expect(await open().settleWebhooks(['w1', 'w2'].map((id) => ({ id, ...done })))).toBeUndefined();
      expect(await open().forget(true)).toBe(true);
      const other = await begun();
      await other.open().record(samplePushed('never seen'));
      await other.open().erase();
      expect(await other.open().webhookWork()).toBeUndefined();
    });

    testRandomDeliveries(() => fixture.open());
  });
}
