import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveNode, type Serving } from '@packhouse/server/node';
import { ran, type Ran } from './in-process.ts';

const readToken = 'tags-read-only-token';
let root: string;
let server: Serving;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-tag-'));
  server = await serveNode({
    port: 0,
    data: join(root, '.packhouse'),
    config: {
      api_tokens: [{ token: readToken, account: 'local', permissions: ['tag.read'] }],
      settings: {
        zones: { z9: 'local' },
        account_tags_max: 600,
        resource_types: { add: [{ type: 'shelf', level: 'account', parent: 'room' }], remove: ['image'] },
      },
    },
  });
  for (const repo of ['notes', 'papers']) await result('repo', 'create', repo);
});

afterAll(async () => {
  await server.close(0);
  rmSync(root, { recursive: true, force: true });
});

type Fetch = (request: Request) => Promise<Response>;

async function call(args: readonly string[], send: Fetch = fetch, token = server.keptToken?.token): Promise<Ran> {
  return await ran(args, { env: { PACKHOUSE_URL: server.url, PACKHOUSE_API_TOKEN: token ?? '' }, fetch: send });
}

async function result(...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await call([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.endsWith('\n') && out.indexOf('\n') === out.length - 1).toBe(true);
  return JSON.parse(out);
}

const notes = ['repository', 'default/notes'];

describe('tag set, get and delete', () => {
  it('TAG-050: set replaces all tags', async () => {
    const { id } = (await result('repo', 'get', 'notes')) as { id: string };
    const set = await result('tag', 'set', ...notes, 'env=prod', 'team=core');
    expect(set).toMatchObject({ id, type: 'repository', name: 'default/notes', tags: { env: 'prod', team: 'core' } });
    expect(await result('tag', 'get', ...notes)).toEqual(set);
    expect(await result('tag', 'get', 'repository', id)).toEqual(set);
    const again = await result('tag', 'set', ...notes, 'formula=x=y', 'note=a b,c%', 'archived=', 'Équipe=Données');
    expect(again).toMatchObject({ id });
    expect((again as { tags: unknown }).tags).toEqual({
      formula: 'x=y',
      note: 'a b,c%',
      archived: '',
      Équipe: 'Données',
    });
  });

  it('TAG-062: delete removes them, and the repository stays', async () => {
    const { id } = (await result('repo', 'get', 'notes')) as { id: string };
    await result('tag', 'set', ...notes, 'env=prod');
    expect(await result('tag', 'delete', ...notes)).toEqual({ type: 'repository', id });
    expect((await call(['tag', 'delete', ...notes])).out).toBe('Removed all tags of repository "default/notes".\n');
    expect((await call(['tag', 'get', ...notes])).code).toBe(3);
    expect(await result('repo', 'get', 'notes')).toMatchObject({ id });
  });

  it('TAG-004 to TAG-006, TAG-033: name resources of a zone, and resources with a parent', async () => {
    const ofZone = ['dns_record', '5d20', '--zone', 'z9'];
    expect(await result('tag', 'set', ...ofZone, 'owner=dns-team')).toMatchObject({ id: '5d20', zone_id: 'z9' });
    const version = ['worker_version', '7c0e', '--parent', 'b1=d2'];
    expect(await result('tag', 'set', ...version, 'env=prod')).toMatchObject({ id: '7c0e', worker_id: 'b1=d2' });
    const policy = ['access_application_policy', 'p', '--zone', 'z9', '--parent', 'a'];
    expect(await result('tag', 'set', ...policy, 'env=prod')).toMatchObject({ access_application_id: 'a' });
    const own = ['shelf', 's', '--parent', 'room=kitchen'];
    expect(await result('tag', 'set', ...own, 'env=prod')).toMatchObject({ room: 'kitchen' });
    for (const named of [ofZone, version, policy, own]) {
      expect(await result('tag', 'get', ...named)).toMatchObject({ id: named[1] });
      await result('tag', 'delete', ...named);
      expect((await call(['tag', 'get', ...named])).code).toBe(3);
    }
  });

  it('TAG-046: --if-match writes and deletes only unchanged tags', async () => {
    const { etag } = (await result('tag', 'set', ...notes, 'env=prod')) as { etag: string };
    const changed = (await result('tag', 'set', ...notes, 'env=dev', '--if-match', etag)) as { etag: string };
    expect(changed).toMatchObject({ tags: { env: 'dev' } });
    const late = await call(['tag', 'set', ...notes, 'env=late', '--if-match', etag]);
    expect(late).toMatchObject({ code: 3, out: '' });
    expect(late.err).toBe(
      'error: The tags of repository "default/notes" are not those of --if-match.\nhint: "packhouse tag get repository default/notes" shows them and their etag.\n',
    );
    expect((await call(['tag', 'delete', ...notes, '--if-match', `"${etag}"`])).code).toBe(3);
    expect(await result('tag', 'get', ...notes)).toEqual(changed);
    await result('tag', 'delete', ...notes, '--if-match', `"${changed.etag}"`);
  });
});

describe('tag set --merge', () => {
  it('keeps other tags, replaces, adds and removes', async () => {
    await result('tag', 'set', ...notes, 'env=prod', 'team=core', 'old=');
    const merged = await result(
      'tag',
      'set',
      ...notes,
      '--merge',
      'env=dev',
      'new=x',
      '--remove',
      'old',
      '--remove',
      'no',
    );
    expect((merged as { tags: unknown }).tags).toEqual({ env: 'dev', team: 'core', new: 'x' });
    await result('tag', 'delete', ...notes);
    expect(await result('tag', 'set', ...notes, '--merge', 'env=prod')).toMatchObject({ tags: { env: 'prod' } });
    expect(await result('tag', 'set', ...notes, '--merge', '--remove', 'env')).toMatchObject({ tags: {} });
  });

  it('TAG-171: keeps what others set between its read and its write', async () => {
    await result('tag', 'set', ...notes, 'env=prod');
    let others = 2;
    const between: Fetch = async (request) => {
      if (request.method === 'PUT' && others > 0) {
        others -= 1;
        await result('tag', 'set', ...notes, `other${others}=x`, 'env=prod');
      }
      return await fetch(request);
    };
    const { code, err } = await call(['tag', 'set', ...notes, '--merge', 'mine=y'], between);
    expect({ code, err, others }).toEqual({ code: 0, err: '', others: 0 });
    expect(await result('tag', 'get', ...notes)).toMatchObject({ tags: { env: 'prod', other0: 'x', mine: 'y' } });
  });

  it('gives up after several attempts, and says that nothing was changed', async () => {
    let writes = 0;
    const always: Fetch = async (request) => {
      if (request.method === 'PUT') await result('tag', 'set', ...notes, `turn=${(writes += 1)}`);
      return await fetch(request);
    };
    expect(await call(['tag', 'set', ...notes, '--merge', 'mine=y'], always)).toEqual({
      code: 3,
      out: '',
      err: 'error: Others changed the tags of repository "default/notes" each time they were to be merged.\nhint: Nothing was changed here: try again in a moment.\n',
    });
    expect(writes).toBe(8);
    expect(await result('tag', 'get', ...notes)).toMatchObject({ tags: { turn: '8' } });
  });

  it('works for many clients at once', async () => {
    await result('tag', 'delete', ...notes);
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(keys.map(async (key) => await result('tag', 'set', ...notes, '--merge', `${key}=1`)));
    expect(await result('tag', 'get', ...notes)).toMatchObject({ tags: { a: '1', b: '1', c: '1', d: '1' } });
  });
});

describe('tag list, keys and values', () => {
  it('say so if nothing is tagged', async () => {
    await result('tag', 'delete', ...notes);
    expect((await call(['tag', 'list'])).out).toBe('Nothing is tagged.\n');
    expect((await call(['tag', 'list', '--name', 'x'])).out).toBe('Nothing that is tagged is like that.\n');
    expect((await call(['tag', 'keys'])).out).toBe('There are no tags.\n');
    expect(await result('tag', 'list')).toEqual([]);
  });
});

describe('tag list, keys and values of tagged resources', () => {
  const workers = ['alpha', 'beta', 'gamma'];

  beforeAll(async () => {
    await result('tag', 'set', 'worker', 'alpha', 'env=prod', 'note=a,b');
    await result('tag', 'set', 'worker', 'beta', 'env=staging', 'ratio=50%', 'note=a+b&c');
    await result('tag', 'set', 'worker', 'gamma', 'Env=PROD', 'archived=');
    await result('tag', 'set', 'repository', 'default/papers', 'env=prod', 'owner=ada');
  });

  afterAll(async () => {
    for (const id of workers) await result('tag', 'delete', 'worker', id);
    await result('tag', 'delete', 'repository', 'default/papers');
  });

  async function names(...args: readonly string[]): Promise<string> {
    return ((await result('tag', 'list', ...args)) as { name: string }[]).map(({ name }) => name).join(' ');
  }

  it.each([
    [[], 'default/papers alpha beta gamma'],
    [['--tag', 'env'], 'default/papers alpha beta'],
    [['--tag', '!env'], 'gamma'],
    [['--tag', 'env=prod,staging', '--type', 'worker'], 'alpha beta'],
    [['--tag', 'env!=prod'], 'beta gamma'],
    [['--tag', 'env=prod', '--tag', 'owner!=ada'], 'alpha'],
    [['--tag', 'note=a\\,b'], 'alpha'],
    [['--tag', 'note=a,b'], ''],
    [['--tag', 'note=a+b&c'], 'beta'],
    [['--tag', 'ratio=50%'], 'beta'],
    [['--tag', 'archived='], 'gamma'],
    [['--tag', 'env=prod', '--ignore-case'], 'default/papers alpha gamma'],
    [['--name', 'PAP'], 'default/papers'],
    [['--id', 'alpha', '--id', 'gamma'], 'alpha gamma'],
    [['--type', 'worker', '--type', 'repository', '--id', 'beta'], 'beta'],
    [['--tag', 'env=none'], ''],
  ])('%j finds "%s"', async (args, found) => {
    expect(await names(...args)).toBe(found);
  });

  it('keys and values list each once', async () => {
    expect(await result('tag', 'keys')).toEqual(['Env', 'archived', 'env', 'note', 'owner', 'ratio']);
    expect(await result('tag', 'values', 'env')).toEqual(['prod', 'staging']);
    expect(await result('tag', 'values', 'env', '--type', 'repository')).toEqual(['prod']);
    expect((await call(['tag', 'values', 'env'])).out).toBe('prod\nstaging\n');
    expect((await call(['tag', 'values', 'none'])).out).toBe('There are no tags with the key none.\n');
  });

  it('show tables, with zones and parents where there are any', async () => {
    expect((await call(['tag', 'list', '--type', 'worker'])).out).toBe(
      [
        'TYPE    ID     NAME   TAGS',
        'worker  alpha  alpha  env=prod note=a,b',
        'worker  beta   beta   env=staging note=a+b&c ratio=50%',
        'worker  gamma  gamma  Env=PROD archived=',
        '',
      ].join('\n'),
    );
    await result('tag', 'set', 'worker_version', 'v', 'note=two words', '--parent', 'w');
    await result('tag', 'set', 'dns_record', 'd', 'a=b', '--zone', 'z9');
    await result('tag', 'set', 'shelf', 's', 'a=b', '--parent', 'room=r');
    expect((await call(['tag', 'list', '--id', 'v', '--id', 'd', '--id', 's'])).out).toBe(
      [
        'TYPE            ID  NAME  ZONE  PARENT  TAGS',
        'dns_record      d   d     z9    -       a=b',
        'shelf           s   s     -     room=r  a=b',
        'worker_version  v   v     -     w       note="two words"',
        '',
      ].join('\n'),
    );
    await result('tag', 'delete', 'shelf', 's', '--parent', 'room=r');
    const { out } = await call(['tag', 'get', 'worker_version', 'v', '--parent', 'w']);
    expect(out).toMatch(/^id +v\ntype +worker_version\nname +v\netag +v1:[\w-]{22}\nworker_id +w\n/);
    expect(out).toMatch(/\n\nKEY {3}VALUE\nnote {2}two words\n$/);
    await result('tag', 'delete', 'worker_version', 'v', '--parent', 'w');
    await result('tag', 'delete', 'dns_record', 'd', '--zone', 'z9');
    expect((await call(['tag', 'list', '--tag', 'none'])).out).toBe('Nothing that is tagged is like that.\n');
  });

  it('never let a tag control the terminal', async () => {
    const bad = 'a\x1b[2Jb\nc\x9b';
    await result('tag', 'set', 'queue', 'escape', `note=${bad}`);
    for (const args of [
      ['tag', 'get', 'queue', 'escape'],
      ['tag', 'list', '--type', 'queue'],
      ['tag', 'values', 'note'],
    ]) {
      const { out } = await call(args);
      expect(out).toContain('a\uFFFD[2Jb\uFFFDc\uFFFD');
      expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    }
    expect(await result('tag', 'get', 'queue', 'escape')).toMatchObject({ tags: { note: bad } });
    await result('tag', 'delete', 'queue', 'escape');
  });
});

describe('an error is one sentence and the next step', () => {
  async function told(line: readonly string[], token?: string): Promise<[number, string, string]> {
    const { code, out, err } = await call(line, fetch, token);
    expect(out).toBe('');
    const [, message = '', hint = ''] = /^error: ([^\n]*)\nhint: ([^\n]*)\n$/.exec(err) ?? [];
    return [code, message, hint];
  }
  const set = ['tag', 'set'];
  const list = ['tag', 'list'];
  const long = 'k'.repeat(257);

  it.each([
    [[...set, ...notes], 'KEY=VALUE is missing.', '"packhouse tag delete repository default/notes" removes all tags.'],
    [
      [...set, 'access_application_policy', 'my policy', '--parent', 'a 1', '--zone', 'z9'],
      'KEY=VALUE is missing.',
      `"packhouse tag delete access_application_policy 'my policy' --zone z9 --parent 'a 1'" removes all tags.`,
    ],
    [[...set, ...notes, 'env'], '"env" has no "=".', '"env=" sets the empty value'],
    [[...set, ...notes, 'a=b', '--remove', 'c'], '--remove goes with --merge alone.', 'Add --merge'],
    [[...set, ...notes, 'a=b', '--merge', '--remove', 'a'], '"a" is both set and removed.', 'Leave one out.'],
    [
      [...set, ...notes, 'a=b', '--merge', '--if-match', 'x'],
      '--if-match does not go with --merge.',
      'leave --if-match',
    ],
    [[...set, ...notes, 'a=b', '--if-match', 'é'], '--if-match has characters that no etag has.', 'v1:...'],
    [[...set, 'repository', '/x', 'a=b'], '"/x" is not a repository.', 'NAMESPACE/REPO'],
    [[...set, 'worker', 'x', 'a=b', '--parent', 'p'], '--parent of a worker cannot be "p".', 'NAME=ID'],
    [['tag', 'values', '..'], '".." cannot be asked for: it has another meaning in a URL.', 'another name'],
  ])('before any request: %j', async (line, message, hint) => {
    expect(await told(line)).toEqual([2, message, expect.stringContaining(hint)]);
  });

  it.each([
    [[...set, ...notes, 'a b=c'], 'The key of "a b" has a character that no key has.', 'A key is letters, digits'],
    [[...set, ...notes, 'a/b~c=d'], 'The key of "a/b~c" has a character that no key has.', 'A key is letters, digits'],
    [[...set, ...notes, `${long}=v`], `The key of "${'k'.repeat(60)}..." is too long.`, '256 characters'],
    [[...set, ...notes, `k=${'v'.repeat(1025)}`], 'The value of "k" is too long.', '1,024 characters'],
    [[...set, 'repo', 'x', 'a=b'], 'The service has no resource type "repo".', 'Did you mean "repository"?'],
    [[...set, 'repositry', 'x', 'a=b'], 'The service has no resource type "repositry".', 'Did you mean "repository"?'],
    [[...set, 'image', 'x', 'a=b'], 'The service has no resource type "image".', 'tag set --help'],
    [[...set, 'dns_record', 'x', 'a=b'], 'Resources of type dns_record belong to a zone.', 'Name it with --zone ID.'],
    [
      [...set, 'worker', 'x', 'a=b', '--zone', 'z9'],
      'Resources of type worker belong to the account, not to a zone.',
      'Leave --zone out.',
    ],
    [[...set, 'crate', 'x', 'a=b'], 'The service has no resource type "crate".', 'If it is one of a zone, add --zone'],
    [
      [...set, 'shelf', 'x', 'a=b', '--zone', 'z9'],
      'The service has no resource type "shelf" of a zone.',
      'If it is one of the account, leave --zone out.',
    ],
    [[...set, 'zone', 'x', 'a=b', '--zone', 'a.b'], '"a.b" cannot be the ID of a zone.', '1 to 64 letters'],
    [
      [...set, 'worker_version', 'x', 'a=b'],
      'A resource of type worker_version has its ID within a parent, and --parent is missing.',
      'Add --parent ID, its worker_id.',
    ],
    [
      ['tag', 'get', 'worker_version', 'x'],
      'A resource of type worker_version has its ID within a parent, and --parent is missing.',
      'Add --parent ID, its worker_id.',
    ],
    [
      ['tag', 'delete', 'shelf', 'x'],
      'A resource of type shelf has its ID within a parent, and --parent is missing.',
      'Add --parent room=ID.',
    ],
    [
      [...set, 'shelf', 'x', 'a=b', '--parent', `room=${'r'.repeat(1025)}`],
      'No parent can have this ID.',
      'An ID is 1 to 1,024 characters',
    ],
    [[...set, 'worker', '', 'a=b'], 'No resource can have this ID.', 'An ID is 1 to 1,024 characters'],
    [['tag', 'get', 'worker', ''], 'TYPE and ID must not be empty.', 'tag get --help'],
    [[...set, 'repository', 'notes', 'a=b'], 'There is no repository "notes".', 'Write NAMESPACE/REPO'],
    [[...set, 'repository', 'default/x', 'a=b'], 'There is no repo "x" in namespace "default".', 'repo list'],
    [[...set, 'account', 'x', 'a=b'], 'There is no account "x".', 'Check TYPE and ID'],
    [
      ['tag', 'get', 'worker', 'none'],
      'There are no tags of worker "none".',
      'Check TYPE and ID, or set some: packhouse tag set worker none KEY=VALUE',
    ],
    [
      ['tag', 'get', 'worker_version', "it's", '--parent', 'a b'],
      'There are no tags of worker_version "it\'s".',
      "tag set worker_version 'it'\\''s' --parent 'a b' KEY=VALUE",
    ],
    [[...list, '--tag', 'env', '--tag', 'env=a,'], '--tag cannot be "env=a,": empty item', "'!KEY'"],
    [[...list, '--tag', '!env=a'], '--tag cannot be "!env=a": ', 'KEY!=VALUE'],
    [
      [...list, '--tag', 'env:prod'],
      'The key of "env:prod" has a character that no key has.',
      'the value stands behind "="',
    ],
    [[...list, '--tag', `${long}=a`], 'The key of "kkkk', '256 characters'],
    [[...list, '--tag', `env=${'v'.repeat(1025)}`], 'The value of "env=vvvv', '1,024 characters'],
    [[...list, '--tag', `env=${'v,'.repeat(10)}v`], 'The filter "env=v,v,', 'more than 10 values'],
    [[...list, ...Array.from({ length: 21 }, () => '--tag=env')], 'There are more than 20 filters.', 'Leave some out'],
    [[...list, '--type', 'wroker'], 'The service has no resource type "wroker".', 'Did you mean "worker"?'],
    [[...list, '--type', 'queue,worker'], '"queue,worker" is no resource type.', 'write --type once for each'],
    [[...list, '--name', 'n'.repeat(257)], 'The text of --name is too long.', '256 characters'],
    [[...list, ...Array.from({ length: 51 }, () => '--id=x')], 'There are too many --id', 'at most 50'],
    [['tag', 'values', ''], 'KEY must not be empty.', 'tag keys'],
    [['tag', 'values', 'a/b'], 'The key of "a/b" has a character that no key has.', 'A key is letters'],
    [['tag', 'values', long], 'The key of "kkkk', '256 characters'],
  ])('from the service: %j', async (line, message, hint) => {
    const [code, sentence, next] = await told(line);
    expect(code).toBe(3);
    expect(sentence).toContain(message);
    expect(`${sentence} ${next}`).toContain(hint);
  });

  it('TAG-142: for too many tags, and for more tags than one request allows', async () => {
    const tags = Array.from({ length: 601 }, (_, index) => `k${index}=`);
    expect(await told([...set, 'worker', 'full', ...tags])).toEqual([
      3,
      'The tags of worker "full" are refused: too many tags (maximum 600).',
      expect.stringContaining('account_tags_max'),
    ]);
    const huge = Array.from({ length: 1200 }, (_, index) => `k${index}=${'v'.repeat(1000)}`);
    expect((await told([...set, 'worker', 'full', ...huge]))[1]).toBe(
      'The tags of worker "full" are too long for one request.',
    );
  });

  it('TAG-019: for a token without permission, and an unknown zone', async () => {
    expect(await told([...set, 'worker', 'x', 'a=b'], readToken)).toEqual([
      4,
      'The API token does not allow changing tags in account "local".',
      'Check --account, and that the token has the permission "Tag Write" ("tag.write" in a configuration file).',
    ]);
    expect(await told(['tag', 'get', ...notes], readToken)).toEqual([
      4,
      'The API token does not allow looking up what ID the repository "default/notes" has.',
      'Write the ID in its place, or use a token that may read repos.',
    ]);
    expect((await told(['tag', 'keys', '--account', 'other'], readToken))[1]).toBe(
      'The API token does not allow reading tags in account "other".',
    );
    expect((await told(['tag', 'get', 'zone', 'z1', '--zone', 'z1']))[1]).toBe(
      'The API token does not allow reading tags in zone "z1".',
    );
    expect((await told(['tag', 'keys'], 'wrong-wrong-wrong'))[1]).toBe(`${server.url} does not accept the API token.`);
    expect((await call(['tag', 'keys'], fetch, readToken)).code).toBe(0);
  });

  it('for a cursor that the service no longer accepts', async () => {
    const reply = { result: null, success: false, messages: [] };
    const errors = [{ code: 10100, message: 'Invalid cursor', source: { pointer: '/cursor' } }];
    const { err } = await call(['tag', 'keys'], async () => Response.json({ ...reply, errors }, { status: 400 }));
    expect(err).toBe('error: The service no longer knows how far the list was read.\nhint: Try again.\n');
  });
});
