import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFile, git, newRepository } from './support/git.ts';
import { apiToken, startLocalService, type LocalService, type TestRepo } from './support/local-service.ts';

/** The cost of each operation: the table of docs/design/workers.md. */
let service: LocalService;
let folder: string;
let repo: TestRepo;

beforeAll(async () => {
  service = await startLocalService();
  folder = await newRepository();
  repo = await service.createRepo('costs');
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The costs of the requests to `path` that `work` makes, which must be `count`. */
async function costs(path: string, count: number, work: () => Promise<unknown>): Promise<readonly object[]> {
  const from = service.lines.length;
  await work();
  const lines = await service.requests(path, count, from);
  return lines.map((line) => ({ status: line['status'], a: line['r2_a'], b: line['r2_b'], o: line['object_calls'] }));
}

/** In one request, however large; and with nothing that leans on what the repo has. */
const pushing = ['-c', 'http.postBuffer=100m', 'push', '-q', '--no-thin'];

it('a push up to 1.5 MB calls only objects: open, commit, touch, and the rows of its parents', async () => {
  await commitFile(folder, 'first');
  const push = (to: TestRepo) => () => git([...pushing, to.remote, 'main'], folder);
  // The first one of an account in a minute also asks what the account holds.
  await push(await service.createRepo('other'))();
  expect(await costs('/git-receive-pack', 1, push(repo))).toEqual([{ status: 200, a: 0, b: 0, o: 3 }]);
  await commitFile(folder, 'small', 1_000_000);
  expect(await costs('/git-receive-pack', 1, push(repo))).toEqual([{ status: 200, a: 0, b: 0, o: 4 }]);
});

it('a push up to 24 MiB makes three puts, reads nothing, and reserves its keys', async () => {
  await commitFile(folder, 'larger', 5_000_000);
  const push = (to: TestRepo) => () => git([...pushing, to.remote, 'main'], folder);
  expect(await costs('/git-receive-pack', 1, push(repo))).toEqual([{ status: 200, a: 3, b: 0, o: 5 }]);
  const fresh = await service.createRepo('fresh');
  expect(await costs('/git-receive-pack', 1, push(fresh))).toEqual([{ status: 200, a: 3, b: 0, o: 4 }]);
});

it('info/refs visits one object, once its name is known', async () => {
  const list = (): Promise<string> => git(['-c', 'protocol.version=0', 'ls-remote', repo.remote]);
  await list();
  expect(await costs('/info/refs', 2, list)).toEqual([
    { status: 401, a: 0, b: 0, o: 0 },
    { status: 200, a: 0, b: 0, o: 1 },
  ]);
});

it('a clone of one exact pack reads it once, and nothing else', async () => {
  const whole = await service.createRepo('whole');
  await git(['push', '-q', whole.remote, 'main'], folder);
  const copy = join(folder, '.copy');
  const clone = (): Promise<string> => git(['clone', '-q', '--bare', whole.remote, copy]);
  expect(await costs('/git-upload-pack', 2, clone)).toEqual([
    { status: 200, a: 0, b: 0, o: 1 },
    { status: 200, a: 0, b: 1, o: 1 },
  ]);
  expect(await git(['fsck', '--full'], copy)).toBe('');
});

/** Reads content of a repo, in full. */
async function read(name: string, path: string): Promise<Uint8Array> {
  const response = await fetch(`${service.url}/v4/accounts/local/repos/namespaces/default/repos/${name}${path}`, {
    headers: { authorization: `Bearer ${apiToken}` },
  });
  expect(response.status).toBe(200);
  const body = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get('content-length')).toBe(String(body.length));
  return body;
}

it('a content read visits one object, and asks for rows or ranges that the isolate does not know', async () => {
  const own = await newRepository();
  try {
    const content = await service.createRepo('content');
    await commitFile(own, 'small', 1_000);
    await git([...pushing, content.remote, 'main'], own);
    const tree = (await git(['rev-parse', 'main^{tree}'], own)).trim();
    const cost = async (path: string): Promise<object | undefined> => {
      // The log takes an id for what may be a token.
      const end = path.replace(/\?.*/, '').replace(tree, '***');
      return (await costs(`/repos/content${end}`, 1, () => read('content', path)))[0];
    };
    // The push has cached graph and index. The pack itself is in rows.
    expect(await cost('/log')).toEqual({ status: 200, a: 0, b: 0, o: 2 });
    expect(await cost('/log')).toEqual({ status: 200, a: 0, b: 0, o: 2 });
    expect(await cost(`/tree/${tree}`)).toEqual({ status: 200, a: 0, b: 0, o: 2 });
    expect(await cost('/file?path=small')).toEqual({ status: 200, a: 0, b: 0, o: 2 });
    await commitFile(own, 'large', 3_000_000);
    await git([...pushing, content.remote, 'main'], own);
    expect(await cost('/log')).toEqual({ status: 200, a: 0, b: 1, o: 2 });
    expect(await cost('/log')).toEqual({ status: 200, a: 0, b: 0, o: 2 });
    expect(await cost('/file?path=large')).toEqual({ status: 200, a: 0, b: 1, o: 1 });
    expect(await cost('/file?path=large')).toEqual({ status: 200, a: 0, b: 1, o: 1 });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
});
