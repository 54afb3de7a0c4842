import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Case } from '../core/case.ts';
import type { Context, TagIdentity } from '../core/context.ts';
import type { Target } from '../core/target.ts';
import type { Report } from '../report/report.ts';
import { madeUp } from '../run/made-up-case.test.util.ts';
import { runCases } from '../run/run-cases.ts';

interface FakeTags {
  /** Bodies of records by `place type/id`, as the service has them. */
  readonly records: Map<string, string>;
  /** `METHOD path token` of each request. */
  readonly requests: string[];
  intercept: (method: string, path: string) => Response | undefined;
  run(run: Case['run'], more?: Partial<Case> & { readonly timeLimit?: number }): Promise<Report>;
}

/** Creates a fake service for these tests that only stores records. */
function fakeTags(): FakeTags {
  const fake: FakeTags = {
    records: new Map(),
    requests: [],
    intercept: () => undefined,
    async run(run, { timeLimit = 60_000, ...testCase } = {}) {
      const target: Target = {
        name: 'made up',
        origin: 'http://fake.test',
        dialect: 'neutral',
        account: 'local',
        apiToken: 'token-of-local',
        other: { account: 'other', apiToken: 'token-of-other' },
        zoneId: 'zone-local',
        fetch: answer,
      };
      return await runCases({ target, timeLimit, cases: [madeUp(run, testCase)] });
    },
  };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    fake.requests.push(`${request.method} ${pathname} ${request.headers.get('authorization')?.slice(7)}`);
    const text = await request.text();
    const instead = fake.intercept(request.method, pathname);
    const { resource_type: type, resource_id: id } = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
    const key = `${pathname} ${type}/${id}`;
    // A request without a reply took effect nevertheless.
    if (request.method === 'PUT' && instead === undefined) fake.records.set(key, text);
    if (instead !== undefined) return instead;
    if (request.method === 'DELETE') {
      fake.records.delete(key);
      return new Response(null, { status: 204 });
    }
    return Response.json({ result: { id, type }, success: true, errors: [], messages: [] });
  };
  return fake;
}

describe('tags that a case set', () => {
  it('are removed from accounts and zones with the token of each, regardless of the rest of the body', async () => {
    const service = fakeTags();
    const report = await service.run(
      async (t) => {
        await t.setTags({ resource_type: 'worker', resource_id: t.name() }, { a: 'b' });
        await t.setTags(
          { resource_type: 'worker_version', resource_id: t.name(), worker_id: 'w' },
          {},
          { at: { account: t.other.account }, token: t.other.apiToken },
        );
        await t.setTags({ resource_type: 'dns_record', resource_id: t.name() }, {}, { at: 'zone' });
        assert.equal(service.records.size, 3);
      },
      { needs: ['zone id', 'other account'] },
    );
    expect(report.cases[0]?.failure).toBeNull();
    expect(report.left_behind).toEqual([]);
    expect([...service.records.keys()]).toEqual([]);
    expect(service.requests.slice(3).toSorted()).toEqual([
      'DELETE /v4/accounts/local/tags token-of-local',
      'DELETE /v4/accounts/other/tags token-of-other',
      'DELETE /v4/zones/zone-local/tags token-of-local',
    ]);
  });

  it('are not removed again if the case did so, unless it set them again', async () => {
    const service = fakeTags();
    await service.run(async (t) => {
      const [gone, again] = [t.name(), t.name()].map((resource_id) => ({ resource_type: 'worker', resource_id }));
      for (const resource of [gone, again]) {
        await t.setTags(resource as TagIdentity, {});
        await t.tags('DELETE', '/tags', { body: resource });
      }
      await t.setTags(again as TagIdentity, {});
    });
    expect(service.requests.filter((line) => line.startsWith('DELETE'))).toHaveLength(3);
    expect([...service.records.keys()]).toEqual([]);
  });

  it('are set once by cases that share them, and removed at the end of the run', async () => {
    const service = fakeTags();
    const made = async (t: Context): Promise<string> =>
      await t.shared('made-up', async (shared) => {
        const resource = { resource_type: 'worker', resource_id: shared.name() };
        return (await shared.setTags(resource, {})).id;
      });
    await service.run(async (t) => {
      assert.equal(await made(t), await made(t));
      assert.equal(service.records.size, 1);
    });
    expect(service.requests).toHaveLength(2);
    expect([...service.records.keys()]).toEqual([]);
  });

  it('are removed even if setting them was never confirmed', async () => {
    const service = fakeTags();
    let id = '';
    service.intercept = (method, path) => {
      if (method !== 'PUT') return undefined;
      service.records.set(`${path} worker/${id}`, '');
      throw new TypeError('fetch failed');
    };
    await service.run(async (t) => {
      id = t.name();
      await t.setTags({ resource_type: 'worker', resource_id: id }, {});
    });
    expect(service.requests.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect([...service.records.keys()]).toEqual([]);
  });

  it('are removed under any id, if the service confirmed them, except those of an account or zone', async () => {
    const service = fakeTags();
    await service.run(
      async (t) => {
        await t.setTags({ resource_type: 'repository', resource_id: 'k3v9p0x2m7q4w8zt' }, {});
        await t.setTags({ resource_type: 'account', resource_id: 'local' }, {});
        await t.setTags({ resource_type: 'zone', resource_id: 'zone-local' }, {}, { at: 'zone' });
      },
      { needs: ['zone id'] },
    );
    expect([...service.records.keys()]).toEqual([
      '/v4/accounts/local/tags account/local',
      '/v4/zones/zone-local/tags zone/zone-local',
    ]);
  });

  it('are not removed if setting them was refused', async () => {
    const service = fakeTags();
    service.intercept = () => new Response(null, { status: 400 });
    const report = await service.run(
      async (t) => void (await t.setTags({ resource_type: 'x', resource_id: t.name() }, {})),
    );
    expect(report.counts.fail).toBe(1);
    expect(service.requests.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  it('are not reported if their refusal was never seen', async () => {
    const service = fakeTags();
    service.intercept = (method) => {
      if (method === 'PUT') throw new TypeError('fetch failed');
      return new Response(null, { status: 400 });
    };
    const report = await service.run(
      async (t) => void (await t.setTags({ resource_type: 'x', resource_id: t.name() }, {})),
    );
    expect(service.requests.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect(report.left_behind).toEqual([]);
  });

  it('are reported if they cannot be removed', async () => {
    const service = fakeTags();
    service.intercept = (method) => (method === 'DELETE' ? new Response(null, { status: 500 }) : undefined);
    const report = await service.run(
      async (t) => void (await t.setTags({ resource_type: 'worker', resource_id: t.name() }, {})),
    );
    expect(report.left_behind).toEqual([
      expect.stringMatching(/^tags of \{"resource_type":"worker","resource_id":"ct-.+"\}: DELETE was answered 500$/),
    ]);
  });

  it('are given up if the service no longer answers', async () => {
    const service = fakeTags();
    service.intercept = (method) => {
      if (method === 'DELETE') throw new TypeError('fetch failed');
      return undefined;
    };
    const report = await service.run(async (t) => {
      for (let i = 0; i < 20; i++) await t.setTags({ resource_type: 'worker', resource_id: t.name() }, {});
    });
    expect(service.requests.filter((line) => line.startsWith('DELETE')).length).toBeLessThan(6);
    expect(report.left_behind.join('\n')).toMatch(/ and of 1[4-9] more: fetch failed/);
  });
});

describe('a resource that a directory does not know (TAG-054)', () => {
  const unknown = (): Response =>
    Response.json(
      { result: null, success: false, errors: [{ code: 10200, message: 'resource not found: type=x id=y' }] },
      { status: 404 },
    );
  const ofZone: Case['run'] = async (t) =>
    void (await t.setTags({ resource_type: 'dns_record', resource_id: t.name() }, {}, { at: 'zone' }));

  it('leaves a case about a zone skipped', async () => {
    const service = fakeTags();
    service.intercept = unknown;
    const { cases } = await service.run(ofZone, { needs: ['zone id'] });
    expect(cases[0]).toMatchObject({
      status: 'skipped',
      reason: 'needs a zone where any id of the type dns_record is taken',
    });
  });

  it('fails a case about an account, and any other refusal fails one about a zone', async () => {
    const service = fakeTags();
    service.intercept = unknown;
    const ofAccount = await service.run(async (t) => {
      await t.setTags({ resource_type: 'worker', resource_id: t.name() }, {});
    });
    expect(ofAccount.counts.fail).toBe(1);
    service.intercept = () => new Response(null, { status: 404 });
    expect((await service.run(ofZone, { needs: ['zone id'] })).counts.fail).toBe(1);
  });
});

describe('the rate of tagging', () => {
  /** Refuses the first requests, as many as given. */
  const meagre = (service: FakeTags, refused: number, after: string): void => {
    service.intercept = () =>
      refused-- > 0 ? new Response(null, { status: 429, headers: { 'retry-after': after } }) : undefined;
  };

  it('is waited for, and the wait does not count towards the time of the case', async () => {
    const service = fakeTags();
    meagre(service, 1, '1');
    let status = 0;
    const report = await service.run(async (t) => void ({ status } = await t.tags('GET', '/tags/keys')), {
      timeLimit: 500,
    });
    expect(report.counts.pass).toBe(1);
    expect(status).toBe(200);
    expect(service.requests).toHaveLength(2);
  });

  it.each([
    ['told not to', 1, '0', { waits: false }],
    ['too long', 1, '3600', {}],
    ['too often', 9, '0', {}],
    ['without saying how long', 1, 'soon', {}],
  ])('is not waited for if %s', async (_why, refused, after, options) => {
    const service = fakeTags();
    meagre(service, refused, after);
    let status = 0;
    await service.run(async (t) => void ({ status } = await t.tags('GET', '/tags/keys', options)));
    expect(status).toBe(429);
  });
});

it('the note of a passing case is in the report', async () => {
  const { cases } = await fakeTags().run(async (t) => t.note('mode 404'));
  expect(cases[0]).toMatchObject({ status: 'pass', reason: 'mode 404' });
});
