/** Section 10 of docs/specification/git.md: transactions, and what other requests see meanwhile. */

import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  commandBody,
  listedRefs,
  linesOf,
  post,
  push,
  pushBody,
  remove,
  reportOf,
  set,
  type Command,
} from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const second = change('second', first);

let server: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('repo');
  await push(repo, [set('refs/heads/main', first)], pack(...first.all, ...second.all));
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

/** A push that sends its commands and half of its pack, and the rest when it is told to. */
function slowPush(
  to: TestRepo,
  commands: readonly Command[],
  bytes: Buffer,
): { begun: Promise<void>; end: () => Promise<{ status: number; body: Buffer }>; abort: () => Promise<void> } {
  const body = pushBody(commands, bytes);
  const half = body.length - Math.ceil(bytes.length / 2);
  const headers = { authorization: `Bearer ${to.token}`, 'content-type': 'application/x-git-receive-pack-request' };
  const request = httpRequest(`${to.remote}/git-receive-pack`, { method: 'POST', headers, agent: false });
  const reply = new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }));
    });
  });
  reply.catch(() => {});
  return {
    begun: new Promise((resolve) => {
      request.write(body.subarray(0, half), () => resolve());
    }),
    end() {
      request.end(body.subarray(half));
      return reply;
    },
    async abort() {
      request.destroy();
      await reply.catch(() => {});
    },
  };
}

/** Waits until the server has the request in hand, and its repo open. */
async function inHand(): Promise<void> {
  for (let i = 0; i < 5; i++) await fetch(`${server.url}/healthz`).then((response) => response.text());
}

describe('several commands', () => {
  const commands = [
    set('refs/heads/a', first),
    set('refs/heads/main', second, second),
    set('HEAD', first),
    set('refs/heads/b', first),
  ];
  const reasons = ['ng refs/heads/main stale ref', 'ng HEAD funny refname'];

  it('GIT-152: without atomic each stands alone', async () => {
    expect(await push(repo, commands, pack())).toEqual(['unpack ok', 'ok refs/heads/a', ...reasons, 'ok refs/heads/b']);
    expect(Object.keys(await listedRefs(repo))).toEqual(['HEAD', 'refs/heads/a', 'refs/heads/b', 'refs/heads/main']);
    await push(repo, [remove('refs/heads/a', first), remove('refs/heads/b', first)]);
  });

  it('GIT-151: with atomic one refusal refuses all, each kind of it with its own reason', async () => {
    const before = await listedRefs(repo);
    const others = (reason: string, ref: string): string[] => [
      'unpack ok',
      'ng refs/heads/a atomic push failure',
      `ng ${ref} ${reason}`,
      'ng refs/heads/b atomic push failure',
    ];
    const unseen = change('unseen');
    for (const [command, reason] of [
      [set('refs/heads/main', second, second), 'stale ref'],
      [set('HEAD', first), 'funny refname'],
      [set('refs/heads/main/x', first), 'conflicts with refs/heads/main'],
      [set('refs/heads/x', unseen), 'missing necessary objects'],
      [set('refs/heads/x', first.root), 'not a commit'],
      [remove('refs/heads/none', first), 'stale ref'],
    ] as const) {
      const all = [set('refs/heads/a', first), command, set('refs/heads/b', first)];
      expect(await push(repo, all, pack(), 'atomic')).toEqual(others(reason, command.ref as string));
      expect(await listedRefs(repo)).toEqual(before);
    }
    expect(
      await push(
        repo,
        [set('refs/heads/a', first), set('refs/heads/b', first), remove('refs/heads/main', first)],
        pack(),
        'atomic',
      ),
    ).toEqual(['unpack ok', 'ok refs/heads/a', 'ok refs/heads/b', 'ok refs/heads/main']);
    await push(
      repo,
      [set('refs/heads/main', first), remove('refs/heads/a', first), remove('refs/heads/b', first)],
      pack(),
    );
  });

  it('GIT-150, GIT-156: others see all of a push or nothing of it', async () => {
    const own = await server.createRepo('together');
    const refs = Array.from({ length: 20 }, (_, i) => `refs/heads/b${i}`);
    await push(
      own,
      refs.map((ref) => set(ref, first)),
      pack(...first.all, ...second.all),
    );
    const seen = new Set<string>();
    const state = { pushing: true };
    const watch = async (): Promise<void> => {
      while (state.pushing) {
        const { body } = await post(own, commandBody('ls-refs', ['ref-prefix refs/']));
        const values = new Set(
          linesOf(body)
            .slice(0, -1)
            .map((line) => line.slice(0, 40)),
        );
        seen.add([...values].join(' and '));
      }
    };
    const watching = [watch(), watch()];
    for (let i = 0; i < 20; i++) {
      const [old, value] = i % 2 === 0 ? [first, second] : [second, first];
      expect(
        (
          await push(
            own,
            refs.map((ref) => set(ref, value, old)),
            pack(...second.all),
          )
        ).every((line) => /^(unpack )?ok/.test(line)),
      ).toBe(true);
    }
    state.pushing = false;
    await Promise.all(watching);
    for (const values of seen) expect([first.oid, second.oid]).toContain(values);
    expect(seen.size).toBeGreaterThan(0);
  });
});

describe('a push that does not come to its end', () => {
  it('GIT-153, GIT-148: is as if it had never been, and can be sent again', async () => {
    const lost = change('lost', first);
    const before = await listedRefs(repo);
    const cut = slowPush(repo, [set('refs/heads/lost', lost)], pack(...lost.all));
    await cut.begun;
    await inHand();
    await cut.abort();
    expect(await listedRefs(repo)).toEqual(before);
    expect(linesOf((await post(repo, commandBody('fetch', [`want ${lost.oid}`, 'done']))).body)).toEqual([
      `ERR upload-pack: not our ref ${lost.oid}`,
    ]);
    expect(await push(repo, [set('refs/heads/lost', lost)], pack())).toEqual([
      'unpack ok',
      'ng refs/heads/lost missing necessary objects',
    ]);
    expect(await push(repo, [set('refs/heads/lost', lost)], pack(...lost.all).subarray(0, -30))).toEqual([
      'unpack truncated pack',
      'ng refs/heads/lost unpacker error',
    ]);
    expect(await push(repo, [set('refs/heads/lost', lost)], pack(...lost.all))).toEqual([
      'unpack ok',
      'ok refs/heads/lost',
    ]);
  });

  it('GIT-125, GIT-157: finds its ref stale if another push was faster', async () => {
    const [slow, fast] = [change('slow', first), change('fast', first)];
    const running = slowPush(
      repo,
      [set('refs/heads/main', slow, first), set('refs/heads/slow', slow)],
      pack(...slow.all),
    );
    await running.begun;
    await inHand();
    expect(await push(repo, [set('refs/heads/main', fast, first)], pack(...fast.all))).toEqual([
      'unpack ok',
      'ok refs/heads/main',
    ]);
    expect(reportOf((await running.end()).body)).toEqual([
      'unpack ok',
      'ng refs/heads/main stale ref',
      'ok refs/heads/slow',
    ]);
    expect(await listedRefs(repo)).toMatchObject({ 'refs/heads/main': fast.oid, 'refs/heads/slow': slow.oid });
  });
});

describe('GIT-158: a repo that is deleted during a push', () => {
  it.each([
    ['with-pack', pack(...second.all)],
    ['deletes-only', undefined],
  ])('changes nothing and says so: %s', async (name, bytes) => {
    const doomed = await server.createRepo(name);
    await push(doomed, [set('refs/heads/main', first), set('refs/heads/other', first)], pack(...first.all));
    const command = bytes === undefined ? remove('refs/heads/other', first) : set('refs/heads/main', second, first);
    const running = slowPush(doomed, [command], bytes ?? Buffer.alloc(0));
    await running.begun;
    await inHand();
    expect((await server.rest('DELETE', `/namespaces/default/repos/${name}`)).status).toBeLessThan(300);
    const { status, body } = await running.end();
    if (status === 200)
      expect([name, reportOf(body)]).toEqual([name, ['unpack ok', `ng ${command.ref as string} repository deleted`]]);
    else expect([status, body.toString()]).toEqual([403, 'Invalid or expired token']);
    const again = await server.createRepo(name);
    expect(await listedRefs(again)).toEqual({ HEAD: 'unborn symref-target:refs/heads/main' });
  });
});

it('GIT-154: what only another repo has is out of reach: wants, haves, bases, connectivity', async () => {
  const [one, other] = [await server.createRepo('one'), await server.createRepo('other')];
  const theirs = change('theirs');
  const shared = change('shared');
  await push(
    one,
    [set('refs/heads/main', theirs), set('refs/heads/shared', shared)],
    pack(...theirs.all, ...shared.all),
  );
  await push(other, [set('refs/heads/main', shared)], pack(...shared.all));
  for (const { oid } of theirs.all) {
    expect(linesOf((await post(other, commandBody('fetch', [`want ${oid}`, 'done']))).body)).toEqual([
      `ERR upload-pack: not our ref ${oid}`,
    ]);
  }
  expect(linesOf((await post(other, commandBody('fetch', [`want ${shared.oid}`, `have ${theirs.oid}`]))).body)).toEqual(
    ['acknowledgments', 'NAK', 'flush'],
  );
  expect(await push(other, [set('refs/heads/stolen', theirs)], pack())).toEqual([
    'unpack ok',
    'ng refs/heads/stolen missing necessary objects',
  ]);
  const above = change('above', theirs);
  expect(await push(other, [set('refs/heads/stolen', above)], pack(...above.all))).toEqual([
    'unpack ok',
    'ng refs/heads/stolen missing necessary objects',
  ]);
});

it('GIT-159: a push sets when it was, in the record, at once', async () => {
  const own = await server.createRepo('times');
  const record = async (): Promise<Record<string, string>> =>
    (await server.rest('GET', '/namespaces/default/repos/times')).result as Record<string, string>;
  const before = Date.now();
  await push(own, [set('refs/heads/main', first)], pack(...first.all));
  const pushed = await record();
  expect(Date.parse(pushed['last_push_at'] as string)).toBeGreaterThanOrEqual(before - 1000);
  expect(pushed['updated_at']).toBe(pushed['last_push_at']);
  await push(own, [remove('refs/heads/main', first)]);
  expect(Date.parse((await record())['last_push_at'] as string)).toBeGreaterThanOrEqual(
    Date.parse(pushed['last_push_at'] as string),
  );
});

it('GIT-155: what was ok is there after a restart', async () => {
  const kept = change('kept', first);
  expect(await push(repo, [set('refs/heads/kept', kept)], pack(...kept.all))).toEqual([
    'unpack ok',
    'ok refs/heads/kept',
  ]);
  await server.restart();
  expect((await listedRefs(repo))['refs/heads/kept']).toBe(kept.oid);
  expect(linesOf((await post(repo, commandBody('fetch', [`want ${kept.file.oid}`, 'done']))).body)[0]).toBe('packfile');
});
