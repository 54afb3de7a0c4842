import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../src/environment/configuration.ts';
import type { Environment } from '../src/environment/environment.ts';

const bucket = {} as Environment['PACKS'];
const token = 'long-enough-for-a-token';
const all = ['read', 'edit', 'tag.read', 'tag.write'];

/** An environment with what a deployment must have, and the members given. */
function environment(given: Partial<Environment> = {}): Environment {
  const objects = {} as Environment['REPOS'] & Environment['CATALOGS'];
  const config = { public_url: 'https://git.example.com' };
  return { CATALOGS: objects, REPOS: objects, PACKS: bucket, CONFIG: config, API_TOKEN: token, ...given };
}

describe('the configuration of a Worker', () => {
  it('LIM-052, REPO-101: has its own defaults for the size of a push and for jurisdictions', () => {
    expect(readConfiguration(environment()).settings).toMatchObject({
      push_body_max: 95_000_000,
      jurisdictions: ['unrestricted'],
      accounts: ['local'],
    });
    const bound = environment({ PACKS_EU: bucket, PACKS_US: bucket });
    expect(readConfiguration(bound).settings.jurisdictions).toEqual(['unrestricted', 'eu', 'us']);
  });

  it('takes settings as an object or as JSON text, and tokens from three places', () => {
    const settings = { public_url: 'https://git.example.com', accounts: ['a', 'b'], push_body_max: 7 };
    const read = { account: 'a', permissions: ['read'] as const };
    const config = { ...settings, dialect: 'cloudflare', api_tokens: [{ token: `${token}-1`, ...read }] };
    const secret = JSON.stringify([{ token: `${token}-2`, ...read }]);
    for (const CONFIG of [config, JSON.stringify(config)]) {
      const { dialect, settings: found, apiTokens } = readConfiguration(environment({ CONFIG, API_TOKENS: secret }));
      expect(dialect.name).toBe('cloudflare');
      expect(found).toMatchObject(settings);
      expect(apiTokens).toEqual([
        { token, account: 'a', permissions: all },
        { token, account: 'b', permissions: all },
        { token: `${token}-1`, ...read },
        { token: `${token}-2`, ...read },
      ]);
    }
  });

  it('REPO-200: takes the secrets of the webhook as a secret, shows none of a bad one, and keeps no events', () => {
    const secret = `whsec_${btoa('k'.repeat(32))}`;
    const CONFIG = { public_url: 'https://git.example.com', webhook_url: 'https://hooks.example', events_kept: 60 };
    const found = readConfiguration(environment({ CONFIG, WEBHOOK_SECRETS: JSON.stringify([secret]) })).settings;
    expect(found).toMatchObject({ webhook_url: 'https://hooks.example', webhook_secrets: [secret], events_kept: 0 });
    const bad = environment({ CONFIG, WEBHOOK_SECRETS: JSON.stringify(['whsec_short']) });
    expect(() => readConfiguration(bad)).toThrow(/^webhook_secrets: must be a list of at most 10 secrets[^"]*$/);
    expect(() => readConfiguration(bad)).not.toThrow(/short/);
    expect(() => readConfiguration(environment({ CONFIG }))).toThrow('webhook_secrets must have at least one secret');
  });

  it('TAG-018: the token for everything reaches the accounts that zones belong to, with "any", too', () => {
    const api_tokens = [{ token: `${token}-1`, zone: 'z1', permissions: ['tag.read'] }];
    const config = { public_url: 'https://x.example', accounts: 'any', zones: { z1: 'owner' }, api_tokens };
    const { apiTokens } = readConfiguration(environment({ CONFIG: config }));
    expect(apiTokens).toEqual([
      { token, account: 'local', permissions: all },
      { token, account: 'owner', permissions: all },
      ...api_tokens,
    ]);
  });

  it.each([
    [{ CONFIG: {} }, /^public_url: is missing/],
    [{ CONFIG: '{' }, /^CONFIG: is not JSON \(line 1, column 2\): expected a name/],
    [{ CONFIG: 7 }, /^CONFIG: expected an object$/],
    [{ CONFIG: { public_url: 'https://x.example', blob_maxx: 1 } }, /^blob_maxx: unknown member \(did you mean/],
    [{ CONFIG: { public_url: 'https://x.example', docs_base: 'x' } }, /^docs_base: must be a URL/],
    [{ CONFIG: { public_url: 'nonsense' } }, /^public_url /],
    [
      { CONFIG: { public_url: 'https://x.example', jurisdictions: ['unrestricted', 'eu'] } },
      /bucket is bound for "eu"$/,
    ],
    [{ CONFIG: { public_url: 'https://x.example', zones: { z: 'b' } } }, /^zones must not have the zone "z" of .* "b"/],
    [{ API_TOKEN: '' }, /^API_TOKEN: is missing/],
    [{ API_TOKEN: 's3cret' }, /^API_TOKEN: must be at least 16/],
    [{ API_TOKENS: '[s3cret' }, /^API_TOKENS: is not JSON \(line 1, column 2\): expected a value, or "]"$/],
    [{ API_TOKENS: '[{"token":"s3cret","account":"a","permissions":["read"]}]' }, /^api_tokens\[0\]\.token: expected/],
  ] as const)('REPO-009: names what is wrong in %j, and shows no secret', (given, message) => {
    const read = (): unknown => readConfiguration(environment(given));
    expect(read).toThrow(message);
    expect(read).not.toThrow(/s3cret/);
    expect(read).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  });
});
