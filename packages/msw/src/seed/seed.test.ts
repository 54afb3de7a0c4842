import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createMock, SeedError, type RepoSeed, type Seed } from '../index.ts';

const planted = (seed: Seed): ReturnType<typeof createMock> =>
  createMock({ baseUrl: 'https://api.example.test', seed, clock: { now: () => Date.UTC(2026, 0, 1) } });

describe('a seed', () => {
  it('makes the same commits as stock Git', async () => {
    const mock = planted({
      repos: {
        notes: {
          files: {
            'a.txt': 'one\n',
            'dir/b.txt': 'two\n',
            'dir.txt': 'three\n',
            'run.sh': { content: '#!', mode: 'executable' },
          },
          commits: [
            { message: 'Change a', files: { 'a.txt': 'more\n', 'dir.txt': null } },
            {
              message: 'Try',
              branch: 'topic',
              files: { 'c.txt': 'c\n' },
              author: { name: 'B', email: 'b@x' },
              at: '2025-01-01T00:00:00Z',
            },
          ],
          tags: { first: 0, latest: 'main', v1: { target: 'topic', message: 'One' } },
        },
      },
    });
    await mock.store.ready();
    // These ids come from git 2.39 with the same files, names, dates and messages.
    expect(await mock.store.inspect.refs('notes')).toEqual({
      'refs/heads/main': 'f86d5617a251025955d99119c8b4a876fa8451ab',
      'refs/heads/topic': 'd777a065830012949b2a407e023c7923eba05be5',
      'refs/tags/first': 'a85f1edbb7346812a4263744233ff24eab7f5683',
      'refs/tags/latest': 'f86d5617a251025955d99119c8b4a876fa8451ab',
      'refs/tags/v1': '5d8af01d834be92113257d3ff07e8c33d1890c97',
    });
    expect(await mock.store.inspect.file('notes', 'dir/b.txt')).toBe('two\n');
  });

  it('lists repos newest first, in the order of the seed', async () => {
    const { store } = planted({ repos: { a: {}, b: {}, c: { createdAt: '2020-01-01T00:00:00Z' } } });
    await store.ready();
    expect((await store.inspect.repos()).map(({ name, created_at: at }) => [name, at])).toEqual([
      ['b', '2025-12-31T23:59:59.999Z'],
      ['a', '2025-12-31T23:59:59.998Z'],
      ['c', '2020-01-01T00:00:00.000Z'],
    ]);
  });

  it('has no times before 1970, regardless of the clock', async () => {
    const repos = { a: { files: { x: '1' } }, b: { files: { x: '2' } }, c: {} };
    const { store } = createMock({ baseUrl: 'https://api.example.test', seed: { repos }, clock: { now: () => 1 } });
    await store.ready();
    expect((await store.inspect.repos()).map(({ created_at: at }) => Date.parse(at))).toEqual([1, 1, 1]);
  });

  it('accepts bytes of any realm, as some test environments have several', async () => {
    const bytes = runInNewContext('Uint8Array.of(111, 110, 101)') as Uint8Array;
    expect(bytes instanceof Uint8Array).toBe(false);
    const { store } = planted({
      repos: { a: { files: { plain: bytes, run: { content: bytes, mode: 'executable' } } } },
    });
    await store.ready();
    expect(await store.inspect.file('a', 'plain')).toBe('one');
    expect(await store.inspect.file('a', 'run')).toBe('one');
  });

  it('fills a read-only repo', async () => {
    const { store } = planted({ repos: { kept: { readOnly: true, files: { a: 'a' } } } });
    await store.ready();
    expect((await store.inspect.repos())[0]).toMatchObject({ read_only: true });
    expect(Object.keys(await store.inspect.refs('kept'))).toEqual(['refs/heads/main']);
  });

  it.each<[Seed, string]>([
    [{ namespaces: ['-'] }, 'namespaces[0]: '],
    [{ repos: { 'a b': {} } }, 'repos["a b"]: Invalid repo name'],
    [{ repos: { a: {}, A: {} } }, 'repos["A"]: repo already exists: A'],
    [{ repos: { a: { createdAt: '5 May 2026' } } }, 'repos["a"].createdAt: expected a time'],
    [{ repos: { a: { createdAt: '2026-13-01' } } }, 'repos["a"].createdAt: expected a time'],
    [{ repos: { a: { createdAt: 'today' } } }, 'repos["a"].createdAt: expected a time'],
    [ofOne({ tags: { v1: 'main' } }), 'repos["a"].tags["v1"]: there is no branch "main"'],
    [ofOne({ files: {}, tags: { v1: 1 } }), 'repos["a"].tags["v1"]: there is no commit 1'],
    [ofOne({ files: { a: 'x', 'a/b': 'x' } }), 'repos["a"].files: "a" is a file and a folder'],
    [ofOne({ commits: [{ files: { a: null } }] }), 'repos["a"].commits[0]: there is no file "a" to remove'],
    [ofOne({ files: { '.git/config': 'x' } }), 'repos["a"].files[".git/config"]: no path'],
    [ofOne({ files: { '/a': 'x' } }), 'repos["a"].files["/a"]: no path'],
    [ofOne({ commits: [{ files: { 'a//b': 'x' } }] }), 'repos["a"].commits[0].files["a//b"]: no path'],
    [ofOne({ files: { '../x': 'x' } }), 'repos["a"].files["../x"]: no path'],
    [ofOne({ files: { '\ud800': 'x' } }), 'repos["a"].files["\\ud800"]: no path'],
    [ofOne({ commits: [{ branch: 'a..b' }] }), 'repos["a"].commits[0].branch: "a..b" is no name of a branch'],
    [ofOne({ commits: [{}, { branch: 'a\nb' }] }), 'repos["a"].commits[1].branch: "a\\nb" is no name of a branch'],
    [ofOne({ files: {}, defaultBranch: 'a b' }), 'repos["a"].defaultBranch: "a b" is no name of a branch'],
    [ofOne({ files: {}, tags: { 'v\n1': 0 } }), 'repos["a"].tags["v\\n1"]: "v\\n1" is no name of a tag'],
    [ofOne({ commits: [{}, { branch: 'main/x' }] }), 'repos["a"]: refs/heads/main/x conflicts'],
    [ofOne({ createdAt: '1969-12-31' }), 'repos["a"].createdAt: expected a time'],
    [ofOne({ commits: [{ at: '1969-12-31' }] }), 'repos["a"].commits[0].at: expected a time'],
    [{ tags: [{ type: 'no such type', id: 'x', tags: {} }] }, 'tags[0].type: there is no type'],
    [{ tags: [{ type: 'dns_record', id: 'x', tags: {} }] }, 'tags[0]: dns_record needs a zone'],
    [{ tags: [{ type: 'dns_record', id: 'x', zone: 'z9', tags: {} }] }, 'tags[0].zone: the mock has no zone "z9"'],
    [{ tags: [{ repo: 'a', tags: { env: 'x' } }] }, 'tags[0]: '],
  ])('%j is refused, with its place', async (seed, message) => {
    const { store } = planted(seed);
    await expect(store.ready()).rejects.toThrow(SeedError);
    await expect(store.ready()).rejects.toThrow(message);
  });

  it('a later seed that fails does not change existing content', async () => {
    const { store } = planted({ repos: { a: {} } });
    await expect(store.seed({ repos: { A: {} } })).rejects.toThrow(SeedError);
    await store.seed({ repos: { b: {} } });
    expect((await store.inspect.repos()).map(({ name }) => name).toSorted()).toEqual(['a', 'b']);
  });
});

function ofOne(repo: RepoSeed): Seed {
  return { repos: { a: repo } };
}
