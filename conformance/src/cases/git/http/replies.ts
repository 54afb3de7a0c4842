/** GIT-007 and GIT-013 to GIT-019 of docs/specification/git.md: the form of replies. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import {
  commandBody,
  discover,
  flush,
  linesOf,
  packet,
  post,
  pushBody,
  reportOf,
  set,
  uploadBody,
} from '../../../tools/wire-client.ts';

const services = ['git-upload-pack', 'git-receive-pack'] as const;
const first = change('first');
const second = change('second', first);
const unknown = '1'.repeat(40);

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': second }, [...first.all, ...second.all]);
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Sends one request for each kind of refusal: 404, 405, 403 of three kinds, 401, 415 and 400. */
async function refusals(repo: TestRepo): Promise<Reply[]> {
  const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await repo.fetch(repo.remote + path, init);
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  return [
    await send('/none'),
    await send('/git-upload-pack'),
    await send('/HEAD'),
    await send('/info/refs?service=x'),
    await send('/info/refs?service=git-upload-pack', { headers: { cookie: 'session=1' } }),
    await discover({ ...repo, token: 'x' }),
    await post(repo, flush, { headers: { 'content-type': 'text/plain' } }),
    await post(repo, Buffer.from('zzzz')),
  ];
}

const refusedWith = [404, 405, 403, 403, 401, 403, 415, 400];

export const gitHttpReplies: Suite = suite(
  {
    id: 'git/http/refusals',
    requirements: ['GIT-007'],
    level: 'MUST',
    own: true,
    explanation: 'A refusal by status is plain text in UTF-8: one sentence, and nothing else.',
    async run(t) {
      const replies = await refusals(await plainRepo(t));
      same(
        replies.map(({ status }) => status),
        refusedWith,
        'Each request is refused in its own way.',
      );
      for (const { status, headers, body } of replies) {
        assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8', `A ${status} is plain text.`);
        assert.match(body.toString(), /^[A-Z][^\n]*$/, `A ${status} has the text alone.`);
      }
    },
  },
  {
    id: 'git/http/caching-and-cookies',
    requirements: ['GIT-014'],
    level: 'MUST',
    own: true,
    explanation: 'No reply may be kept, none sets a cookie, and cookies of requests are ignored.',
    async run(t) {
      const repo = await plainRepo(t);
      const headers = { cookie: 'session=1; token=2' };
      const kept = pushBody([set('refs/heads/kept', first)], pack());
      const replies: Reply[] = [
        await discover(repo, { headers }),
        await post(repo, flush, { headers }),
        await post(repo, commandBody('ls-refs'), { headers }),
        await post(repo, kept, { service: 'git-receive-pack', headers }),
        ...(await refusals(repo)),
      ];
      same(
        replies.map(({ status }) => status),
        [200, 200, 200, 200, ...refusedWith],
        'Cookies change nothing.',
      );
      for (const reply of replies) {
        const shown = ['cache-control', 'pragma', 'expires'].map((name) => reply.headers.get(name));
        same(
          shown,
          ['no-cache, max-age=0, must-revalidate', 'no-cache', 'Fri, 01 Jan 1980 00:00:00 GMT'],
          `A ${reply.status} says that it must not be kept.`,
        );
        same(reply.headers.getSetCookie(), [], `A ${reply.status} sets no cookie.`);
      }
    },
  },
  {
    id: 'git/http/probe',
    requirements: ['GIT-013'],
    level: 'MUST',
    explanation: 'A single flush, which Git sends before a large push, is answered 200 with an empty body.',
    async run(t) {
      const repo = await plainRepo(t);
      for (const service of services) {
        for (const version of [0, 1, 2] as const) {
          const { status, headers, body } = await post(repo, flush, { service, version });
          same(
            [status, headers.get('content-type'), body.length],
            [200, `application/x-${service}-result`, 0],
            `A flush to ${service} in version ${version} is answered with nothing.`,
          );
        }
      }
    },
  },
  {
    id: 'git/http/stateless',
    requirements: ['GIT-015'],
    level: 'MUST',
    explanation: 'Each POST is complete in itself: the last request of a negotiation works without those before it.',
    async run(t) {
      const repo = await plainRepo(t);
      const words = 'multi_ack_detailed';
      const rounds = [
        { version: 0, body: uploadBody([second.oid], [unknown], words, 'flush') },
        { version: 0, body: uploadBody([second.oid], [unknown, first.oid], words, 'flush') },
        { version: 2, body: commandBody('fetch', [`want ${second.oid}`, `have ${unknown}`]) },
      ] as const;
      const at = async (i: 0 | 1 | 2): Promise<string[]> => {
        const lines = linesOf((await post(repo, rounds[i].body, rounds[i])).body);
        // Git lets each server decide when it has seen enough.
        return repo.foreign === true ? lines.filter((line) => !line.endsWith(' ready')) : lines;
      };
      const late = await at(1);
      same(
        late,
        [`ACK ${first.oid} common`, ...(repo.foreign === true ? [] : [`ACK ${first.oid} ready`]), 'NAK'],
        'A second round works without the first.',
      );
      same(await at(0), ['NAK'], 'A first round after the second knows nothing of it.');
      same(await at(2), ['acknowledgments', 'NAK', 'flush'], 'Nor does one of another version.');
      same(await at(1), late, 'The same request has the same answer, whatever came before.');
    },
  },
  {
    id: 'git/http/in-band-errors',
    requirements: ['GIT-017'],
    level: 'MUST',
    own: true,
    explanation: 'A fetch that is framed well but cannot be served is 200 with one ERR packet and nothing after it.',
    async run(t) {
      const repo = await plainRepo(t);
      for (const [version, body] of [
        [2, commandBody('none')],
        [2, commandBody('ls-refs', ['none'])],
        [0, Buffer.concat([packet(`want ${unknown}\n`), flush, packet('done\n')])],
        [1, Buffer.concat([packet('hello\n'), flush, packet('done\n')])],
      ] as const) {
        const reply = await post(repo, body, { version });
        assert.equal(reply.status, 200, 'The refusal is told inside the protocol.');
        const lines = linesOf(reply.body);
        assert.match(lines.join('\n'), /^ERR \S[^\n]*$/, 'The reply is one ERR packet.');
        assert.ok(!reply.body.includes('\n'), 'Its text has no LF.');
      }
    },
  },
  {
    id: 'git/http/push-errors',
    requirements: ['GIT-018'],
    level: 'MUST',
    own: true,
    explanation: 'A push that cannot be served, but whose commands can be read, is told by its report, never by ERR.',
    async run(t) {
      const repo = await plainRepo(t);
      const commands = [set('refs/heads/one', first), set('refs/heads/two', first)];
      for (const format of ['sha256', 'x']) {
        const body = pushBody(commands, pack(), `report-status side-band-64k object-format=${format}`);
        const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
        assert.equal(reply.status, 200, 'The refusal is told inside the protocol.');
        assert.ok(!reply.body.includes('ERR '), 'There is no ERR in the reply.');
        same(
          reportOf(reply.body),
          [
            `unpack unsupported object format '${format}'`,
            'ng refs/heads/one unpacker error',
            'ng refs/heads/two unpacker error',
          ],
          'The report says why, and has a line for each command.',
        );
      }
    },
  },
  {
    id: 'git/http/no-cors-by-default',
    requirements: ['GIT-019'],
    level: 'MAY',
    beyond: true,
    own: true,
    explanation: 'Without a list of origins no reply has CORS headers, and a preflight is just another method.',
    async run(t) {
      const repo = await plainRepo(t);
      const origin = { origin: 'https://app.example' };
      const response = await repo.fetch(`${repo.remote}/git-upload-pack`, {
        method: 'OPTIONS',
        headers: { ...origin, 'access-control-request-method': 'POST' },
      });
      await response.arrayBuffer();
      assert.equal(response.status, 405, 'A preflight is refused like any other method.');
      for (const headers of [response.headers, (await discover(repo, { headers: origin })).headers]) {
        const names = [...headers.keys()].filter((name) => name.startsWith('access-control'));
        same(names, [], 'No header of CORS is sent.');
      }
    },
  },
);
