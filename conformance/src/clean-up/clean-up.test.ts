import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../run/fake-service.test.util.ts';
import { madeUp } from '../run/made-up-case.test.util.ts';
import { runCases } from '../run/run-cases.ts';

describe('everything that a case created', () => {
  it.each([
    ['passed', async (): Promise<void> => undefined],
    ['failed', async (): Promise<void> => assert.fail('no')],
    ['broke', async (): Promise<void> => Promise.reject(new TypeError('no'))],
    ['ran out of time', async (): Promise<void> => await new Promise(() => undefined)],
  ])('is removed after it %s', async (_how, end) => {
    const service = fakeService();
    const { left_behind: left } = await runCases({
      target: service.target,
      timeLimit: 100,
      cases: [
        madeUp(async (t) => {
          await t.createRepo();
          await t.createRepo({ namespace: t.name('elsewhere') });
          await t.rest('POST', '/namespaces', { body: { namespace: t.name('empty') } });
          expect(service.namespaces.size).toBe(3);
          await end();
        }),
      ],
    });
    expect([...service.namespaces.keys()]).toEqual([]);
    expect(left).toEqual([]);
  });

  it('is removed under any name, if the service confirmed its creation', async () => {
    const service = fakeService();
    service.namespaces.set('local/default', new Set(['precious']));
    await runCases({
      target: service.target,
      cases: [
        madeUp(async (t) => {
          await t.createRepo({ namespace: 'default', name: 'stray' });
          await t.rest('POST', '/namespaces', { body: { namespace: 'any-name' } });
          await t.createRepo({ namespace: 'any-name' });
        }),
      ],
    });
    expect([...service.namespaces]).toEqual([['local/default', new Set(['precious'])]]);
  });

  it('is removed even if its creation was never confirmed', async () => {
    const service = fakeService();
    let made = '';
    service.intercept = (method, path) => {
      if (method !== 'POST') return undefined;
      made = path.split('/')[6] as string;
      service.namespaces.set(`local/${made}`, new Set(['unheard']));
      throw new TypeError('fetch failed');
    };
    await runCases({ target: service.target, cases: [madeUp(async (t) => void (await t.createRepo()))] });
    expect(made).toMatch(/^ct-/);
    expect([...service.namespaces]).toEqual([]);
  });

  it('is removed from the other account with its own token', async () => {
    const service = fakeService({ other: { account: 'other', apiToken: 'token-of-the-other-account' } });
    const run = madeUp(
      async (t) => {
        const base = t.base.replace('/local/', '/other/');
        await t.rest('POST', `/namespaces/${t.namespace}/repos`, {
          base,
          token: t.other.apiToken,
          body: { name: 'x' },
        });
        expect([...service.namespaces.keys()]).toEqual([`other/${t.namespace}`]);
      },
      { needs: ['other account'] },
    );
    const report = await runCases({ target: service.target, cases: [run] });
    expect(report.counts.pass).toBe(1);
    expect([...service.namespaces]).toEqual([]);
  });

  it('is removed by path if the case created it by hand', async () => {
    const service = fakeService();
    await runCases({
      target: service.target,
      cases: [
        madeUp(async (t) => {
          service.namespaces.set('local/by hand', new Set(['a', 'b']));
          t.removeLater('/namespaces/by%20hand');
        }),
      ],
    });
    expect([...service.namespaces]).toEqual([]);
  });

  it('is reported if it cannot be removed', async () => {
    const service = fakeService();
    service.intercept = (method) => (method === 'DELETE' ? new Response(null, { status: 500 }) : undefined);
    const report = await runCases({
      target: service.target,
      cases: [madeUp(async (t) => void (await t.createRepo({ name: 'x' })))],
    });
    expect(report.counts.pass).toBe(1);
    expect(report.left_behind).toEqual([
      expect.stringMatching(/^local\/ct-[0-9a-f]{8}-ns-\d+: DELETE \/namespaces\/ct-\S+\/repos\/x was answered 500$/),
    ]);
  });

  it('is left to a deployment that is thrown away', async () => {
    const another = fakeService({ close: async () => undefined });
    const { target } = fakeService({ configured: async () => another.target });
    await runCases({ target, cases: [madeUp(async (t) => void (await t.createRepo()), { settings: {} })] });
    expect(another.requests.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  it('is removed when the run is stopped, and no further case begins', async () => {
    const service = fakeService();
    const stop = new AbortController();
    const report = await runCases({
      target: service.target,
      signal: stop.signal,
      concurrency: 1,
      cases: [
        madeUp(
          async (t) => {
            await t.createRepo();
            stop.abort();
            await new Promise(() => undefined);
          },
          { id: 'a' },
        ),
        madeUp(async () => assert.fail('it ran'), { id: 'b' }),
      ],
    });
    expect(report.interrupted).toBe(true);
    expect(report.cases.map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'the run was stopped'],
      ['skipped', 'the run was stopped'],
    ]);
    expect([...service.namespaces]).toEqual([]);
  });

  it('is also removed from this machine', async () => {
    const folders: string[] = [];
    await runCases({
      target: fakeService().target,
      cases: [
        madeUp(async (t) => {
          folders.push(await t.folder(), await t.folder());
          await writeFile(join(folders[0] as string, 'file'), 'x');
          assert.fail('no');
        }),
      ],
    });
    expect(new Set(folders).size).toBe(2);
    expect(folders.map((folder) => existsSync(dirname(dirname(folder))))).toEqual([false, false]);
  });
});
