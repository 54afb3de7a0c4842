/** REPO-375 to REPO-382 of docs/specification/repositories.md: webhooks of users. */

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import type { Delivery } from '../../core/event-sink.ts';
import { NotDone } from '../../core/outcome.ts';
import { pathOf } from '../../steps/content.ts';
import { accepted } from '../../steps/repo-with.ts';
import { assertRefused, assertSuccess } from '../../steps/replies.ts';
import { change, pack } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { set } from '../../tools/wire-client.ts';

/** Milliseconds to wait for deliveries, some of which come after a pause. */
const patience = 75_000;

const members = [
  'id',
  'url',
  'events',
  'refs',
  'active',
  'stopped_reason',
  'created_at',
  'updated_at',
  'last_delivery',
];

/** Waits for so many accepted deliveries to a path of the sink. */
async function delivered(t: Context, path: string, count: number): Promise<readonly Delivery[]> {
  for (const end = Date.now() + patience; ; await wait(20)) {
    const taken = t.eventSink
      .deliveries(t.namespace)
      .filter(({ headers, status }) => headers[':path'] === path && status < 300);
    if (taken.length >= count) return taken;
    if (Date.now() > end) throw new NotDone(`${taken.length} of ${count} deliveries to ${path} came in time`);
  }
}

export const webhooks: Suite = suite(
  {
    id: 'rest/webhooks/members',
    requirements: ['REPO-375', 'REPO-376', 'REPO-380', 'REPO-383', 'LIM-101', 'LIM-103'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Webhooks of a repo are made, listed, changed and deleted; the secret is in one reply; bad members are refused.',
    async run(t) {
      const repo = await t.createRepo();
      const path = `${pathOf(repo)}/webhooks`;
      const url = 'https://hooks.example/one?key=1';
      const first = assertSuccess(await t.rest('POST', path, { body: { url } }), 201, 'POST');
      same(Object.keys(first), [...members, 'secret'], 'The members of a new webhook.');
      assert.match(first.secret, /^whsec_[A-Za-z0-9+/]+={0,2}$/, 'expected a secret');
      const { secret: _, ...shown } = first;
      same([shown.url, shown.events, shown.refs, shown.active], [url, null, null, true], 'The defaults.');
      const filters = { events: ['pushed', 'deleted'], refs: ['refs/heads/*'], active: false };
      const second = assertSuccess(await t.rest('POST', path, { body: { url, ...filters } }), 201, 'POST with filters');
      const listed = assertSuccess(await t.rest('GET', path), 200, 'GET of the list');
      same(
        listed.map((one: { id: string }) => one.id),
        [first.id, second.id],
        'The list, oldest first.',
      );
      same(listed[0], shown, 'A webhook in the list.');
      const one = `${path}/${second.id}`;
      const body = { refs: null, active: true };
      const changed = assertSuccess(await t.rest('PATCH', one, { body }), 200, 'PATCH');
      same([changed.events, changed.refs, changed.active], [filters.events, null, true], 'What PATCH changed.');
      same(assertSuccess(await t.rest('GET', one), 200, 'GET'), changed, 'What GET then shows.');
      same((await t.rest('DELETE', one)).status, 204, 'DELETE.');
      const gone = { status: 404, code: 10200, message: 'Webhook not found', reason: 'webhook_not_found' };
      await assertRefused(t, ['GET', one], gone);
      for (const [field, value] of Object.entries({
        url: ['ftp://hooks.example/', 'https://192.0.2.1/', `https://hooks.example/${'x'.repeat(2_048)}`],
        events: [[], ['other'], 'pushed'],
        refs: [[], ['main'], [`refs/${'x'.repeat(252)}`], Array.from({ length: 21 }, () => 'refs/*')],
        active: ['yes'],
        secret: ['whsec_', 'secret'],
      }).flatMap(([name, values]) => values.map((bad) => [name, bad] as const))) {
        const reply = await t.rest('POST', path, { body: { url, [field]: value } });
        same([reply.status, reply.json?.errors?.[0]?.source?.pointer], [400, `/${field}`], `POST with a bad ${field}.`);
      }
      // Otherwise the deletion of the repo would go to that host.
      same((await t.rest('DELETE', `${path}/${first.id}`)).status, 204, 'DELETE of the first.');
    },
  },
  {
    id: 'rest/webhooks/deliveries',
    requirements: ['REPO-377', 'REPO-378', 'REPO-381', 'REPO-382'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink'],
    explanation:
      'A webhook gets the signed events that its filters match, again after a failure; a ping says what became of it.',
    async run(t) {
      const repo = await t.createRepo();
      const path = `${pathOf(repo)}/webhooks`;
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const [hook, other] = ['/hook', '/other'];
      let isDown = true;
      t.eventSink.answer(t.namespace, ({ headers }) => (headers[':path'] === other && isDown ? 500 : 204));
      const filters = { events: ['pushed', 'deleted'], refs: ['refs/heads/m*'] };
      const made = assertSuccess(
        await t.rest('POST', path, { body: { url: `${t.eventSink.origin}${hook}`, secret, ...filters } }),
        201,
        'POST',
      );
      const failing = assertSuccess(
        await t.rest('POST', path, { body: { url: `${t.eventSink.origin}${other}`, events: ['pushed'] } }),
        201,
        'POST of another',
      );
      const first = change('first');
      const refs = ['refs/heads/side', 'refs/heads/main', 'refs/tags/m1'];
      await accepted(
        repo,
        refs.map((ref) => set(ref, first)),
        pack(...first.all),
      );
      const [pushed] = await delivered(t, hook, 1);
      const { headers, text, event } = pushed as Delivery;
      same(event.payload.ref, 'refs/heads/main', 'The ref of the one push that matches.');
      same(event.metadata.eventSubscriptionId, made.id, 'eventSubscriptionId.');
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
      const digest = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
      same(headers['webhook-signature'], `v1,${digest}`, 'The signature.');
      const ping = assertSuccess(await t.rest('POST', `${path}/${failing.id}/ping`), 200, 'a ping that fails');
      same([ping.status, ping.event_type, ping.error === null], [500, `${t.dialect.events.prefix}ping`, false], 'It.');
      isDown = false;
      const again = assertSuccess(await t.rest('POST', `${path}/${failing.id}/ping`), 200, 'a ping');
      same([again.status, again.error], [204, null], 'The outcome of a ping.');
      await t.rest('PATCH', `${path}/${failing.id}`, { body: { refs: ['refs/*'] } });
      const all = await delivered(t, other, 4);
      same(
        all.map((one) => one.event.payload.ref),
        [undefined, ...refs],
        'The ping, and what waited, in order.',
      );
      assertSuccess(await t.rest('DELETE', pathOf(repo)), 202, 'DELETE of the repo');
      const [, last] = await delivered(t, hook, 2);
      same(last?.event.type, `${t.dialect.events.prefix}deleted`, 'The last event.');
    },
  },
);
