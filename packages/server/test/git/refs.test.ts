/** Section 8 of docs/specification/git.md: refs. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, tryGit } from '../support/git.ts';
import { blob, change, noObject, pack, tag } from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import { commandBody, listedRefs, post, push, remove, set, linesOf } from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const second = change('second', first);
const third = change('third', second);
const fork = change('fork', first);
const lone = blob('lone\n');
const annotated = tag('v1', first);
const everything = pack(...first.all, ...second.all, ...third.all, ...fork.all, lone, annotated);

let server: TestServer;
let strict: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer({ settings: { deny_non_fast_forward: true, deny_delete_default: true } });
  repo = await server.createRepo('repo');
  await push(
    repo,
    [
      set('refs/heads/main', first),
      set('refs/keep/all', third),
      set('refs/keep/fork', fork),
      set('refs/keep/blob', lone),
      set('refs/keep/tag', annotated),
    ],
    everything,
  );
});

afterAll(async () => {
  expect([...server.failures, ...strict.failures]).toEqual([]);
  await server.close();
  await strict.close();
});

describe('names', () => {
  const funny = [
    'HEAD',
    'refs/x',
    'refs',
    'main',
    'heads/main',
    'refs/heads/',
    '/refs/heads/x',
    'refs//heads/x',
    'refs/heads/.x',
    'refs/heads/x.lock',
    'refs/heads/a.lock/b',
    'refs/heads/a..b',
    'refs/heads/a@{b',
    'refs/heads/a\\b',
    'refs/heads/a b',
    'refs/heads/a\x01b',
    'refs/heads/a\x7fb',
    'refs/heads/a~b',
    'refs/heads/a^b',
    'refs/heads/a:b',
    'refs/heads/a?b',
    'refs/heads/a*b',
    'refs/heads/a[b',
    'refs/heads/a.',
    'refs/heads/a/',
    '@',
    'refs/heads/../../x',
    Buffer.from('refs/heads/\xff', 'latin1'),
    Buffer.from('refs/heads/\xc0\xaf', 'latin1'),
    `refs/heads/${'x'.repeat(1014)}`,
  ];

  it.each(funny)('GIT-120, GIT-121, LIM-055: %j is a funny refname', async (name) => {
    const bytes = Buffer.from(name as string);
    expect(await push(repo, [set(name, first), set('refs/heads/beside', first)], pack())).toEqual([
      'unpack ok',
      `ng ${bytes.toString()} funny refname`,
      'ok refs/heads/beside',
    ]);
    await push(repo, [remove('refs/heads/beside', first)]);
  });

  it('GIT-120, GIT-122, LIM-055: any other is taken, in any namespace: listed, fetched, deleted', async () => {
    const names = [
      'refs/heads/x',
      'refs/tags/a.b',
      'refs/notes/commits',
      'refs/pull/1/head',
      'refs/x/y',
      'refs/heads/@',
      'refs/heads/-x',
      'refs/heads/HEAD',
      'refs/heads/ä/日本',
      `refs/heads/${'x'.repeat(1013)}`,
      'refs/heads/a@b{c}',
    ];
    expect(
      await push(
        repo,
        names.map((name) => set(name, first)),
        pack(),
      ),
    ).toEqual(['unpack ok', ...names.map((name) => `ok ${name}`)]);
    const { body } = await post(repo, commandBody('ls-refs'));
    const listed = linesOf(body).map((line) => Buffer.from(line, 'latin1').toString());
    for (const name of names) expect(listed).toContain(`${first.oid} ${name}`);
    const folder = makeFolder();
    await git(['init', '--quiet', '--bare', folder]);
    await git([...repo.auth, 'fetch', '--quiet', repo.remote, ...names.map((name, i) => `${name}:refs/got/${i}`)], {
      cwd: folder,
    });
    const got = await git(['for-each-ref', '--format=%(objectname)', 'refs/got'], { cwd: folder });
    expect(got.trim().split('\n')).toEqual(names.map(() => first.oid));
    removeFolder(folder);
    expect(
      await push(
        repo,
        names.map((name) => remove(name, first)),
      ),
    ).toEqual(['unpack ok', ...names.map((name) => `ok ${name}`)]);
    expect((await listedRefs(repo))['refs/x/y']).toBeUndefined();
  });
});

describe('values', () => {
  it('GIT-123: branches point to commits, other refs to anything', async () => {
    for (const value of [annotated, first.root, lone]) {
      expect(await push(repo, [set('refs/heads/value', value)], pack())).toEqual([
        'unpack ok',
        'ng refs/heads/value not a commit',
      ]);
      expect(await push(repo, [set('refs/tags/value', value)], pack())).toEqual(['unpack ok', 'ok refs/tags/value']);
      expect(await push(repo, [remove('refs/tags/value', value)])).toEqual(['unpack ok', 'ok refs/tags/value']);
    }
  });

  it('GIT-149: what is not there, or not complete, is refused for that ref alone', async () => {
    const unseen = change('unseen', first);
    const orphan = change('orphan', unseen);
    const commands = [set('refs/heads/m1', unseen), set('refs/heads/m2', orphan), set('refs/heads/m3', first)];
    expect(await push(repo, commands, pack(...orphan.all))).toEqual([
      'unpack ok',
      'ng refs/heads/m1 missing necessary objects',
      'ng refs/heads/m2 missing necessary objects',
      'ok refs/heads/m3',
    ]);
    for (const missing of [[unseen], [unseen, unseen.root], [unseen, unseen.file]]) {
      expect(await push(repo, [set('refs/heads/m4', unseen)], pack(...missing))).toEqual([
        'unpack ok',
        'ng refs/heads/m4 missing necessary objects',
      ]);
    }
  });

  it('GIT-149: an object of the wrong type in a place counts as missing', async () => {
    const wrong = change('wrong', { ...first, oid: first.file.oid });
    expect(await push(repo, [set('refs/heads/wrong', wrong)], pack(...wrong.all))).toEqual([
      'unpack ok',
      'ng refs/heads/wrong missing necessary objects',
    ]);
    expect(await listedRefs(repo)).not.toHaveProperty(['refs/heads/wrong']);
  });
});

describe('GIT-124: no ref is a leading path of another', () => {
  it('whether the other stands already, or comes in the same push', async () => {
    await push(repo, [set('refs/heads/a/b', first)], pack());
    expect(
      await push(
        repo,
        [set('refs/heads/a', first), set('refs/heads/a/b/c', first), set('refs/heads/ab', first)],
        pack(),
      ),
    ).toEqual([
      'unpack ok',
      'ng refs/heads/a conflicts with refs/heads/a/b',
      'ng refs/heads/a/b/c conflicts with refs/heads/a/b',
      'ok refs/heads/ab',
    ]);
    const both = await push(repo, [set('refs/heads/d', first), set('refs/heads/d/e', first)], pack());
    expect(both[0]).toBe('unpack ok');
    expect(both.filter((line) => line.startsWith('ok'))).toHaveLength(1);
    expect(both.filter((line) => / conflicts with refs\/heads\/d/.test(line))).toHaveLength(1);
  });

  it('but deleting one and creating the other in one push works, in any order', async () => {
    await push(repo, [set('refs/heads/f', first)], pack());
    expect(await push(repo, [set('refs/heads/f/g', first), remove('refs/heads/f', first)], pack())).toEqual([
      'unpack ok',
      'ok refs/heads/f/g',
      'ok refs/heads/f',
    ]);
    expect(await push(repo, [remove('refs/heads/f/g', first), set('refs/heads/f', first)], pack())).toEqual([
      'unpack ok',
      'ok refs/heads/f/g',
      'ok refs/heads/f',
    ]);
    const refs = await listedRefs(repo);
    expect([refs['refs/heads/f'], refs['refs/heads/f/g']]).toEqual([first.oid, undefined]);
    // The delete is refused, so its ref stands in the way of the other still.
    expect(await push(repo, [remove('refs/heads/f', second), set('refs/heads/f/g', first)], pack())).toEqual([
      'unpack ok',
      'ng refs/heads/f stale ref',
      'ng refs/heads/f/g conflicts with refs/heads/f',
    ]);
  });
});

describe('compare and swap', () => {
  it('GIT-125: an old value that is not the current one is stale, for each kind of command', async () => {
    await push(repo, [set('refs/heads/cas', first)], pack());
    for (const command of [
      set('refs/heads/cas', second),
      set('refs/heads/cas', second, third),
      remove('refs/heads/cas', second),
      set('refs/heads/none', second, first),
      remove('refs/heads/none', first),
    ]) {
      expect(await push(repo, [command], pack())).toEqual(['unpack ok', `ng ${command.ref as string} stale ref`]);
    }
    expect((await listedRefs(repo))['refs/heads/cas']).toBe(first.oid);
    expect(await push(repo, [set('refs/heads/cas', second, first)], pack())).toEqual([
      'unpack ok',
      'ok refs/heads/cas',
    ]);
  });

  it('GIT-125, GIT-159: a command that changes nothing is ok, and no push was made', async () => {
    const same = await server.createRepo('same');
    const record = async (): Promise<Record<string, unknown>> =>
      (await server.rest('GET', '/namespaces/default/repos/same')).result;
    expect((await record())['last_push_at']).toBeNull();
    await push(same, [set('refs/heads/main', first)], pack(...first.all));
    const pushed = await record();
    expect(pushed['last_push_at']).toEqual(expect.any(String));
    expect(pushed['updated_at']).toBe(pushed['last_push_at']);
    expect(await push(same, [set('refs/heads/main', first, first)], pack())).toEqual([
      'unpack ok',
      'ok refs/heads/main',
    ]);
    expect(await push(same, [{ old: noObject, new: noObject, ref: 'refs/heads/none' }])).toEqual([
      'unpack ok',
      'ok refs/heads/none',
    ]);
    expect(await push(same, [set('refs/heads/x', first, second)], pack())).toEqual([
      'unpack ok',
      'ng refs/heads/x stale ref',
    ]);
    expect(await record()).toEqual(pushed);
  });

  it('GIT-128: two commands for one ref are refused both, the others not', async () => {
    expect(
      await push(
        repo,
        [set('refs/heads/twice', first), set('refs/heads/once', first), set('refs/heads/twice', second)],
        pack(),
      ),
    ).toEqual([
      'unpack ok',
      'ng refs/heads/twice multiple updates for one ref',
      'ok refs/heads/once',
      'ng refs/heads/twice multiple updates for one ref',
    ]);
    expect((await listedRefs(repo))['refs/heads/twice']).toBeUndefined();
  });

  it('GIT-128: also a delete and a creation', async () => {
    const ref = 'refs/heads/main';
    expect(await push(repo, [remove(ref, first), set(ref, second)], pack())).toEqual([
      'unpack ok',
      ...Array<string>(2).fill(`ng ${ref} multiple updates for one ref`),
    ]);
    expect((await listedRefs(repo))[ref]).toBe(first.oid);
  });
});

describe('GIT-126: what a write token may do', () => {
  it('anything by default: back, aside, away', async () => {
    await push(repo, [set('refs/heads/free', third)], pack());
    for (const [old, value] of [
      [third, first],
      [first, fork],
      [fork, second],
    ] as const) {
      expect(await push(repo, [set('refs/heads/free', value, old)], pack())).toEqual([
        'unpack ok',
        'ok refs/heads/free',
      ]);
    }
    const own = await server.createRepo('own');
    await push(own, [set('refs/heads/main', first)], pack(...first.all));
    expect(await push(own, [remove('refs/heads/main', first)])).toEqual(['unpack ok', 'ok refs/heads/main']);
  });

  it('with deny_non_fast_forward branches only go forward, tags anywhere; with deny_delete_default the default branch stays', async () => {
    const kept = await strict.createRepo('kept');
    const refs = ['refs/heads/main', 'refs/heads/side', 'refs/tags/t'];
    await push(kept, [...refs.map((ref) => set(ref, second)), set('refs/keep/fork', fork)], everything);
    const move = (value: { oid: string }, old: { oid: string }): Promise<string[]> =>
      push(
        kept,
        refs.map((ref) => set(ref, value, old)),
        pack(),
      );
    for (const back of [first, fork]) {
      expect(await move(back, second)).toEqual([
        'unpack ok',
        'ng refs/heads/main non-fast-forward',
        'ng refs/heads/side non-fast-forward',
        'ok refs/tags/t',
      ]);
      await push(kept, [set('refs/tags/t', second, back)], pack());
    }
    expect(await move(third, second)).toEqual(['unpack ok', ...refs.map((ref) => `ok ${ref}`)]);
    // New objects come with the push, which may go forward or not.
    const [fourth, aside] = [change('fourth', third), change('aside', fork)];
    expect(
      await push(
        kept,
        [set('refs/heads/main', fourth, third), set('refs/heads/side', aside, third)],
        pack(...fourth.all, ...aside.all),
      ),
    ).toEqual(['unpack ok', 'ok refs/heads/main', 'ng refs/heads/side non-fast-forward']);
    expect(
      await push(
        kept,
        refs.map((ref) => remove(ref, ref === 'refs/heads/main' ? fourth : third)),
      ),
    ).toEqual([
      'unpack ok',
      'ng refs/heads/main deletion of the default branch prohibited',
      'ok refs/heads/side',
      'ok refs/tags/t',
    ]);
  });
});

it('GIT-127: a deleted ref is gone from every reply at once', async () => {
  const own = await server.createRepo('gone');
  const gone = change('gone', first);
  await push(own, [set('refs/heads/main', first), set('refs/heads/gone', gone)], pack(...first.all, ...gone.all));
  await push(own, [remove('refs/heads/gone', gone)]);
  for (const version of ['0', '1', '2']) {
    const protocol = ['-c', `protocol.version=${version}`, ...own.auth];
    expect(await git([...protocol, 'ls-remote', own.remote])).toBe(
      `${first.oid}\tHEAD\n${first.oid}\trefs/heads/main\n`,
    );
    const folder = makeFolder();
    await git(['init', '--quiet', '--bare', folder]);
    const fetched = await tryGit([...protocol, 'fetch', own.remote, gone.oid], { cwd: folder });
    expect([fetched.status, fetched.stderr]).toEqual([128, expect.stringContaining(`not our ref ${gone.oid}`)]);
    removeFolder(folder);
  }
  expect(await push(own, [remove('refs/heads/gone', gone)])).toEqual(['unpack ok', 'ng refs/heads/gone stale ref']);
});
