import { describe, expect, it } from 'vitest';
import { neutral } from '../dialect/neutral.ts';
import { isoTime, randomIds } from '@packhouse/base';
import { readCursor, writeCursor } from '../lists/cursor.ts';
import { mintToken } from '../tokens/mint.ts';
import { settingRules } from './rules.ts';
import { resolveSettings, type Settings } from './settings.ts';

const resolve = (given: Partial<Settings> | Record<string, unknown>) =>
  resolveSettings(given as Partial<Settings>, neutral);

const webhookSecret = `whsec_${btoa('k'.repeat(24))}`;

describe('resolveSettings', () => {
  it('LIM: the defaults are those of the specification', () => {
    expect(resolve({})).toMatchObject({
      public_url: 'http://127.0.0.1:8787',
      docs_base: 'http://127.0.0.1:8787/docs',
      site: 'LOC',
      rate_rest: { requests: 2000, seconds: 10 },
      repo_name_max: 512,
      description_max: 1024,
      rest_body_max: 1_048_576,
      token_history: 100,
      account_storage_max: 1_099_511_627_776,
      delete_memory: 600,
      cors_origins: [],
      deny_non_fast_forward: false,
      deny_delete_default: false,
      hidden_refs: [],
      strict_objects: true,
      repo_storage_max: 1_073_741_824,
      blob_max: 33_554_432,
      commit_body_max: 67_108_864,
      push_body_max: 1_073_741_824,
      rate_git: { requests: 2000, seconds: 10 },
      push_commands_max: 10_000,
      object_max: 33_554_432,
      fetch_body_max: 16_777_216,
      request_memory_max: 201_326_592,
      gc_grace: 86_400,
      stale_want_grace: 600,
    });
  });

  it.each([
    [{ site: 'loc' }, 'site must be three upper-case letters (REPO-007)'],
    [
      { rate_git: { requests: 0, seconds: 1 } },
      'rate_git must have the members requests and seconds, integers from 1 to 1000000000 and from 1 to 86400',
    ],
    [
      { rate_git: { requests: 1, seconds: 86_401 } },
      'rate_git must have the members requests and seconds, integers from 1 to 1000000000 and from 1 to 86400',
    ],
    [{ rate_rest: 5 }, 'rate_rest must have the members requests'],
    [{ rate_rest: { requests: 1, seconds: 1, hours: 1 } }, 'rate_rest must have the members requests'],
    [{ blob_max: '5' }, 'blob_max must be an integer from 1 to 1073741824'],
    [{ gc_grace: 1.5 }, 'gc_grace must be an integer from 1 to 315360000'],
    [{ delete_memory: -1 }, 'delete_memory must be an integer from 0 to 31536000'],
    [{ strict_objects: 'yes' }, 'strict_objects must be true or false'],
    [
      { hidden_refs: ['heads/x'] },
      'hidden_refs must be a list of prefixes below refs/, such as refs/internal/ (GIT-129)',
    ],
    [
      { hidden_refs: ['refs/'] },
      'hidden_refs must be a list of prefixes below refs/, such as refs/internal/ (GIT-129)',
    ],
    [{ cors_origins: ['https://x.test/'] }, 'cors_origins must be a list of origins such as https://app.example'],
    [
      { jurisdictions: ['eu'] },
      'jurisdictions must be a list of unrestricted, eu, us that holds unrestricted (REPO-101, REPO-102)',
    ],
    [
      { accounts: [] },
      'accounts must be "any" or a list of different account ids: 1 to 64 characters of A-Z a-z 0-9 _ - (REPO-038)',
    ],
    [
      { accounts: ['a', 'a'] },
      'accounts must be "any" or a list of different account ids: 1 to 64 characters of A-Z a-z 0-9 _ - (REPO-038)',
    ],
    [
      { public_url: 'https://x.test/base?x' },
      'public_url must be an origin such as https://git.example, perhaps with a path such as /repos',
    ],
    [
      { git_origin: 'x' },
      'git_origin must be an origin such as https://git.example, perhaps with a path such as /repos',
    ],
    [{ git_host: 'a b' }, 'git_host must be a host name, with a port if need be'],
    [{ token_ttl_default: 30 }, 'token_ttl_default must not be below token_ttl_min, which is 60 by default'],
    [{ webhook_url: 'hooks' }, 'webhook_url must be a URL such as https://hooks.example/packhouse (REPO-200)'],
    [
      { webhook_url: 'http://127.0.0.1/hook', webhook_secrets: [webhookSecret] },
      'webhook_url must be https, or http to a loopback host that webhook_allow lists (REPO-201)',
    ],
    [
      { webhook_url: 'https://hooks.example/' },
      'webhook_secrets must have at least one secret where webhook_url is set (REPO-200)',
    ],
    [
      { webhook_secrets: ['whsec_c2hvcnQ='] },
      'webhook_secrets must be a list of at most 10 secrets, each whsec_ and the base64 of 24 to 64 bytes (REPO-200)',
    ],
    [
      { import_allow: ['*.internal.example'] },
      'import_allow must be a list of host names or addresses without a port, such as git.internal.example (REPO-129)',
    ],
    [
      { user_webhook_allow: ['127.0.0.1:8080'] },
      'user_webhook_allow must be a list of host names or addresses without a port, such as hooks.internal.example (REPO-378)',
    ],
    [
      { webhook_allow: ['http://hooks'] },
      'webhook_allow must be a list of host names or addresses without a port, such as hooks.internal.example (REPO-201)',
    ],
    [{ events_retry: 3_600 }, 'events_retry must be an integer from 86400 to 31536000'],
    [{ colour: 1 }, 'colour is not a setting'],
    [{ toString: 1 }, 'toString is not a setting'],
  ])('%j is refused with the name of the setting and the rule', (given, message) => {
    expect(() => resolve(given)).toThrow(message);
  });

  it.each(
    Object.entries(settingRules).flatMap(([name, { schema, check }]) =>
      schema['type'] === 'integer' ? [[name, schema['maximum'] as number, check] as const] : [],
    ),
  )('%s has a maximum that it may take, and none above it', (_, maximum, check) => {
    expect(maximum).toBeLessThan(2 ** 52);
    expect(check(maximum)).toBeUndefined();
    expect(check(maximum + 1)).toMatch(/^must be an integer from/);
  });

  const maximum = (name: keyof Settings): number => settingRules[name].schema['maximum'] as number;

  it('LIM-010: the longest life of a token ends at a time that can be written', async () => {
    const ttl = maximum('token_ttl_max');
    const { record } = await mintToken(
      { dialect: neutral, ids: randomIds },
      { scope: 'read', ttl, now: Date.UTC(2400, 0) },
    );
    expect(isoTime(record.expiresAt)).toMatch(/^2499-.*Z$/);
  });

  it('LIM-063: the longest silence is one that timers can wait for', () => {
    expect(maximum('keep_alive') * 1000).toBeLessThan(2 ** 31);
  });

  it('REPO-093: the longest names give cursors that are read again', async () => {
    const repo = { key: 'r'.repeat(maximum('repo_name_max')), tie: 'i'.repeat(16) };
    const namespace = { key: 9e15, tie: 'n'.repeat(maximum('namespace_name_max')) };
    expect(await readCursor(await writeCursor(repo, ['q']), ['q'], 'string')).toEqual(repo);
    expect(await readCursor(await writeCursor(namespace, ['q']), ['q'], 'number')).toEqual(namespace);
  });

  it('REPO-200: takes a webhook with its secrets, on this machine without TLS where that is allowed', () => {
    for (const given of [
      { webhook_url: 'https://hooks.example/a?b=c', webhook_secrets: [webhookSecret, webhookSecret] },
      { webhook_url: 'http://[::1]:8080/', webhook_allow: ['::1'], webhook_secrets: [webhookSecret] },
    ]) {
      expect(resolve(given)).toMatchObject({ ...given, events_retry: 259_200, events_kept: 0 });
    }
    expect(resolve({})).toMatchObject({ webhook_url: null, webhook_secrets: [] });
  });

  it('an undefined setting takes its default', () => {
    expect(resolve({ site: undefined, blob_max: undefined })).toMatchObject({ site: 'LOC', blob_max: 33_554_432 });
  });
});
