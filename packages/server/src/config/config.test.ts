import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cloudflare, neutral, resolveSettings } from '@packhouse/hosting';
import { listedTokens, serviceRules } from '@packhouse/router';
import { nearest } from '@packhouse/base';
import { StartError } from '../start-error.ts';
import { parseConfig } from './config.ts';
import { configSchema } from './schema.ts';

const hash = 'a'.repeat(64);

function problem(document: unknown): string {
  try {
    parseConfig(typeof document === 'string' ? document : JSON.stringify(document), 'conf.json');
  } catch (error) {
    if (error instanceof StartError && error.kind === 'configuration') return error.message;
    throw error;
  }
  throw new Error('accepted');
}

describe('parseConfig', () => {
  it('takes every setting with its own default', () => {
    const defaults = Object.fromEntries(
      Object.entries(serviceRules).flatMap(([name, rule]) =>
        rule.default === undefined ? [] : [[name, rule.default]],
      ),
    );
    expect(Object.keys(defaults).length).toBeGreaterThan(20);
    expect(parseConfig(JSON.stringify({ $schema: 'x', ...defaults }), 'c')).toEqual({ settings: defaults });
  });

  it('takes tokens, the dialect and the grace apart from the settings', () => {
    const api_tokens = [
      { token: 'abcdefghijklmnop', account: 'a1', permissions: ['read'] },
      { token_sha256: hash, account: 'a1', permissions: ['edit', 'read', 'tag.write', 'tag.read'] },
      { token_sha256: hash, zone: 'z1', permissions: ['tag.read', 'tag.write'] },
    ];
    const config = { dialect: 'cloudflare', shutdown_grace: 5, api_tokens, blob_max: 7 };
    expect(parseConfig(`\uFEFF${JSON.stringify(config)}`, 'c')).toEqual({
      dialect: 'cloudflare',
      shutdown_grace: 5,
      api_tokens,
      settings: { blob_max: 7 },
    });
  });

  it.each([
    [{ blob_maxx: 1 }, /^conf\.json: blob_maxx: unknown member \(did you mean "blob_max"\?\)\.$/],
    [{ blob_max: 'much' }, 'conf.json: blob_max: must be an integer from 1 to 1073741824, found "much".'],
    [{ rate_git: { requests: 1 } }, /^conf\.json: rate_git: must have the members requests and seconds/],
    [{ dialect: 'klingon' }, 'conf.json: dialect: expected one of "neutral", "cloudflare", found "klingon".'],
    [{ shutdown_grace: -1 }, 'conf.json: shutdown_grace: expected a whole number from 0 to 3600, found -1.'],
    [
      { api_tokens: [{ token_sha256: hash, account: 'a', permissions: ['read', 'admin'] }] },
      'conf.json: api_tokens[0].permissions[1]: expected one of "read", "edit", "tag.read", "tag.write", found "admin".',
    ],
    [
      { api_tokens: [{ token_sha256: hash, account: 'a', permissions: [] }] },
      /^conf\.json: api_tokens\[0\]\.permissions: expected a list of at least one of "read", "edit", "tag\.read", "tag\.write", found a list\.$/,
    ],
    [
      { api_tokens: [{ token_sha256: hash, account: 'a', permission: ['read'] }] },
      /^conf\.json: api_tokens\[0\]\.permission: unknown member \(did you mean "permissions"\?\) \(and 1 more\)\.$/,
    ],
    [
      { api_tokens: [{ account: 'a', permissions: ['read'] }] },
      'conf.json: api_tokens[0]: expected exactly one of the members token, token_sha256.',
    ],
    [
      { api_tokens: [{ token: 'x'.repeat(20), token_sha256: hash, account: 'a', permissions: ['read'] }] },
      'conf.json: api_tokens[0]: expected exactly one of the members token, token_sha256.',
    ],
    [
      { api_tokens: [{ token_sha256: hash, permissions: ['tag.read'] }] },
      'conf.json: api_tokens[0]: expected exactly one of the members account, zone.',
    ],
    [
      { api_tokens: [{ token_sha256: hash, account: 'a', zone: 'z', permissions: ['tag.read'] }] },
      'conf.json: api_tokens[0]: expected exactly one of the members account, zone.',
    ],
    [
      { api_tokens: [{ token_sha256: hash, zone: 'z', permissions: ['tag.read', 'edit'] }] },
      'conf.json: api_tokens[0].permissions[1]: expected one of "tag.read", "tag.write" for a zone, found "edit".',
    ],
    [
      { api_tokens: [{ token_sha256: hash, zone: 'z 1', permissions: ['tag.read'] }] },
      'conf.json: api_tokens[0].zone: expected 1 to 64 letters, digits, "_" or "-", found "z 1".',
    ],
    [{ zones: { 'zone-1': 'a', 'zone-2': 7 } }, /^conf\.json: zones: must be .* \(TAG-018\), found 7 for "zone-2"\.$/],
    [{ zones: { 'zone 1': 'a' } }, /^conf\.json: zones: must be .*, found "a" for "zone 1"\.$/],
    [{ zones: ['zone-1'] }, /^conf\.json: zones: must be an object of zone ids .*, found a list\.$/],
    [{ tags_not_found: 404 }, 'conf.json: tags_not_found: must be "500", "404" or "empty" (TAG-055), found 404.'],
    [{ resource_tags_max: '9' }, /^conf\.json: resource_tags_max: must be null or an integer from 0 .*, found "9"\.$/],
    [{ account_tags_max: -1 }, /^conf\.json: account_tags_max: must be an integer from 0 /],
    [{ rate_tags: { requests: 0, seconds: 1 } }, /^conf\.json: rate_tags: must have the members requests and seconds/],
    [
      { resource_types: { add: [{ type: 'app', level: 'zone' }, { type: 'App' }] } },
      /^conf\.json: resource_types: must be an object with lists "add".*, found an object as item \[1\] of "add"\.$/,
    ],
    [{ resource_types: { remove: ['image', 7] } }, /, found 7 as item \[1\] of "remove"\.$/],
    [{ resource_types: { added: ['app'] } }, /, found an object\.$/],
    [{ api_tokens: {} }, /^conf\.json: api_tokens: expected a list/],
    [[], /^conf\.json: the document: expected an object/],
    [{ __proto__x: 1 }, /unknown member/],
    ['{"constructor": 1}', /^conf\.json: constructor: unknown member/],
    [
      '{\n  "blob_max": 1,\n}',
      'conf.json is not JSON (line 3, column 1): expected a name in double quotes after the comma.',
    ],
    ['', 'conf.json is not JSON (line 1, column 1): expected a value, not the end of the text.'],
    ['\uFEFF{"a" 1}', 'conf.json is not JSON (line 1, column 6): expected ":" after the name.'],
    [{ hidden_refs: ['refs/a/', 'heads/b'] }, /^conf\.json: hidden_refs: .*, found "heads\/b" as item \[1\]\.$/],
    [{ jurisdictions: ['unrestricted', 'xx'] }, /^conf\.json: jurisdictions: .*, found "xx" as item \[1\]\.$/],
    [{ jurisdictions: ['eu'] }, /^conf\.json: jurisdictions: .* that holds unrestricted .*, found a list\.$/],
    [
      { token_ttl_max: 3600 },
      'conf.json: token_ttl_max: must not be below token_ttl_default, which is 86400 by default.',
    ],
    [
      { token_ttl_min: 100, token_ttl_default: 70 },
      'conf.json: token_ttl_min: must not be above token_ttl_default, which is 70.',
    ],
  ])('names what is wrong in %j', (document, message) => {
    expect(problem(document)).toMatch(message);
  });

  it('REPO-009: never repeats what may be a token', () => {
    expect(problem('{"api_tokens":[{"token": s3cret-s3cret-s3cret}]}')).not.toContain('s3cret');
    expect(
      problem({ api_tokens: [{ token: 's3cret s3cret s3cret', account: 'a', permissions: ['read'] }] }),
    ).not.toContain('s3cret');
    for (const entry of [{ token: 's3cret' }, { token_sha256: 's3cret' }, 's3cret']) {
      expect(problem({ api_tokens: [entry] })).not.toContain('s3cret');
    }
    expect(problem({ api_tokens: 's3cret' })).toMatch(/^conf\.json: api_tokens: expected .*, found another text/);
  });

  it('REPO-026: holds limits that belong together to the order that the service wants', () => {
    const wrong = { token_ttl_min: 9, token_ttl_default: 8 };
    expect(() => resolveSettings(wrong, neutral)).toThrow('token_ttl_min');
    expect(problem(wrong)).toContain('token_ttl_min');
  });
});

it('accepts the configuration file that docs/operating.md shows', () => {
  const text = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json\n([^]*?)```/.exec(text) ?? [];
  expect(parseConfig(example, 'example')).toMatchObject({ api_tokens: [{ account: 'ci' }] });
});

describe('the published schema', () => {
  it('is the one that the check uses', () => {
    const file = new URL('../../schema/packhouse.config.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8')), 'run node packages/server/scripts/write-schema.ts').toEqual(
      JSON.parse(JSON.stringify(configSchema())),
    );
  });

  it('TAG-018: has the conditions of an API token', () => {
    const members = configSchema()['properties'] as Record<string, { items?: { allOf?: unknown } }>;
    expect(members['api_tokens']?.items?.allOf).toEqual([
      { oneOf: [{ required: ['token'] }, { required: ['token_sha256'] }] },
      { oneOf: [{ required: ['account'] }, { required: ['zone'] }] },
      {
        anyOf: [
          { not: { required: ['zone'] } },
          { properties: { permissions: { type: 'array', items: { enum: ['tag.read', 'tag.write'] } } } },
        ],
      },
    ]);
  });

  it('has every setting, and lets no other member in', () => {
    const schema = configSchema();
    expect(schema['additionalProperties']).toBe(false);
    expect(Object.keys(schema['properties'] as object)).toEqual(expect.arrayContaining(Object.keys(serviceRules)));
  });

  it('describes every member, numbers with their unit', () => {
    const members = Object.entries(configSchema()['properties'] as Record<string, { description?: string }>);
    for (const [name, { description }] of members) {
      if (name === '$schema') continue;
      expect(description, name).toMatch(/^[A-Z].*[.]$/);
      if (/_max$|_min$/.test(name)) expect(description, name).toMatch(/bytes|characters|seconds|Most|deltas/);
    }
  });
});

describe('listedTokens', () => {
  it('REPO-030: answers what the entries of a token grant, in the words of the dialect', async () => {
    const token = 'abcdefghijklmnop';
    const sha = 'f39dac6cbaba535e2c207cd0cd8f154974223c848f727f98b3564cea569b41cf';
    const entries = [
      { token, account: 'a1', permissions: ['read'] as const },
      { token_sha256: sha, account: 'a2', permissions: ['edit'] as const },
    ];
    expect(await listedTokens(entries, neutral).authorize(token)).toEqual([
      { account: 'a1', permission: 'Repos Read' },
      { account: 'a2', permission: 'Repos Edit' },
    ]);
    expect(await listedTokens(entries, cloudflare).authorize(token)).toMatchObject([
      { permission: 'Artifacts Read' },
      { permission: 'Artifacts Edit' },
    ]);
  });

  it.each([neutral, cloudflare])(
    'TAG-017, TAG-018: grants tag permissions by the same names in the dialect $name',
    async (dialect) => {
      const token = 'abcdefghijklmnop';
      const entries = [
        { token, account: 'a1', permissions: ['tag.read'] as const },
        { token, zone: 'z1', permissions: ['tag.write'] as const },
      ];
      expect(await listedTokens(entries, dialect).authorize(token)).toEqual([
        { account: 'a1', permission: 'Tag Read' },
        { zone: 'z1', permission: 'Tag Write' },
      ]);
    },
  );

  it('REPO-031: knows no other token, not even the hash', async () => {
    const authorizer = listedTokens([{ token_sha256: hash, account: 'a', permissions: ['read'] }], neutral);
    for (const token of ['', hash, 'x']) expect(await authorizer.authorize(token)).toBeUndefined();
  });
});

describe('nearest', () => {
  it('finds the word that was meant, and none where nothing is near', () => {
    expect(nearest('tokne', ['token', 'repo'])).toBe('token');
    expect(nearest('REPO', ['token', 'repo'])).toBe('repo');
    expect(nearest('banana', ['token', 'repo'])).toBeUndefined();
  });
});
