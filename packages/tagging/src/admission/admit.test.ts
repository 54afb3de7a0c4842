import { describe, expect, it } from 'vitest';
import { type Grant, createRateLimiter } from '@packhouse/base';
import { createAdmission } from './admit.ts';
import { listedZones } from './listed-zones.ts';

const [a1, z1] = [{ account: 'a1' }, { zone: 'z1' }];

function admission(grants: Readonly<Record<string, readonly Grant[]>>, rate = { requests: 100, seconds: 300 }) {
  let now = 0;
  const asked: string[] = [];
  const zones = listedZones({ z1: 'a1', z2: 'a1', z3: 'a2' });
  const admit = createAdmission({
    // Any form of credential is allowed (TAG-020).
    async authorize(request) {
      const credential = request.headers.get('x-key') ?? '';
      const known = grants[credential];
      return known && { credential, grants: known };
    },
    zones: {
      accountOf(zone) {
        asked.push(zone);
        return zones.accountOf(zone);
      },
    },
    limiter: createRateLimiter(rate, { now: () => now }),
  });
  return {
    asked,
    wait: (milliseconds: number) => void (now += milliseconds),
    admit: (key: string, where: Parameters<typeof admit>[1], permission: 'read' | 'write') =>
      admit(new Request('http://host/', { headers: { 'x-key': key } }), where, permission),
  };
}

const permissions = ['Tag Read', 'Tag Write', 'tag.read', 'tag.list', 'tag.write'];

describe('admission to tags', () => {
  it('TAG-016: replies 401 without a valid credential, before it asks for the zone', async () => {
    const { admit, asked } = admission({});
    await expect(admit('none', z1, 'read')).rejects.toMatchObject({ kind: 'authentication', status: 401 });
    expect(asked).toEqual([]);
  });

  it.each([...permissions, 'Repos Edit', 'tag.*', ''])(
    'TAG-017: %s allows reading or writing as listed',
    async (permission) => {
      const { admit } = admission({ key: [{ account: 'a1', permission }] });
      const may = async (what: 'read' | 'write'): Promise<boolean> =>
        admit('key', a1, what).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ kind: 'permission', status: 403, message: 'Insufficient permission' });
            return false;
          },
        );
      expect(await may('read')).toBe(permissions.includes(permission));
      expect(await may('write')).toBe(['Tag Write', 'tag.write'].includes(permission));
    },
  );

  it('TAG-018: a grant for an account covers all its zones', async () => {
    const { admit } = admission({ key: [{ account: 'a1', permission: 'tag.read' }] });
    expect(await admit('key', a1, 'read')).toEqual({ account: 'a1', zone: null });
    expect(await admit('key', z1, 'read')).toEqual({ account: 'a1', zone: 'z1' });
    expect(await admit('key', { zone: 'z2' }, 'read')).toEqual({ account: 'a1', zone: 'z2' });
    await expect(admit('key', { zone: 'z3' }, 'read')).rejects.toMatchObject({ kind: 'permission' });
    await expect(admit('key', { account: 'a2' }, 'read')).rejects.toMatchObject({ kind: 'permission' });
  });

  it('TAG-018: a grant for a zone covers only that zone', async () => {
    const { admit } = admission({ key: [{ zone: 'z1', permission: 'tag.write' }] });
    expect(await admit('key', z1, 'write')).toEqual({ account: 'a1', zone: 'z1' });
    for (const where of [a1, { zone: 'z2' }, { zone: 'z3' }, { account: 'z1' }]) {
      await expect(admit('key', where, 'read')).rejects.toMatchObject({ kind: 'permission' });
    }
  });

  it('TAG-018: one permission in the account and another in a zone do not add up', async () => {
    const { admit } = admission({
      key: [
        { account: 'a1', permission: 'tag.read' },
        { zone: 'z1', permission: 'tag.write' },
      ],
    });
    await admit('key', z1, 'write');
    await expect(admit('key', { zone: 'z2' }, 'write')).rejects.toMatchObject({ kind: 'permission' });
    await expect(admit('key', a1, 'write')).rejects.toMatchObject({ kind: 'permission' });
  });

  it('TAG-019: a missing zone is answered like one that is not covered, even with a grant for it', async () => {
    const { admit } = admission({
      key: ['unknown', '__proto__', 'constructor'].map((zone) => ({ zone, permission: 'Tag Write' })),
    });
    for (const zone of ['unknown', '__proto__', 'constructor', 'z2']) {
      await expect(admit('key', { zone }, 'read')).rejects.toMatchObject({ kind: 'permission', status: 403 });
    }
  });

  it('TAG-144: counts by credential, regardless of account and zone', async () => {
    const grants: Grant[] = [{ account: 'a1', permission: 'Tag Read' }];
    const { admit, wait } = admission({ one: grants, other: grants }, { requests: 2, seconds: 300 });
    await admit('one', a1, 'read');
    await admit('one', z1, 'read');
    wait(1);
    await expect(admit('one', { zone: 'z2' }, 'read')).rejects.toMatchObject({ kind: 'rate', retryAfter: 300 });
    await admit('other', a1, 'read');
    wait(299_999);
    await admit('one', a1, 'read');
  });

  it('TAG-147: checks the permission before the rate, and does not count refused requests', async () => {
    const { admit } = admission({ key: [{ account: 'a1', permission: 'Tag Read' }] }, { requests: 1, seconds: 300 });
    await expect(admit('key', a1, 'write')).rejects.toMatchObject({ kind: 'permission' });
    await admit('key', a1, 'read');
    await expect(admit('key', a1, 'write')).rejects.toMatchObject({ kind: 'permission' });
    await expect(admit('key', a1, 'read')).rejects.toMatchObject({ kind: 'rate' });
  });
});
