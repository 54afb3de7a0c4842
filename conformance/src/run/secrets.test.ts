import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { junitReport } from '../forms/junit.ts';
import { reportText } from '../forms/text.ts';
import { fakeApiToken, fakeService } from './fake-service.test.util.ts';
import { madeUp } from './made-up-case.test.util.ts';
import { runCases } from './run-cases.ts';
import { Secrets } from '../core/secrets.ts';

const digits = '0123456789abcdef0123456789abcdef01234567';

describe('texts that leave the runner', () => {
  it.each([
    ['a remembered token', `x ${fakeApiToken} y`, 'x [token] y'],
    ['its digits alone', `secret ${digits} here`, 'secret [token] here'],
    ['a repo token nobody remembered', `rht_v1_${'9'.repeat(40)}?expires=1700000000.`, '[token].'],
    [
      'one of the other dialect, in a URL',
      `http://x:art_v2_x_${'9'.repeat(40)}%3Fexpires%3D17@h/`,
      'http://x:[token]@h/',
    ],
    ['a basic credential', 'Authorization: Basic eDpzZWNyZXQtc2VjcmV0', 'Authorization: Basic [token]'],
    ['a bearer credential', 'authorization: bearer something.else_1', 'authorization: bearer [token]'],
  ])('do not contain %s', (_what, text, clean) => {
    const secrets = new Secrets();
    secrets.add(fakeApiToken);
    secrets.add(`rht_v1_${digits}?expires=1700000000`);
    expect(secrets.scrub(text)).toBe(clean);
  });

  it('keep harmless text', () => {
    const secrets = new Secrets();
    secrets.add('short');
    const text = `short WWW-Authenticate: Basic realm="repos", object ${'a'.repeat(40)}, Bearer`;
    expect(secrets.scrub(text)).toBe(text);
  });
});

it('REPO-009: no report contains a token, wherever a case put it', async () => {
  const more = {
    readToken: 'the-token-that-may-read',
    other: { account: 'other', apiToken: 'the-token-of-the-other' },
  };
  const service = fakeService(more);
  const all = ['read token', 'other account'] as const;
  const leak = (text: (tokens: string) => never | Promise<never>, id: string): ReturnType<typeof madeUp> =>
    madeUp(
      async (t) => {
        const repo = await t.createRepo();
        const token = await t.mintToken(repo);
        await text([t.apiToken, t.readToken, t.other.apiToken, repo.token, token].join(' '));
      },
      { id, needs: all },
    );
  const report = await runCases({
    target: service.target,
    cases: [
      leak((tokens) => assert.fail(tokens), 'message'),
      leak((tokens) => assert.equal(tokens, 'other') as never, 'seen'),
      leak((tokens) => assert.equal('other', tokens) as never, 'expected'),
      leak((tokens) => assert.deepEqual([{ tokens }], [tokens]) as never, 'deep'),
      leak((tokens) => Promise.reject(new TypeError('x', { cause: new Error(tokens) })), 'cause'),
      madeUp(async (t) => t.unsupported(`${t.apiToken} is refused`), { id: 'evidence' }),
      madeUp(async (t) => t.skip(`${t.apiToken} is refused`), { id: 'reason' }),
    ],
  });
  expect(report.counts).toMatchObject({ fail: 4, error: 1, unsupported: 1, skipped: 1 });
  const texts = [JSON.stringify(report), junitReport(report), reportText(report, (id) => id)].join('\n');
  const secrets = [fakeApiToken, more.readToken, more.other.apiToken, ...service.minted];
  expect(service.minted.length).toBe(10);
  for (const secret of secrets) {
    expect(texts).not.toContain(secret);
    expect(texts).not.toContain(/[0-9a-f]{40}/.exec(secret)?.[0] ?? secret);
  }
});

it('REPO-009: a cut text never contains half of a token', async () => {
  const { target } = fakeService();
  const before = fakeApiToken.slice(0, 20);
  for (let length = 3_960; length < 4_000; length += 5) {
    const text = `${' '.repeat(length)}${fakeApiToken} `.repeat(3);
    const cases = [
      madeUp(async () => assert.fail(text), { id: 'message' }),
      madeUp(async () => assert.equal(text, 'other'), { id: 'text' }),
      madeUp(async () => assert.deepEqual([text], []), { id: 'deep' }),
    ];
    expect(JSON.stringify(await runCases({ target, cases }))).not.toContain(before);
  }
});

it('no report contains the password of a Git server', async () => {
  const password = 'correct-horse-battery';
  const authorization = `Basic ${btoa(`ada:${password}`)}`;
  const report = await runCases({
    target: { ...fakeService().target, git: { url: 'http://fake.test/{name}.git', authorization } },
    cases: [madeUp(async () => assert.fail(`${password} is not the password, nor is ${authorization.slice(6)}`))],
  });
  expect(report.cases[0]?.failure?.message).toContain('[token] is not the password, nor is [token]');
});
