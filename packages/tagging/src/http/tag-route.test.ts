import { describe, expect, it } from 'vitest';
import { accountOf, tagRoute } from './tag-route.ts';

const account = { account: 'a1' };

describe('tagRoute', () => {
  it.each([
    ['/accounts/a1/tags', { kind: 'tags', where: account }],
    ['/zones/z1/tags', { kind: 'tags', where: { zone: 'z1' } }],
    ['/accounts/a1/tags/resources', { kind: 'resources', where: account }],
    ['/accounts/a1/tags/keys', { kind: 'keys', where: account }],
    ['/accounts/a1/tags/summary', { kind: 'summary', where: account }],
    ['/accounts/a1/tags/values/team', { kind: 'values', where: account, key: 'team' }],
  ])('TAG-001 to TAG-010: reads %s', (path, route) => {
    expect(tagRoute(path)).toEqual(route);
  });

  it.each([
    ['/accounts/a1/tags/values', ''],
    ['/accounts/a1/tags/values/', ''],
    ['/accounts/a1/tags/values/%FF', '%FF'],
    ['/accounts/a1/tags/values/a%2Fb', 'a%2Fb'],
    ['/accounts/a1/tags/values/%', '%'],
    ['/accounts/a1/tags/values/a+b', 'a+b'],
  ])('TAG-012, TAG-074, TAG-181: leaves the key of %s encoded', (path, key) => {
    expect(tagRoute(path)).toEqual({ kind: 'values', where: account, key });
  });

  it.each([
    '/accounts/a1/tags/',
    '/accounts/a1/tags//keys',
    '/accounts/a1/tags/keys/',
    '/accounts/a1/tags/resources/x',
    '/accounts/a1/tags/values/a/',
    '/accounts/a1/tags/values/a/b',
    '/accounts/a1/tags/values//',
    '/accounts/a1/tags/Keys',
    '/accounts/a1/tags/environment',
    '/accounts/a1/tags/%6Beys',
    '/zones/z1/tags/',
    '/zones/z1/tags/keys',
    '/zones/z1/tags/values/a',
    '/accounts//tags',
    '/accounts/a.1/tags',
    `/accounts/${'a'.repeat(65)}/tags/keys`,
    '/zones/%7A1/tags',
  ])('TAG-012: has no route for %s', (path) => {
    expect(tagRoute(path)).toBe('none');
  });

  it.each([
    '',
    '/',
    '/accounts/a1',
    '/accounts/a1/tagsx',
    '/accounts/a1/Tags',
    '/accounts/a1/x/tags',
    '/zones/z1',
    '/tags',
  ])('ignores %j', (path) => {
    expect(tagRoute(path)).toBe(undefined);
  });

  it('returns the account of a path, but not the owner of a zone', () => {
    expect(accountOf({ kind: 'tags', where: account })).toBe('a1');
    expect(accountOf({ kind: 'tags', where: { zone: 'z1' } })).toBe(undefined);
    expect(accountOf('none')).toBe(undefined);
  });
});
