import { expect, it } from 'vitest';
import { Skipped } from '../core/outcome.ts';
import { GitRepos, withGitCredential } from './git-server.ts';

const oid = '1'.repeat(40);
const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** A repository with one branch, whose deletion is reported so. */
function repository(report: string): {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  pushes: string[];
} {
  const pushes: string[] = [];
  return {
    pushes,
    async fetch(_, init) {
      if (init?.method !== 'POST') {
        const lines = [
          packet('# service=git-receive-pack\n'),
          '0000',
          packet(`${oid} refs/heads/main\0delete-refs\n`),
          '0000',
        ];
        return new Response(lines.join(''));
      }
      pushes.push(Buffer.from(init.body as Uint8Array).toString('latin1'));
      const lines = `${packet('unpack ok\n')}${packet(report)}0000`;
      return new Response(`${packet(`\x01${lines}`)}0000`);
    },
  };
}

it('deletes the refs of a repository that cases share, and gives it to the next case', async () => {
  const repos = new GitRepos({ url: 'http://git.test/one.git' });
  const { fetch, pushes } = repository('ok refs/heads/main\n');
  const repo = await repos.take('x', 0, fetch);
  expect(await repos.empty(repo)).toEqual([]);
  expect(pushes[0]).toContain(`${oid} ${'0'.repeat(40)} refs/heads/main`);
  await repos.take('y', 0, fetch);
  await expect(repos.take('z', 1, fetch)).rejects.toThrow(Skipped);
});

it('gives a repository to no further case if its refs stay', async () => {
  const repos = new GitRepos({ url: 'http://git.test/one.git' });
  const { fetch } = repository('ng refs/heads/main deletion of the current branch prohibited\n');
  const repo = await repos.take('x', 0, fetch);
  expect(await repos.empty(repo)).toEqual([expect.stringContaining('refs cannot be deleted (ng refs/heads/main')]);
  await expect(repos.take('y', 0, fetch)).rejects.toThrow(/needs a fresh repository .*cannot be deleted/);
});

it('gives each case its own repository where the URL has a name', async () => {
  const repos = new GitRepos({ url: 'http://git.test/{name}.git' });
  const { fetch } = repository('');
  expect((await repos.take('a', 0, fetch)).remote).toBe('http://git.test/a.git');
  expect((await repos.take('b', 1, fetch)).remote).toBe('http://git.test/b.git');
});

it('sends the credential of the server in place of the token that cases send, and no other', async () => {
  const seen: (string | null)[] = [];
  const git = { url: 'http://git.test/one.git', authorization: 'Basic Z2l0OnB3' };
  const collect = async (request: Request): Promise<Response> => {
    seen.push(request.headers.get('authorization'));
    return new Response();
  };
  const { token } = new GitRepos(git).existing(async () => new Response());
  for (const header of [`Bearer ${token}`, `Basic ${btoa(`x:${token}`)}`, 'Bearer wrong', 'Basic %%%']) {
    await withGitCredential({ git }, collect)(new Request(git.url, { headers: { authorization: header } }));
  }
  await withGitCredential(
    { git: { url: git.url } },
    collect,
  )(new Request(git.url, { headers: { authorization: `Bearer ${token}` } }));
  expect(seen).toEqual([git.authorization, git.authorization, 'Bearer wrong', 'Basic %%%', null]);
});
