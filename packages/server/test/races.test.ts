import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, gitBytes } from './support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from './support/test-server.ts';
import { post, pushBody, reportOf } from './support/wire-client.ts';

const racers = 100;
const rounds = 3;
const none = '0'.repeat(40);

let server: TestServer;
let folder: string;
let work: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  work = join(folder, 'work.git');
  await git(['init', '--quiet', '--bare', work]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

async function commit(message: string, parent?: string): Promise<string> {
  const blob = (await git(['hash-object', '-w', '--stdin'], { cwd: work, input: message })).trim();
  const tree = (await git(['mktree'], { cwd: work, input: `100644 blob ${blob}\tfile\n` })).trim();
  const parents = parent === undefined ? [] : ['-p', parent];
  return (await git(['commit-tree', tree, '-m', message, ...parents], { cwd: work })).trim();
}

function pack(value: string, base?: string): Promise<Buffer> {
  const revisions = base === undefined ? value : `${value}\n^${base}`;
  return gitBytes(['pack-objects', '--revs', '--stdout', '--quiet'], { cwd: work, input: revisions });
}

async function pushOne(repo: TestRepo, old: string, value: string, ref: string, base?: string): Promise<string[]> {
  const body = pushBody([{ old, new: value, ref }], await pack(value, base));
  const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
  expect(reply.status).toBe(200);
  return reportOf(reply.body);
}

describe('pushes at the same time', () => {
  it(`GIT-157: of ${racers} that race for one ref from the same value exactly one wins, in each of ${rounds} rounds`, async () => {
    const repo = await server.createRepo('one-ref');
    let base = await commit('base');
    expect(await pushOne(repo, none, base, 'refs/heads/main')).toEqual(['unpack ok', 'ok refs/heads/main']);
    for (let round = 0; round < rounds; round++) {
      const values = await Promise.all(
        Array.from({ length: racers }, (_, i) => commit(`round ${round} racer ${i}`, base)),
      );
      const reports = await Promise.all(values.map((value) => pushOne(repo, base, value, 'refs/heads/main', base)));
      const winners = values.filter((_, i) => reports[i]?.[1] === 'ok refs/heads/main');
      expect(winners).toHaveLength(1);
      expect(reports.filter((report) => report[1] === 'ng refs/heads/main stale ref')).toHaveLength(racers - 1);
      expect(reports.every(([unpack]) => unpack === 'unpack ok')).toBe(true);
      base = winners[0] as string;
      expect(await git([...repo.auth, 'ls-remote', repo.remote, 'refs/heads/main'])).toBe(`${base}\trefs/heads/main\n`);
    }
  });

  it(`GIT-157, GIT-150: ${racers} that race for different refs all win, and everything can be cloned`, async () => {
    const repo = await server.createRepo('many-refs');
    const base = await commit('base');
    await pushOne(repo, none, base, 'refs/heads/main');
    const values = await Promise.all(Array.from({ length: racers }, (_, i) => commit(`branch ${i}`, base)));
    const reports = await Promise.all(values.map((value, i) => pushOne(repo, none, value, `refs/heads/b${i}`, base)));
    expect(reports).toEqual(values.map((_, i) => ['unpack ok', `ok refs/heads/b${i}`]));
    const clone = join(folder, 'clone.git');
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
    await git(['fsck', '--full', '--strict'], { cwd: clone });
    const refs = (await git(['for-each-ref', '--format=%(objectname)', 'refs/heads/b*'], { cwd: clone }))
      .trim()
      .split('\n');
    expect(refs.sort()).toEqual([...values].sort());
  });
});
