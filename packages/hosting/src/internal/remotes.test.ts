import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { cloudflare } from '../dialect/cloudflare.ts';
import { neutral } from '../dialect/neutral.ts';
import { resolveSettings } from '../settings/settings.ts';
import { SettingsError } from '@packhouse/base';
import { createRemotes } from './remotes.ts';

const accountId = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const hostAccount = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const namespaceName = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,10}$/);
const repoName = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,12}$/);
const inPath = fc.constantFrom(
  'https://git.test/git/{account_id}/{namespace}/{repo}.git',
  'https://git.test/{account_id}/{namespace}/{repo}.git',
  'http://localhost:8787/g/{namespace}/{account_id}/x-{repo}.git',
  'https://git.test/{account_id}+{namespace}/{repo}.git',
  'https://git.test/a/{repo}~{namespace}/{account_id}.git',
);
const remotes = (remote_template: string, accounts: readonly string[] | 'any' = 'any', dialect = cloudflare) =>
  createRemotes({ remote_template, accounts }, dialect);

describe('remotes', () => {
  test.prop(
    [inPath, accountId, namespaceName, repoName, fc.constantFrom('', '/info/refs', '/git-upload-pack', '/a%2Fb/', '/')],
    { numRuns: 300 },
  )(
    'REPO-027, GIT-001: every remote leads back to its names, and what follows it stays as it is',
    (template, account, namespace, repo, path) => {
      const { fill, match } = remotes(template);
      const url = new URL(`${fill({ account, namespace, repo })}${path}?service=x`);
      expect(match(url)).toEqual({ account, namespace, repo, path });
    },
  );

  test.prop([hostAccount, namespaceName, repoName])(
    'REPO-023: with the account in the host',
    (account, namespace, repo) => {
      const { fill, match } = remotes('https://{account_id}.git.test:8443/git/{namespace}/{repo}.git');
      const remote = fill({ account, namespace, repo });
      expect(match(new URL(`${remote}/info/refs`))).toEqual({ account, namespace, repo, path: '/info/refs' });
      expect(match(new URL(remote.replace(':8443', '')))).toBeUndefined();
    },
  );

  test.prop([inPath, fc.webUrl({ withQueryParameters: true }), fc.string()], { numRuns: 300 })(
    'never throws, and what it finds fills the same path again',
    (template, url, tail) => {
      const { match } = remotes(template);
      for (const candidate of [url, `https://git.test/git/${encodeURIComponent(tail.toWellFormed())}/n/r.git`]) {
        const found = match(new URL(candidate));
        if (typeof found === 'object') expect(found.repo).not.toBe('');
      }
    },
  );

  it('GIT-002: exactly one .git is cut off, without it there is no repo', () => {
    const { match } = remotes('https://git.test/git/{account_id}/{namespace}/{repo}.git');
    expect(match(new URL('https://git.test/git/a/n/r.git.git/x'))).toMatchObject({ repo: 'r.git' });
    expect(match(new URL('https://git.test/git/a/n/r/info/refs'))).toBe('prefix');
    expect(match(new URL('https://git.test/git/a/n/.git/info/refs'))).toBe('prefix');
  });

  it.each([
    ['r', 'r'],
    ['r.git', 'r'],
    ['r.GIT', 'r'],
    ['r.git.git', 'r.git'],
    ['r.git.Git', 'r.git'],
    ['r.gitx', 'r.gitx'],
    ['r%2Egit', 'r'],
    ['-.git', '-'],
  ])('GIT-186: in the neutral dialect %s names the repo %s', (segment, repo) => {
    const { match } = remotes('https://git.test/git/{account_id}/{namespace}/{repo}.git', 'any', neutral);
    for (const path of ['', '/info/refs', '/git-receive-pack']) {
      const found = { account: 'a', namespace: 'n', repo, path };
      expect(match(new URL(`https://git.test/git/a/n/${segment}${path}`))).toEqual(found);
    }
  });

  test.prop([inPath, accountId, namespaceName, repoName], { numRuns: 300 })(
    'GIT-186: in the neutral dialect every remote leads back to its names, with .git and, unless the name ends so, without',
    (template, account, namespace, repo) => {
      const { fill, match } = remotes(template, 'any', neutral);
      const remote = fill({ account, namespace, repo });
      const found = { account, namespace, repo, path: '/info/refs' };
      expect(match(new URL(`${remote}/info/refs`))).toEqual(found);
      const last = template.endsWith('{repo}.git') ? repo : '';
      if (!/.\.git$/i.test(last)) expect(match(new URL(`${remote.slice(0, -4)}/info/refs`))).toEqual(found);
    },
  );

  it('GIT-004: knows what starts like a remote before its first name', () => {
    const { match } = remotes('https://git.test/git/{account_id}/{namespace}/{repo}.git');
    for (const path of ['/git/', '/git/x', '/git/a/n/%zz.git'])
      expect(match(new URL(`https://git.test${path}`))).toBe('prefix');
    for (const path of ['/', '/git', '/gitx/a/n/r.git'])
      expect(match(new URL(`https://git.test${path}`))).toBeUndefined();
  });

  it('GIT-161: a name that no repo can have is looked up like any other', () => {
    const { match } = remotes('https://git.test/git/{account_id}/{namespace}/{repo}.git');
    expect(match(new URL('https://git.test/git/a/n%2Fm/r%20x%2F..%2Fy.git'))).toEqual({
      account: 'a',
      namespace: 'n/m',
      repo: 'r x/../y',
      path: '',
    });
  });

  it('a percent-encoded name is the name', () => {
    const { match } = remotes('https://git.test/git/{account_id}/{namespace}/{repo}.git');
    expect(match(new URL('https://git.test/g%69t/a/%4e/%72.git'))).toBeUndefined();
    expect(match(new URL('https://git.test/git/a/%4e/%72.git'))).toMatchObject({ namespace: 'N', repo: 'r' });
  });

  it('without {account_id} a remote belongs to the one account', () => {
    const { fill, match } = remotes('https://git.test/{namespace}/{repo}.git', ['solo']);
    expect(fill({ account: 'solo', namespace: 'n', repo: 'r' })).toBe('https://git.test/n/r.git');
    expect(match(new URL('https://git.test/n/r.git'))).toMatchObject({ account: 'solo' });
  });

  it('names with the letters of a replacement pattern are taken as they are', () => {
    const { fill } = remotes('https://git.test/{account_id}/{namespace}/{repo}.git');
    expect(fill({ account: "$'", namespace: '$&', repo: '{repo}' })).toBe("https://git.test/$'/$&/{repo}.git");
  });
});

describe('REPO-026: remote_template', () => {
  const accept = (remote_template: string, accounts: readonly string[] = ['a']) =>
    resolveSettings({ remote_template, accounts }, neutral).remote_template;

  it.each([
    ['https://git.test/{namespace}.git', 'must contain {repo}'],
    ['https://git.test/{repo}.git', 'must contain {namespace}'],
    ['https://git.test/{namespace}/{repo}', 'must end in .git'],
    ['http://git.test/{namespace}/{repo}.git', 'http is accepted for a loopback host only'],
    ['ssh://git.test/{namespace}/{repo}.git', 'must be an https URL'],
    ['https://u:p@git.test/{namespace}/{repo}.git', 'must be an https URL'],
    ['https://git.test/{namespace}/{repo}.git?x=.git', 'must be an https URL'],
    ['https://git.test/{namespace}/{repo}/{repo}.git', 'must not contain {repo} twice'],
    ['https://git.test/{zone}/{namespace}/{repo}.git', 'not {zone}'],
    ['https://git.test/{namespace}-{repo}.git', 'must keep two names apart'],
    ['https://git.test/{namespace}{repo}.git', 'must keep two names apart'],
    ['https://git.test/v4/{namespace}/{repo}.git', 'must not lie under /v4, which the service answers itself'],
    ['https://git.test/v4/git/{namespace}/{repo}.git', 'must not lie under /v4'],
    ['https://git.test/cdn-cgi/{namespace}/{repo}.git', 'must not lie under /cdn-cgi'],
    ['https://git.test/docs/{namespace}/{repo}.git', 'must not lie under /docs'],
    ['https://git.test/openapi.json/{namespace}/{repo}.git', 'must not lie under /openapi.json'],
    ['https://git.test/healthz/{namespace}/{repo}.git', 'must not lie under /healthz'],
    ['https://git.test/readyz/x/{namespace}/{repo}.git', 'must not lie under /readyz'],
    ['https://git.test/a/../v4/{namespace}/{repo}.git', 'must be written as clients send it'],
    ['https://git.test/ä/{namespace}/{repo}.git', 'must be written as clients send it'],
    ['https://git.test/%41/{namespace}/{repo}.git', 'must be written as clients send it'],
    ['https://{account_id}.gît.test/{namespace}/{repo}.git', 'must be written as clients send it'],
  ])('%s stops the start, because it %s', (template, message) => {
    expect(() => accept(template)).toThrow(SettingsError);
    expect(() => accept(template)).toThrow(message);
    expect(() => accept(template)).toThrow(/^remote_template .*REPO-026/);
  });

  it('needs {account_id} as soon as there is more than one account', () => {
    const template = 'https://git.test/{namespace}/{repo}.git';
    expect(accept(template)).toBe(template);
    expect(() => accept(template, ['a', 'b'])).toThrow('must contain {account_id}');
    expect(() => resolveSettings({ remote_template: template, accounts: 'any' }, neutral)).toThrow(
      'must contain {account_id}',
    );
  });

  it.each([
    'http://127.0.0.1:1/{namespace}/{repo}.git',
    'http://[::1]/{namespace}/{repo}.git',
    'http://x.localhost/{namespace}/{repo}.git',
    'https://{account_id}.git.test/{namespace}+{repo}.git',
    'https://{account_id}.GIT.test:443/{namespace}/{repo}.git',
    'https://git.test/v4x/{namespace}/{repo}.git',
    'https://git.test/docs-{namespace}/{repo}.git',
    'https://git.test/x/docs/{namespace}/{repo}.git',
  ])('accepts %s', (template) => {
    expect(accept(template)).toBe(template);
  });

  it('leaves the base path of the dialect alone', () => {
    const template = 'https://git.test/client/v4/{namespace}/{repo}.git';
    expect(accept(template)).toBe(template);
    expect(() => resolveSettings({ remote_template: template }, cloudflare)).toThrow('must not lie under /client/v4');
  });

  it('REPO-011: keeps accounts in the host apart, where case tells nothing', () => {
    const template = 'https://{account_id}.git.test/{namespace}/{repo}.git';
    expect(() => accept(template, ['Acme', 'b', 'aCME'])).toThrow(
      /^accounts must not differ in case alone, because remote_template has \{account_id\} in the host \(REPO-026\)$/,
    );
    const inPath = 'https://git.test/{account_id}/{namespace}/{repo}.git';
    expect(accept(inPath, ['Acme', 'aCME'])).toBe(inPath);
    // One in upper case is found all the same.
    const accounts = ['Acme', 'b'];
    const { fill, match } = remotes(accept(template, accounts), accounts);
    const remote = fill({ account: 'Acme', namespace: 'n', repo: 'r' });
    expect(match(new URL(remote))).toMatchObject({ account: 'Acme' });
  });

  it('REPO-023: has the default of the dialect, on a loopback origin the neutral one', () => {
    const of = (dialect: typeof neutral, origin: string) =>
      resolveSettings({ public_url: 'https://api.test', git_origin: origin }, dialect).remote_template;
    expect(of(neutral, 'https://git.test')).toBe('https://git.test/git/{account_id}/{namespace}/{repo}.git');
    expect(of(cloudflare, 'https://git.test')).toBe('https://{account_id}.git.test/git/{namespace}/{repo}.git');
    expect(of(cloudflare, 'http://127.0.0.1:99')).toBe('http://127.0.0.1:99/git/{account_id}/{namespace}/{repo}.git');
    expect(resolveSettings({ public_url: 'https://api.test', git_host: 'g.test' }, cloudflare).remote_template).toBe(
      'https://{account_id}.g.test/git/{namespace}/{repo}.git',
    );
  });
});
