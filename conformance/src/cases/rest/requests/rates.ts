import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply } from '../../../core/context.ts';
import { push, set } from '../../../tools/wire-client.ts';
import { blob, pack } from '../../../tools/made-objects.ts';
import { assertFailure, failures } from '../../../steps/replies.ts';
import { meagreSettings, only } from '../../../steps/settings.ts';

const { requests, seconds } = meagreSettings.rate_rest;

/** Sends three times as many concurrent requests as a rate allows, to these paths in turn. */
async function sendTooMany(t: Context, paths: readonly string[]): Promise<readonly RestReply[]> {
  return Promise.all(
    Array.from({ length: 3 * requests }, async (_, i) => t.rest('GET', paths[i % paths.length] as string)),
  );
}

/** Asserts that the rate was enforced, and returns the longest `Retry-After`. */
function assertHeld(t: Context, replies: readonly RestReply[], what: string): number {
  const refused = replies.filter(({ status }) => status === 429);
  const passed = replies.length - refused.length;
  assert.ok(passed >= requests, `${what}: expected at least ${requests} to pass, not ${passed}`);
  assert.ok(refused.length > 0, `${what}: expected some of ${replies.length} at once to be refused`);
  const pauses = refused.map((reply) => {
    assertFailure(t, reply, failures.rate, `${what}, above the rate`);
    const pause = reply.headers.get('retry-after') ?? '(none)';
    assert.match(pause, /^[1-9]\d*$/, `${what}: expected Retry-After in whole seconds, at least 1`);
    return Number(pause);
  });
  return Math.max(...pauses);
}

export const rates: Suite = suite(
  {
    id: 'rest/rates/namespace',
    requirements: ['LIM-001', 'REPO-043', 'REPO-161'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(meagreSettings, 'rate_rest'),
    explanation:
      'Requests above the rate of a namespace are 429 until Retry-After has passed; other namespaces are not held up.',
    run: async (t) => {
      const namespace = `absent-${t.name()}`;
      const own = `/namespaces/${namespace}`;
      // So many spellings that no single one exceeds the rate.
      const spellings = Array.from(
        { length: 5 },
        (_, i) => namespace.slice(0, i + 1).toUpperCase() + namespace.slice(i + 1),
      );
      const paths = spellings.map((one, i) => `/namespaces/${one}${i % 2 === 0 ? '' : '/repos'}`);
      const pause = assertHeld(t, await sendTooMany(t, paths), `many requests to ${own}, in any case`);
      assert.ok(pause <= seconds, `expected a Retry-After of at most ${seconds} s, not ${pause}`);
      const another = `/namespaces/${t.name('none')}`;
      assertFailure(t, await t.rest('GET', another), failures.noNamespace, 'a request to another namespace');
      await wait(pause * 1000);
      assertFailure(t, await t.rest('GET', own), failures.noNamespace, 'a request after Retry-After has passed');
    },
  },
  {
    id: 'rest/rates/exact',
    requirements: ['LIM-001'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(meagreSettings, 'rate_rest'),
    explanation: 'As many requests pass within the seconds of a rate as it allows, and no more.',
    run: async (t) => {
      // On a slow machine a second window may begin.
      for (let round = 0; round < 5; round++) {
        const path = `/namespaces/${t.name('exact')}`;
        const began = performance.now();
        const replies = await Promise.all(Array.from({ length: requests + 1 }, async () => t.rest('GET', path)));
        if (performance.now() - began >= seconds * 1000) continue;
        const refused = replies.filter(({ status }) => status === 429).length;
        assert.equal(refused, 1, `expected one of ${requests + 1} requests to be refused`);
        return;
      }
      t.skip(`needs ${requests + 1} replies within ${seconds} s`);
    },
  },
  {
    id: 'rest/rates/account',
    requirements: ['LIM-001', 'REPO-043'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(meagreSettings, 'rate_rest'),
    explanation: 'Requests of routes without a namespace are counted for the account.',
    run: async (t) => {
      const replies = await sendTooMany(t, ['/namespaces?limit=1', '/namespaces?page=1&limit=1']);
      assertHeld(t, replies, 'many requests to /namespaces');
      const other = `/namespaces/${t.name('none')}`;
      assertFailure(t, await t.rest('GET', other), failures.noNamespace, 'a request to a namespace');
    },
  },
  {
    id: 'rest/rates/account-storage',
    requirements: ['LIM-012'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(meagreSettings, 'account_storage_max'),
    explanation: 'A push beyond the storage of the account is refused in its report, and changes nothing.',
    run: async (t) => {
      const repo = await t.createRepo();
      // Data that deflate cannot compress.
      const noise = blob(Uint8Array.from({ length: 4000 }, (_, i) => ((i * 2654435761) ^ (i * i * 40503)) >>> 7));
      const report = await push(repo, [set('refs/tags/large', noise)], pack(noise));
      assert.match(report[0] ?? '(no report)', /^unpack (?!ok)/, 'expected the pack to be refused');
      assert.match(report[1] ?? '(none)', /^ng refs\/tags\/large /, 'expected the ref to be refused');
      const small = blob('small');
      const accepted = await push(repo, [set('refs/tags/small', small)], pack(small));
      assert.deepEqual(accepted, ['unpack ok', 'ok refs/tags/small'], 'expected a small push to be taken after it');
    },
  },
);
