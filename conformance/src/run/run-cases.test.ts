import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Case } from '../core/case.ts';
import type { Context } from '../core/context.ts';
import { Skipped } from '../core/outcome.ts';
import type { CaseResult } from '../report/report.ts';
import { blob, pack } from '../tools/made-objects.ts';
import { readPack } from '../tools/pack-contents.ts';
import { reached } from '../tools/reached-objects.ts';
import { listedRefs, push, type Remote } from '../tools/wire-client.ts';
import { fakeService } from './fake-service.test.util.ts';
import { madeUp } from './made-up-case.test.util.ts';
import { runCases, type RunCasesOptions } from './run-cases.ts';

async function only(
  run: Case['run'],
  { more = {}, ...options }: Partial<RunCasesOptions> & { more?: Partial<Case> } = {},
): Promise<CaseResult> {
  const { cases } = await runCases({ target: fakeService().target, cases: [madeUp(run, more)], ...options });
  return cases[0] as CaseResult;
}

function answering(status: number, text: string): Remote {
  return { remote: 'http://fake.test/r.git', token: 'x', fetch: async () => new Response(text, { status }) };
}

/** Returns a pack with a valid checksum, whose one entry is not a zlib stream. */
function packWithBrokenEntry(): Buffer {
  const broken = pack(blob('some text')).subarray(0, -20).fill(0xff, 14);
  return Buffer.concat([broken, createHash('sha1').update(broken).digest()]);
}

it.each([
  ['a request', async (t: Context) => void (await t.tags('GET', '/tags/keys'))],
  ['a repo', async (t: Context) => void (await t.createRepo())],
])('waits for the rate of the service with %s, and reports each wait', async (_what, run) => {
  const service = fakeService();
  let refused = 2;
  service.intercept = () =>
    refused-- > 0 ? new Response(null, { status: 429, headers: { 'retry-after': `0.00${refused}` } }) : undefined;
  const waits: number[] = [];
  const result = await only(run, { target: service.target, onWait: (milliseconds) => waits.push(milliseconds) });
  expect(result.status).toBe('pass');
  expect(waits).toEqual([1, 0]);
});

it.each([
  ['a request', async (t: Context) => void (await t.rest('POST', '/namespaces', { body: { namespace: 'x' } }))],
  ['a repo', async (t: Context) => void (await t.createRepo())],
  ['a push', async (t: Context) => void (await t.git(['push', 'http://fake.test/x.git', 'main']))],
])('refuses to write %s in a case that declares to read only', async (_what, run) => {
  const service = fakeService();
  const result = await only(run, { target: service.target, more: { readOnly: true } });
  expect(result).toMatchObject({
    status: 'error',
    failure: { message: expect.stringContaining('does not declare that it writes') },
  });
  expect(service.requests.filter((line) => line.startsWith('POST '))).toEqual([]);
});

it('skips every other case in a run that only reads', async () => {
  const { target } = fakeService({ readOnly: true });
  const result = await only(async (t) => void (await t.createRepo()), { target });
  expect(result).toMatchObject({ status: 'skipped', reason: 'needs a run that may write' });
});

describe('the status of a case', () => {
  it('is pass if it returns', async () => {
    expect(await only(async () => undefined)).toMatchObject({ status: 'pass', reason: null, failure: null });
  });

  it('is fail for an assertion, with expected and actual value, and place', async () => {
    const result = await only(async () => assert.equal(404, 200, 'a status'));
    expect(result).toMatchObject({
      status: 'fail',
      failure: { message: expect.stringMatching(/^a status\b/), expected: '200', seen: '404', where: null },
    });
  });

  it('is fail if the service does not create a repo', async () => {
    const service = fakeService();
    service.intercept = (method) => (method === 'POST' ? new Response('no', { status: 500 }) : undefined);
    const result = await only(async (t) => void (await t.createRepo()), { target: service.target });
    expect(result).toMatchObject({ status: 'fail', failure: { message: 'a repo was not created: 500 no' } });
  });

  it.each([
    ['a push that is answered 500', async () => void (await push(answering(500, 'no'), [])), '500: no'],
    ['packets that are none', async () => void (await listedRefs(answering(200, '00zz'))), 'broken packet at 0'],
    ['a pack that is none', async () => void readPack(Buffer.alloc(32)), 'a pack without its signature'],
    ['an entry that does not inflate', async () => void readPack(packWithBrokenEntry()), 'does not inflate'],
    ['a history with a hole', async () => void reached(['0'.repeat(40)], new Map()), 'is missing'],
  ])('is fail for %s', async (_what, run, message) => {
    expect(await only(run)).toMatchObject({ status: 'fail', failure: { message: expect.stringContaining(message) } });
  });

  it('is that of the error that a property threw', async () => {
    // Without the reporter of this repository's tests, as for any other user.
    const check = async (property: () => void): Promise<void> =>
      await fc.assert(
        fc.asyncProperty(fc.nat(), async () => property()),
        { numRuns: 1, reporter: throwReport, endOnFailure: true },
      );
    expect(await only(async () => await check(() => assert.equal(1, 2)))).toMatchObject({
      status: 'fail',
      failure: { expected: '2', seen: '1' },
    });
    const broken = await only(
      async () =>
        await check(() => {
          throw new TypeError('undefined is no function');
        }),
    );
    expect(broken.status).toBe('error');
  });

  it('is error for any other error, with its causes', async () => {
    const result = await only(async () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNRESET') });
    });
    expect(result).toMatchObject({
      status: 'error',
      failure: { message: 'TypeError: fetch failed\nbecause: connect ECONNRESET' },
    });
    expect(await only(() => Promise.reject('a text'))).toMatchObject({ status: 'error' });
  });

  it('is error if it does not end in time, and it can do nothing afterwards', async () => {
    const service = fakeService();
    const late = Promise.withResolvers<unknown>();
    const released = Promise.withResolvers<void>();
    const result = await only(
      async (t) => {
        await released.promise;
        await t.createRepo().then(late.resolve, late.resolve);
      },
      { target: service.target, timeLimit: 20 },
    );
    released.resolve();
    expect(result).toMatchObject({
      status: 'error',
      failure: { message: 'Error: the case did not end within 0.02 s (--time-limit)' },
    });
    expect(await late.promise).toBeInstanceOf(Error);
    expect(service.requests.filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('is unsupported or skipped if it says so', async () => {
    expect(await only(async (t) => t.unsupported('filter is not advertised'))).toMatchObject({
      status: 'unsupported',
      reason: 'filter is not advertised',
      failure: null,
    });
    expect(await only(async (t) => t.skip('not today'))).toMatchObject({ status: 'skipped', reason: 'not today' });
  });

  it('is beyond on the public service for any result, if it goes beyond it', async () => {
    const { target } = fakeService({ publicService: true });
    const beyond = { more: { beyond: true }, target };
    expect(await only(async () => assert.fail('it does not'), beyond)).toMatchObject({
      status: 'beyond',
      reason: 'the service does not: it does not',
      failure: null,
    });
    expect(await only(async () => undefined, beyond)).toMatchObject({ status: 'beyond' });
    expect(await only(async () => assert.fail('no'), { target })).toMatchObject({ status: 'fail' });
    expect(await only(async () => assert.fail('no'), { more: { beyond: true } })).toMatchObject({ status: 'fail' });
  });

  it.each([
    [['origin'], 'needs a service that other processes reach'],
    [['git'], 'needs stock git on this machine, and a service that it reaches'],
    [['read token'], 'needs an API token that may only read (CONFORMANCE_READ_TOKEN)'],
    [['other account'], 'needs a second account (CONFORMANCE_OTHER_ACCOUNT, CONFORMANCE_OTHER_API_TOKEN)'],
    [['zone'], 'needs a hostname that serves platform errors (--zone)'],
    [['zone id'], 'needs a zone of the account (--zone-id)'],
    [['event sink'], 'needs a deployment started with a webhook sink on this machine'],
    [['binding'], 'needs a probe beside the binding (--binding-url, CONFORMANCE_BINDING_SECRET)'],
    [['import remote'], 'needs a deployment that imports from a remote on this machine'],
    [['import url'], 'needs a public repository to import (--import-url)'],
    [['maintenance'], 'needs a deployment that maintains what it stores'],
    [['streaming'], 'needs bodies that go out, and come in, as they are made'],
  ] as const)('is skipped if the target lacks %j', async (needs, reason) => {
    const { target } = fakeService({ lacks: ['maintenance', 'streaming'] });
    expect(await only(async () => assert.fail('it ran'), { more: { needs }, target })).toMatchObject({
      status: 'skipped',
      reason,
    });
  });

  it('is not skipped for features that every real service has', async () => {
    const more = { needs: ['maintenance', 'streaming'] } as const;
    expect(await only(async () => undefined, { more })).toMatchObject({ status: 'pass' });
  });

  it('is skipped if the target cannot receive its request, even if it catches the error', async () => {
    const { target } = fakeService({
      fetch: async ({ method }) => {
        throw new Skipped(`needs a way to send ${method}`);
      },
    });
    const expected = { status: 'skipped', reason: 'needs a way to send PUT', failure: null };
    const put = async (t: Context): Promise<Response> => await t.fetch(`${t.origin}/x`, { method: 'PUT' });
    expect(await only(async (t) => void (await put(t)), { target })).toMatchObject(expected);
    expect(await only(async (t) => await assert.rejects(put(t)), { target })).toMatchObject(expected);
  });

  it('is skipped if it needs settings that the target cannot have', async () => {
    const result = await only(async () => assert.fail('it ran'), { more: { settings: { site: 'XYZ' } } });
    expect(result).toMatchObject({
      status: 'skipped',
      reason: 'needs a deployment started with {"site":"XYZ"} (--setting)',
    });
  });

  it('is error if it uses something that it does not list in needs', async () => {
    const { target } = fakeService({ readToken: 'a-token-that-may-read' });
    const result = await only(async (t) => void t.readToken, { target });
    expect(result).toMatchObject({ status: 'error' });
    expect(result.failure?.message).toContain('does not declare to need: read token');
  });

  it('is error for all cases after the target stops answering', async () => {
    const service = fakeService();
    const report = await runCases({
      target: service.target,
      concurrency: 1,
      cases: [
        madeUp(async () => undefined, { id: 'made-up/before' }),
        madeUp(
          async () => {
            service.die();
            assert.equal(1, 2, 'no reply');
          },
          { id: 'made-up/killer' },
        ),
        madeUp(async () => undefined, { id: 'made-up/after' }),
      ],
    });
    expect(report.cases.map(({ id, status }) => [id, status])).toEqual([
      ['made-up/before', 'pass'],
      ['made-up/killer', 'error'],
      ['made-up/after', 'error'],
    ]);
    expect(report.cases[1]?.failure?.message).toMatch(/^the target no longer answers, after: no reply/);
  });
});

describe('a run', () => {
  it('runs no more cases at once than allowed', async () => {
    let running = 0;
    let most = 0;
    const cases = Array.from({ length: 12 }, (_, i) =>
      madeUp(
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 1));
          running -= 1;
        },
        { id: `made-up/${i}` },
      ),
    );
    const report = await runCases({ target: fakeService().target, cases, concurrency: 3 });
    expect(report.counts.pass).toBe(12);
    expect(most).toBe(3);
    expect(report.cases.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
  });

  it('gives each case the same seed again, regardless of other cases', async () => {
    const seeds: number[] = [];
    const cases = ['made-up/a', 'made-up/b'].map((id) => madeUp(async (t) => void seeds.push(t.seed), { id }));
    const { target } = fakeService();
    const first = await runCases({ target, cases });
    await runCases({ target, cases: cases.slice(1), seed: first.seed });
    expect(seeds[2]).toBe(seeds[1]);
    expect(seeds[0]).not.toBe(seeds[1]);
    expect(first.cases.map(({ seed }) => seed)).toEqual(seeds.slice(0, 2));
    expect((await runCases({ target, cases })).seed).not.toBe(first.seed);
  });

  it('starts one deployment for each set of settings, and closes it after its last case', async () => {
    const events: string[] = [];
    const target = fakeService({
      async configured(settings) {
        events.push(`open ${JSON.stringify(settings)}`);
        return fakeService({ name: 'another', close: async () => void events.push('close') }).target;
      },
    }).target;
    const cases = [
      madeUp(async (t) => void events.push(`1 ${(await t.createRepo()).id.length}`), {
        id: 'a',
        settings: { x: 1, y: 2 },
      }),
      madeUp(async () => void events.push('plain'), { id: 'b' }),
      madeUp(async () => void events.push('2'), { id: 'c', settings: { z: 1 } }),
      madeUp(async () => void events.push('3'), { id: 'd', settings: { y: 2, x: 1 } }),
    ];
    const report = await runCases({ target, cases, concurrency: 1 });
    expect(report.counts.pass).toBe(4);
    expect(events).toEqual(['open {"x":1,"y":2}', '1 16', '3', 'close', 'open {"z":1}', '2', 'close', 'plain']);
  });

  it('begins with slow cases, and ends with short ones of the target', async () => {
    const began: string[] = [];
    const made = (id: string, more: object): Case => madeUp(async () => void began.push(id), { id, ...more });
    const { target } = fakeService({ configured: async () => fakeService().target });
    const [x, y] = [{ settings: { x: 1 } }, { settings: { y: 1 } }];
    const cases = [
      made('short', {}),
      made('slow', { slow: true }),
      made('short x', x),
      made('short y', y),
      made('slow y', { ...y, slow: true }),
    ];
    await runCases({ target, cases, concurrency: 1 });
    expect(began).toEqual(['slow', 'slow y', 'short y', 'short x', 'short']);
  });

  it('reports settings with which no deployment starts', async () => {
    const { target } = fakeService({ configured: () => Promise.reject(new Error('port taken')) });
    const settings = { site: 'XYZ' };
    const result = await only(async () => undefined, { target, more: { settings } });
    expect(result).toMatchObject({
      status: 'error',
      failure: { message: 'no deployment with {"site":"XYZ"}: port taken' },
    });
  });

  it('continues if a deployment fails to close, and reports it', async () => {
    const close = (): Promise<never> => Promise.reject(new Error('the server logged 1 errors'));
    const { target } = fakeService({ configured: async () => fakeService({ close }).target });
    const cases = [1, 2, 3].map((n) => madeUp(async () => undefined, { id: `made-up/${n}`, settings: { n } }));
    const report = await runCases({ target, cases, concurrency: 1 });
    expect(report.counts.pass).toBe(3);
    expect(report.left_behind).toEqual(
      [1, 2, 3].map((n) => `the deployment with {"n":${n}}: the server logged 1 errors`),
    );
  });

  it('reports each requirement with the results of its cases', async () => {
    const report = await runCases({
      target: fakeService().target,
      cases: [
        madeUp(async () => undefined, { id: 'a', requirements: ['GIT-001', 'GIT-002'] }),
        madeUp(async () => assert.fail('no'), { id: 'b', requirements: ['GIT-002'] }),
        madeUp(async (t) => t.skip('later'), { id: 'c', requirements: ['GIT-001', 'GIT-003'] }),
      ],
    });
    expect(report.requirements).toEqual([
      { id: 'GIT-001', status: 'pass', cases: ['a', 'c'] },
      { id: 'GIT-002', status: 'fail', cases: ['a', 'b'] },
      { id: 'GIT-003', status: 'skipped', cases: ['c'] },
    ]);
    expect(report.counts).toEqual({ pass: 1, fail: 1, error: 0, beyond: 0, unsupported: 0, skipped: 1 });
  });
});

/** The default reporter of fast-check. */
function throwReport<Values>(run: fc.RunDetails<Values>): void {
  if (run.failed) throw new Error(fc.defaultReportMessage(run) ?? '', { cause: run.errorInstance });
}
