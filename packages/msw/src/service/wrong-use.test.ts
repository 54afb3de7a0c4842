import { describe, expect, it } from 'vitest';
import { createErrorsMock } from '../errors.ts';
import { createMock, MockOptionsError } from '../index.ts';
import { createTaggingMock } from '../tagging.ts';

const baseUrl = 'https://api.example.test';

/** The functions that create mocks, as JavaScript sees them: options may be any value. */
type Create = (options?: unknown) => unknown;
const creates = { createMock, createTaggingMock, createErrorsMock } as unknown as Readonly<Record<string, Create>>;
const [repos, tags, errors] = ['createMock', 'createTaggingMock', 'createErrorsMock'];

describe('wrong options of a mock', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'baseUrl: expected an origin, such as https://api.example.test, got undefined'],
    ['null', null, 'baseUrl: expected an origin'],
    ['a text', baseUrl, 'baseUrl: expected an origin'],
    ['no origin', {}, 'baseUrl: expected an origin'],
    [
      'a URL with a path',
      { baseUrl: `${baseUrl}/v4` },
      'baseUrl: expected an origin, such as https://api.example.test, got "https://api.example.test/v4"',
    ],
    ['a wildcard', { baseUrl: 'https://*.example.test' }, 'got "https://*.example.test"'],
    ['another dialect', { dialect: 'cloudfare' }, 'dialect: expected neutral or cloudflare, got "cloudfare"'],
    [
      'faults that are no list',
      { faults: { kind: 'expired token' } },
      'faults: expected a list of faults, got {"kind"',
    ],
    ['a clock that has no time', { clock: {} }, 'clock: expected { now: () => milliseconds }, got {}'],
    ['a misspelt option', { seeds: {} }, 'seeds: there is no such option; there are baseUrl, dialect, '],
    [
      'a fault without a kind',
      { faults: [{ kind: 'latency', milliseconds: 1 }, {}] },
      'faults[1]: kind: expected one of platform error, ',
    ],
    [
      'a fault that is none',
      { faults: [undefined] },
      'faults[0]: expected a fault, which is an object with a kind, got undefined',
    ],
  ])('%s is refused by all', (_, given, message) => {
    for (const create of Object.values(creates)) {
      const options =
        typeof given === 'object' && given !== null && Object.keys(given).length > 0 ? { baseUrl, ...given } : given;
      const act = (): unknown => create(options);
      expect(act).toThrow(MockOptionsError);
      expect(act).toThrow(message);
    }
  });

  it.each<[string | undefined, object, string]>([
    [repos, { wholeorigin: true }, 'wholeorigin: there is no such option; there are baseUrl, '],
    [repos, { wholeOrigin: 'yes' }, 'wholeOrigin: expected true or false, got "yes"'],
    [repos, { createIds: {} }, 'createIds: expected a function'],
    [repos, { log: [] }, 'log: expected a function'],
    [repos, { settings: { public_url: baseUrl } }, 'settings.public_url: a mock has the option baseUrl for it'],
    [tags, { settings: { rate_rest: {} } }, 'settings.rate_rest: there is no such setting; there are tags_not_found, '],
    [tags, { settings: { log: () => {} } }, 'settings.log: there is no such setting'],
    [errors, { site: 'Loc' }, 'site: expected three upper-case letters, such as LOC, got "Loc"'],
    [repos, { settings: 5 }, 'settings: expected an object'],
    [tags, { wholeOrigin: true }, 'wholeOrigin: there is no such option; there are baseUrl, '],
    [errors, { seed: {} }, 'seed: there is no such option; there are baseUrl, dialect, faults, site, clock'],
    ...[repos, tags].flatMap((which): [string | undefined, object, string][] => [
      [which, { account: 'a/b' }, 'account: expected an id of 1 to 64 characters of A-Z a-z 0-9 _ -, got "a/b"'],
      [which, { zones: 'z1' }, 'zones: expected a list of ids, such as ["z1"], got "z1"'],
      [which, { zones: ['z/1'] }, 'zones: expected a list of ids'],
      [which, { seed: null }, 'seed: expected an object, got null'],
      [which, { seed: [] }, 'seed: expected an object, got []'],
      [which, { apiTokens: {} }, 'apiTokens: expected a list'],
      [which, { apiTokens: [null] }, 'apiTokens[0]: expected a token, alone or with its permissions, got null'],
      [which, { apiTokens: ['t', 'a b'] }, 'apiTokens[1]: expected a token without spaces, got "a b"'],
      [which, { apiTokens: [5] }, 'apiTokens[0]: expected a token, alone or with its permissions, got 5'],
      [
        which,
        { zones: ['z1'], apiTokens: [{ token: 't', permissions: [], zone: 'z1', account: 'a1' }] },
        'apiTokens[0]: expected an account or a zone, got',
      ],
      [
        which,
        { apiTokens: [{ token: 't' }] },
        'apiTokens[0].permissions: expected a list of read, edit, tag.read, tag.write, got undefined',
      ],
      [
        which,
        { apiTokens: [{ token: 't', permissions: ['admin'] }] },
        'apiTokens[0].permissions: expected a list of read',
      ],
      [which, { apiTokens: [{ token: 'a b', permissions: [] }] }, 'apiTokens[0].token: expected a text without spaces'],
      [
        which,
        { apiTokens: [{ token: 't', permissions: [], zone: 'z9' }] },
        'apiTokens[0].zone: expected one of the zones of the mock, got "z9"',
      ],
      [which, { apiTokens: [{ token: 't', permissions: [], account: 'a/b' }] }, 'apiTokens[0].account: expected an id'],
      [
        which,
        { apiTokens: [{ token: 't', permission: ['read'], permissions: [] }] },
        'apiTokens[0]: expected token, permissions, and',
      ],
    ]),
  ])('%s %j is refused', (which = '', given, message) => {
    const act = (): unknown => creates[which]?.({ baseUrl, ...given });
    expect(act).toThrow(MockOptionsError);
    expect(act).toThrow(message);
  });

  it('an option that is undefined counts as absent, and a URL object is accepted as origin', () => {
    for (const create of Object.values(creates)) {
      create({ baseUrl: new URL(baseUrl), dialect: undefined, faults: undefined, clock: undefined });
    }
  });

  it.each([
    [
      { kind: 'no such kind' },
      'kind: expected one of platform error, latency, dropped connection, rate limit, expired token and changed page, got "no such kind"',
    ],
    [{ kind: 'constructor' }, 'kind: expected one of'],
    [[], 'expected a fault, which is an object with a kind, got []'],
    [
      { kind: 'rate limit', retryAfter: 1, time: 1 },
      'time: a fault of kind "rate limit" has kind, method, path, times and retryAfter alone',
    ],
    [{ kind: 'rate limit' }, 'retryAfter: expected whole seconds, at least 1'],
    [{ kind: 'rate limit', retryAfter: 0 }, 'retryAfter: '],
    [{ kind: 'latency', milliseconds: -1 }, 'milliseconds: expected a whole number of at most'],
    [{ kind: 'latency', milliseconds: 2 ** 31 }, 'milliseconds: '],
    [{ kind: 'latency' }, 'milliseconds: '],
    [{ kind: 'platform error', code: 1.5 }, 'code: 1.5 is no code of a platform error'],
    [
      { kind: 'platform error', code: 599 },
      'code: 599 is no code of a platform error; there are 522, 1015 and others (docs/errors.md)',
    ],
    [{ kind: 'platform error', code: '522' }, 'code: "522" is no code'],
    [{ kind: 'platform error', code: 522, retryAfter: -1 }, 'retryAfter: expected whole seconds'],
    [{ kind: 'dropped connection', lost: 'response' }, 'lost: expected "request" or "reply"'],
    [{ kind: 'expired token', token: '' }, 'token: expected a token'],
    [{ kind: 'changed page' }, 'a change needs add or remove'],
    [{ kind: 'changed page', remove: 'notes' }, 'remove: expected a list of repos'],
    [{ kind: 'changed page', add: [] }, 'add: expected a seed'],
    [{ kind: 'expired token', path: 'v4' }, 'path: expected one that begins with / or *, such as */tags/*, got "v4"'],
    [{ kind: 'expired token', path: `${baseUrl}/v4` }, 'path: expected one that begins with / or *'],
    [{ kind: 'expired token', path: '/v4?limit=1' }, 'path: expected one without a query'],
    [{ kind: 'expired token', path: '*/a/../b' }, 'path: requests write "*/a/../b" as "*/b"'],
    [{ kind: 'expired token', path: '/v4/a b' }, 'path: requests write "/v4/a b" as "/v4/a%20b"'],
    [{ kind: 'expired token', method: '' }, 'method: expected one such as POST'],
    [{ kind: 'expired token', times: 0 }, 'times: expected a whole number of at least 1'],
  ])('a fault %j is refused', (fault, message) => {
    const mock = createMock({ baseUrl });
    const add = mock.faults.add as (...faults: readonly unknown[]) => void;
    expect(() => add.call(mock.faults, { kind: 'latency', milliseconds: 1 }, fault)).toThrow(`faults: ${message}`);
    expect(mock.faults.current).toEqual([]);
    expect(() => createMock({ baseUrl, faults: [fault as never] })).toThrow(`faults[0]: ${message}`);
  });

  it('a mock without repos or tokens refuses their faults', () => {
    const none = { kind: 'changed page', remove: ['notes'] };
    expect(() => creates['createTaggingMock']?.({ baseUrl, faults: [none] })).toThrow('faults[0]: remove: ');
    const token = { kind: 'expired token' };
    expect(() => creates['createErrorsMock']?.({ baseUrl, faults: [token] })).toThrow(
      'faults[0]: kind: expected one of',
    );
    const lost = { kind: 'dropped connection', lost: 'reply' };
    expect(() => creates['createErrorsMock']?.({ baseUrl, faults: [lost] })).toThrow('faults[0]: lost: ');
  });

  it('errors name the missing thing or the refused option', async () => {
    const { store } = createMock({ baseUrl, seed: { namespaces: ['empty'], repos: { notes: {} } } });
    await expect(store.inspect.repos('none')).rejects.toThrow('Namespace not found: "none"');
    expect(await store.inspect.repos('empty')).toEqual([]);
    await expect(store.inspect.refs('none')).rejects.toThrow('Repository not found: "none"');
    await expect(store.inspect.tokens('a/none')).rejects.toThrow('"a/none"');
    await expect(store.inspect.file('none', 'a')).rejects.toThrow('Repository not found: "none"');
    await expect(store.inspect.file('notes', 'a')).rejects.toThrow('"a"');
    await expect(store.inspect.tagsOf('none')).rejects.toThrow('Repository not found: "none"');
    await expect(store.createToken('none')).rejects.toThrow('Repository not found: "none"');
    for (const options of [{ scope: 'admin' }, { ttl: 1 }, { ttl: NaN }]) {
      const refused: unknown = await store.createToken('notes', options as {}).catch((error: unknown) => error);
      expect(String(refused)).toMatch(/^Error: (?:scope|ttl): /);
    }
    expect(store.remote('not/yet')).toContain('/not/yet');
    for (const key of ['a b', '', 'a/', '/a', 'team/b/c', '../a', 'ends-/api', `team/${'x'.repeat(5000)}`]) {
      expect(() => store.remote(key)).toThrow(`No repo can be called ${JSON.stringify(key)}`);
    }
  });
});
