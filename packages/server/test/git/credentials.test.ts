/** Section 2 of docs/specification/git.md: credentials and refusals. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import { discover, flush, post, push, pushBody, set } from '@packhouse/conformance/tools/wire-client';

const first = change('first');

let server: TestServer;
let repo: TestRepo;
let secret: string;

beforeAll(async () => {
  server = await startTestServer({ settings: { token_ttl_min: 1, rate_git: { requests: 400, seconds: 3600 } } });
  repo = await server.createRepo('repo');
  secret = repo.token.split('?')[0] as string;
  expect(secret).not.toBe(repo.token);
  await push(repo, [set('refs/heads/main', first)], pack(...first.all));
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function ask(
  remote: string,
  authorization: string | undefined,
  service = 'git-upload-pack',
  query = '',
): Promise<Reply> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await fetch(`${remote}/info/refs?service=${service}${query}`, { headers });
  return { status: response.status, text: response.ok ? '' : await response.text(), headers: response.headers };
}

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

async function mint(name: string, more: Readonly<Record<string, unknown>>): Promise<{ plaintext: string; id: string }> {
  const { status, result } = await server.rest('POST', '/namespaces/default/tokens', { repo: name, ...more });
  if (status !== 201 && status !== 200) throw new Error(`no token: ${status}`);
  return result as { plaintext: string; id: string };
}

describe('what is a credential', () => {
  it('GIT-020, GIT-023: Bearer takes the whole plaintext and the secret alone, the scheme in any case', async () => {
    for (const authorization of [
      `Bearer ${repo.token}`,
      `Bearer ${secret}`,
      `bearer ${secret}`,
      `BEARER  ${repo.token}`,
    ]) {
      expect([authorization, (await ask(repo.remote, authorization)).status]).toEqual([authorization, 200]);
    }
  });

  it('GIT-021, GIT-023: Basic takes any user name, and as password each form of the token', async () => {
    const encoded = repo.token.replace('?', '%3F').replace('=', '%3D');
    expect(encoded).not.toBe(repo.token);
    for (const user of ['x', '', 'ada@example.com', 'ü']) {
      for (const password of [secret, repo.token, encoded, encoded.replace('%3F', '%3f')]) {
        const { status } = await ask(repo.remote, basic(`${user}:${password}`));
        expect([user, password, status]).toEqual([user, password, 200]);
      }
    }
    expect((await ask(repo.remote, basic(`x:${secret}`).replace('Basic', 'bAsIc'))).status).toBe(200);
  });

  it('GIT-022, GIT-024: all else is 401 with the realm, on every route, and what the query says is ignored', async () => {
    const none = [
      undefined,
      '',
      'Bearer',
      'Basic',
      basic(`${secret}:`),
      basic(secret),
      `Digest ${secret}`,
      secret,
      'Basic %%%',
      `Basic ${secret}`,
    ];
    for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
      for (const authorization of none) {
        const { status, text, headers } = await ask(
          repo.remote,
          authorization,
          service,
          `&token=${secret}&access_token=${secret}`,
        );
        expect([authorization, status, text, headers.get('www-authenticate')]).toEqual([
          authorization,
          401,
          'Authentication required',
          'Basic realm="repos"',
        ]);
      }
      const posted = await post(repo, flush, { service, headers: { authorization: '' } });
      expect([posted.status, posted.body.toString()]).toEqual([401, 'Authentication required']);
    }
  });

  it('GIT-161: without a credential a repo that never existed is 401 like any other', async () => {
    const there = await ask(repo.remote, undefined);
    const none = await ask(repo.remote.replace('/repo.git', '/none.git'), undefined);
    expect([none.status, none.text, shown(none.headers)]).toEqual([there.status, there.text, shown(there.headers)]);
    expect(none.status).toBe(401);
  });
});

/** Headers but those that differ from reply to reply. */
function shown(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => name !== 'x-ray-id' && name !== 'date');
}

describe('GIT-025: whatever is wrong with a credential, the reply is the same', () => {
  it('byte for byte and header for header, for discovery and POST of both services', async () => {
    const other = await server.createRepo('other');
    const gone = await server.createRepo('gone');
    expect((await server.rest('DELETE', '/namespaces/default/repos/gone')).status).toBeLessThan(300);
    const revoked = await mint('repo', { scope: 'write' });
    expect((await ask(repo.remote, `Bearer ${revoked.plaintext}`)).status).toBe(200);
    expect((await server.rest('DELETE', `/namespaces/default/tokens/${revoked.id}`)).status).toBeLessThan(300);
    const expiring = await mint('repo', { scope: 'write', ttl: 1 });
    while ((await ask(repo.remote, `Bearer ${expiring.plaintext}`)).status === 200)
      await new Promise((resolve) => setTimeout(resolve, 100));

    const at = (name: string): string => repo.remote.replace('/repo.git', `/${name}.git`);
    const cases: Record<string, { remote: string; token: string }> = {
      unknown: { remote: repo.remote, token: secret.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
      'no token at all': { remote: repo.remote, token: 'x' },
      expired: { remote: repo.remote, token: expiring.plaintext },
      revoked: { remote: repo.remote, token: revoked.plaintext },
      'of another repo': { remote: repo.remote, token: other.token },
      'of a deleted repo': { remote: gone.remote, token: gone.token },
      'no such repo': { remote: at('none'), token: repo.token },
      'no such namespace': { remote: repo.remote.replace('/default/', '/nowhere/'), token: repo.token },
      'no such account': { remote: repo.remote.replace('/local/', '/foreign/'), token: repo.token },
      'a name that no repo can have': { remote: at('-%2Ea%20b'), token: repo.token },
      'API token': { remote: repo.remote, token: server.apiToken },
    };
    for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
      for (const [name, { remote, token }] of Object.entries(cases)) {
        for (const reply of [
          await discover({ remote, token }, { service }),
          await post({ remote, token }, flush, { service }),
        ]) {
          expect([name, reply.status, reply.body.toString()]).toEqual([name, 403, 'Invalid or expired token']);
          const names = [
            'cache-control',
            'connection',
            'content-length',
            'content-type',
            'expires',
            'keep-alive',
            'pragma',
          ];
          expect(shown(reply.headers).map(([header]) => header)).toEqual(names);
          expect(reply.headers.get('content-length')).toBe('24');
        }
      }
    }
  });

  it('GIT-162: a name that is used again shows the new repo to its own token only', async () => {
    const old = await server.createRepo('again');
    await push(old, [set('refs/heads/main', first)], pack(...first.all));
    await server.rest('DELETE', '/namespaces/default/repos/again');
    const fresh = await server.createRepo('again');
    expect(fresh.remote).toBe(old.remote);
    expect((await discover(old)).body.toString()).toBe('Invalid or expired token');
    expect((await discover(fresh)).lines.slice(2)).toEqual([
      expect.stringMatching(/^0{40} capabilities\^\{\}\0/),
      'flush',
    ]);
    const stolen = await push(fresh, [set('refs/heads/main', first)], pack());
    expect(stolen).toEqual(['unpack ok', 'ng refs/heads/main missing necessary objects']);
  });
});

describe('what a token may do', () => {
  it('GIT-026, GIT-027: both scopes fetch, only write pushes', async () => {
    const reader = { ...repo, token: (await mint('repo', { scope: 'read' })).plaintext };
    const writer = { ...repo, token: (await mint('repo', { scope: 'write' })).plaintext };
    const body = pushBody([set('refs/heads/scope', first)], pack());
    for (const [who, pushes] of [
      [reader, 403],
      [writer, 200],
    ] as const) {
      expect((await discover(who)).status).toBe(200);
      expect((await post(who, flush)).status).toBe(200);
      const found = await discover(who, { service: 'git-receive-pack' });
      const posted = await post(who, body, { service: 'git-receive-pack', version: 0 });
      expect([found.status, posted.status]).toEqual([pushes, pushes]);
      if (pushes === 403)
        expect([found.body.toString(), posted.body.toString()]).toEqual(Array(2).fill('Insufficient permissions'));
      const { lines } = await discover(repo);
      expect(lines.some((line) => line.endsWith(' refs/heads/scope'))).toBe(pushes === 200);
    }
  });

  it('GIT-034, GIT-008: a read-only repo is fetched from but not pushed to, whatever the body; the scope is told first', async () => {
    const fixed = await server.createRepo('fixed', { read_only: true });
    const writer = { ...fixed, token: (await mint('fixed', { scope: 'write' })).plaintext };
    const reader = { ...fixed, token: (await mint('fixed', { scope: 'read' })).plaintext };
    expect((await discover(writer)).status).toBe(200);
    const refused = [
      await discover(writer, { service: 'git-receive-pack' }),
      await post(writer, Buffer.from('zzzz'), {
        service: 'git-receive-pack',
        headers: { 'content-type': 'text/plain' },
      }),
    ];
    for (const { status, body } of refused) expect([status, body.toString()]).toEqual([403, 'Repository is read-only']);
    expect((await discover(reader, { service: 'git-receive-pack' })).body.toString()).toBe('Insufficient permissions');
  });

  it('GIT-030: a repo that is not ready is 409 with when to come again, after the scope and read-only were checked', async () => {
    const unready = await server.createRepo('unready');
    const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'));
    const become = (status: string): void => {
      database.prepare('UPDATE catalog_repos SET status = ? WHERE id = ?').run(status, unready.id);
      database.prepare('UPDATE repos SET status = ?, version = version + 1 WHERE id = ?').run(status, unready.id);
    };
    const reader = { ...unready, token: (await mint('unready', { scope: 'read' })).plaintext };
    try {
      for (const [status, text] of [
        ['creating', 'Repository creation in progress'],
        ['importing', 'Repository import in progress'],
        ['forking', 'Repository fork in progress'],
      ] as const) {
        become(status);
        for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
          for (const reply of [
            await discover(unready, { service }),
            await post(unready, Buffer.from('zzzz'), { service, headers: { 'content-type': 'x/y' } }),
          ]) {
            expect([status, reply.status, reply.body.toString()]).toEqual([status, 409, text]);
            expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
          }
        }
        expect((await discover(reader, { service: 'git-receive-pack' })).status).toBe(403);
      }
      become('ready');
      expect((await discover(unready)).status).toBe(200);
    } finally {
      database.close();
    }
  });

  it('GIT-031, LIM-053, GIT-008: too many requests to a repo are 429, told after the credential and before the scope', async () => {
    const busy = await server.createRepo('busy');
    const reader = { ...busy, token: (await mint('busy', { scope: 'read' })).plaintext };
    const statuses = new Set<number>();
    for (let i = 0; i < 8; i++) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => discover(busy)));
      for (const { status } of replies) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
    for (const reply of [
      await discover(busy),
      await post(busy, flush),
      await discover(reader, { service: 'git-receive-pack' }),
    ]) {
      expect([reply.status, reply.body.toString()]).toEqual([429, 'Rate limit exceeded']);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3000);
      expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    }
    expect((await discover({ ...busy, token: 'x' })).body.toString()).toBe('Invalid or expired token');
    expect((await ask(busy.remote, undefined)).status).toBe(401);
    const quiet = await server.createRepo('quiet');
    expect((await discover(quiet)).status).toBe(200);
  });
});
