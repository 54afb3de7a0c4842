import { rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFile, git, newRepository } from './support/git.ts';
import { apiToken, startLocalService, type LocalService, type TestRepo } from './support/local-service.ts';

let service: LocalService;
let folder: string;
let repo: TestRepo;

beforeAll(async () => {
  service = await startLocalService();
  folder = await newRepository();
  repo = await service.createRepo('slow');
  // Two packs, so that a clone is not just piped.
  for (const name of ['first', 'second']) {
    await commitFile(folder, name, 12_000_000);
    await git(['-c', 'http.postBuffer=100m', 'push', '-q', repo.remote, 'main'], folder);
  }
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Begins a clone and stops reading. */
function slowClone(want: string): Promise<IncomingMessage> {
  const { username, password, hostname, port, pathname } = new URL(repo.remote);
  const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const headers = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' };
  const options = { auth: `${username}:${password}`, hostname, port, path: `${pathname}/git-upload-pack`, headers };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, method: 'POST' }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a clone was answered ${response.statusCode}`));
      response.once('data', () => resolve(response.pause()));
    });
    sent.on('error', reject);
    sent.end(`${packet('command=fetch')}0001${packet(`want ${want}`)}${packet('done')}0000`);
  });
}

it('GIT-178, LIM-059: clients that read slowly leave memory for others', async () => {
  const want = (await git(['rev-parse', 'main'], folder)).trim();
  const slow: IncomingMessage[] = [];
  for (let i = 0; i < 5; i++) slow.push(await slowClone(want));
  await commitFile(folder, 'third');
  await git(['push', '-q', repo.remote, 'main'], folder);
  await git(['clone', '-q', '--bare', repo.remote, join(folder, '.copy')]);
  for (const response of slow) response.destroy();
  expect(service.lines.filter((line) => Number(line['status']) > 401)).toEqual([]);
}, 120_000);

/** Begins to read a file and stops. */
function slowFile(path: string): Promise<IncomingMessage> {
  const url = `${service.url}/v4/accounts/local/repos/namespaces/default/repos/slow/file?path=${path}`;
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { authorization: `Bearer ${apiToken}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a file was answered ${response.statusCode}`));
      response.once('data', () => resolve(response.pause()));
    });
    sent.on('error', reject);
    sent.end();
  });
}

it('REPO-152, LIM-059: readers of large files that take their time leave memory for others', async () => {
  const slow: IncomingMessage[] = [];
  for (let i = 0; i < 30; i++) slow.push(await slowFile(i % 2 === 0 ? 'first' : 'second'));
  expect(slow.map(({ headers }) => headers['content-length'])).toEqual(slow.map(() => '12000000'));
  await commitFile(folder, 'fourth', 3_000_000);
  await git(['-c', 'http.postBuffer=100m', 'push', '-q', repo.remote, 'main'], folder);
  await git(['clone', '-q', '--bare', repo.remote, join(folder, '.another')]);
  const [first, ...others] = slow as [IncomingMessage, ...IncomingMessage[]];
  let bytes = 0;
  for await (const chunk of first) bytes += (chunk as Uint8Array).length;
  expect(bytes).toBeGreaterThan(11_900_000);
  for (const response of others) response.destroy();
  expect(service.lines.filter((line) => Number(line['status']) > 401)).toEqual([]);
}, 120_000);
