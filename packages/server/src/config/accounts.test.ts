import { describe, expect, it } from 'vitest';
import { neutral } from '@packhouse/hosting';
import { resolveServiceSettings, type ApiTokenEntry, type ServiceSettings } from '@packhouse/router';
import { ownToken, servedAccounts } from './accounts.ts';

const token = 'abcdefghijklmnop';
const accountToken = (account: string): ApiTokenEntry => ({ token, account, permissions: ['edit'] });
const zoneToken = (zone: string): ApiTokenEntry => ({ token, zone, permissions: ['tag.write'] });

const served = (settings: Partial<ServiceSettings>, ...api_tokens: readonly ApiTokenEntry[]): readonly string[] =>
  servedAccounts({}, { api_tokens, settings });

describe('the accounts served', () => {
  it('are those of the configuration, or the one of the command line', () => {
    expect(served({ accounts: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(servedAccounts({ account: 'mine' }, { settings: {} })).toEqual(['mine']);
    expect(served({})).toEqual(['local']);
  });

  it('are with "any" those that tokens and zones name', () => {
    const settings = { accounts: 'any', zones: { z1: 'owner', z2: 'local' } } as const;
    expect(served(settings, accountToken('a'), zoneToken('z1'))).toEqual(['local', 'a', 'owner']);
  });

  it('TAG-018: have every token of an account or zone that is one', () => {
    const settings = { accounts: ['a'], zones: { z1: 'a' } };
    expect(served(settings, accountToken('a'), zoneToken('z1'))).toEqual(['a']);
    expect(() => served(settings, accountToken('a'), accountToken('b'))).toThrow(
      'api_tokens[1].account: "b" is none of the accounts served (a).',
    );
    expect(() => served(settings, zoneToken('z2'))).toThrow('api_tokens[0].zone: "z2" is none of "zones" (z1).');
    expect(() => served({}, zoneToken('z2'))).toThrow('"z2" is none of "zones" (there are none).');
  });
});

it('TAG-018: a zone of an account that is not served stops the start', () => {
  const zones = { z1: 'local', z2: 'other' };
  expect(() => resolveServiceSettings({ zones }, neutral)).toThrow(
    'zones must not have the zone "z2" of the account "other", which is none of those served (TAG-018)',
  );
  expect(resolveServiceSettings({ zones, accounts: 'any' }, neutral).zones).toEqual(zones);
  expect(resolveServiceSettings({ zones, accounts: ['local', 'other'] }, neutral).zones).toEqual(zones);
});

it('TAG-017: the token of the server may do everything in each account', () => {
  expect(ownToken(token, ['a', 'b'])).toEqual(
    ['a', 'b'].map((account) => ({ token, account, permissions: ['read', 'edit', 'tag.read', 'tag.write'] })),
  );
});
