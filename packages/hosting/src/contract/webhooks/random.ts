import { fc } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { WebhookError } from '../../events/webhook-sink.ts';
import type { PostWebhook } from '../../ports/post-webhook.ts';
import type { WebhookList } from '../../ports/webhooks.ts';
import type { WorkStorage } from '../../ports/work-leases.ts';
import { deliverWebhooks } from '../../webhooks/deliver-webhooks.ts';
import { begunRepo, sampleDeliveries, samplePushed, sampleWebhook } from './samples.ts';

type Step =
  | { readonly kind: 'record'; readonly ref: string }
  | { readonly kind: 'deliver'; readonly failing: readonly number[]; readonly dies: boolean }
  | { readonly kind: 'switch' | 'remove'; readonly webhook: number };

const webhook = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('record' as const), ref: fc.constantFrom('a', 'b') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      failing: fc.uniqueArray(webhook),
      dies: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('switch' as const, 'remove' as const), webhook }) },
);

/** A webhook as the model has it. */
interface Modelled {
  readonly id: string;
  readonly list: WebhookList;
  readonly ref: string | undefined;
  isActive: boolean;
  isGone: boolean;
  /** Ids of events that it must get, of the time since it was last made active. */
  owed: string[];
  /** Ids in the order of their first delivery. */
  readonly got: string[];
}

/** Milliseconds between two steps: more than the difference of clocks that deliveries allow for. */
const stepTime = 20_000;

export function testRandomDeliveries(open: () => WorkStorage): void {
  it('REPO-377: any sequence of changes, failures and crashes delivers each event in order, at least once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const storage = open();
        const repo = await begunRepo(storage);
        const unique = repo.id.slice(0, 8);
        const namespaceList = storage.repos.namespaceWebhooks?.('a1', 'Default') as WebhookList;
        const models: Modelled[] = [];
        for (const n of [0, 1, 2, 3]) {
          const list = n < 2 ? repo.open() : namespaceList;
          const ref = n % 2 === 0 ? undefined : 'refs/heads/a';
          const id = `${unique}w${n}`;
          await list.addWebhook(sampleWebhook(id, { refs: ref === undefined ? null : [ref] }), 1_000);
          models.push({ id, list, ref, isActive: true, isGone: false, owed: [], got: [] });
        }
        let now = 1_000_000;
        let events = 0;
        const deliver = async (failing: readonly number[], dies: boolean): Promise<void> => {
          const post: PostWebhook = async ({ url }, { id }) => {
            const model = models.find((one) => url.endsWith(one.id)) as Modelled;
            if (failing.includes(models.indexOf(model))) throw new WebhookError('answered 500', { status: 500 });
            if (!model.got.includes(id)) model.got.push(id);
            return 204;
          };
          const queue = repo.open();
          const settle = dies ? () => Promise.reject(new Error('died')) : queue.settleWebhooks.bind(queue);
          const dying = new Proxy(queue, {
            get: (target, name) => {
              if (name === 'settleWebhooks') return settle;
              const member: unknown = Reflect.get(target, name);
              return typeof member === 'function' ? (member.bind(target) as unknown) : member;
            },
          });
          const clock = { now: () => now };
          await deliverWebhooks(
            sampleDeliveries({ repoId: repo.id, queue: dying, post, retryFor: Infinity, clock }),
          ).catch((error: unknown) => expect(error).toMatchObject({ message: 'died' }));
        };
        for (const one of steps) {
          now += stepTime;
          if (one.kind === 'record') {
            const id = `e${events++}`;
            await repo.open().record(samplePushed(id, `refs/heads/${one.ref}`, now));
            for (const model of models) {
              const isWanted = model.ref === undefined || model.ref === `refs/heads/${one.ref}`;
              if (model.isActive && !model.isGone && isWanted) model.owed.push(id);
            }
          } else if (one.kind === 'deliver') {
            await deliver(one.failing, one.dies);
          } else {
            const model = models[one.webhook] as Modelled;
            if (one.kind === 'remove') await model.list.removeWebhook(model.id);
            else {
              const isActive = !model.isActive;
              await model.list.changeWebhook(model.id, { isActive, ...(isActive ? { activeSince: now } : {}) });
              model.isActive = isActive;
            }
            if (one.kind === 'remove') model.isGone = true;
            model.owed = [];
          }
        }
        for (let round = 0; round < 3; round++) {
          now += 4_000_000;
          await deliver([], false);
        }
        for (const { owed, got } of models) {
          expect(got.filter((id) => owed.includes(id))).toEqual(owed);
          expect(got).toEqual(got.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
        }
        expect(await repo.open().webhookWork()).toBeUndefined();
        for (const { id, list } of models) await list.removeWebhook(id);
      }),
      { numRuns: 40 },
    );
  });
}
