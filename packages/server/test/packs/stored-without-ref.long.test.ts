/** Objects that an earlier push stored without a ref. The test restarts the process. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, gitBytes } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';
import { change, commit, pack as packOfObjects, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { post, push as pushTo, pushBody, reportOf, set } from '@packhouse/conformance/tools/wire-client';

const none = '0'.repeat(40);
const emptyPack = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex');

let server: TestServer;
let folder: string;
let work: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  work = join(folder, 'work');
  await git(['init', '--quiet', '--initial-branch=main', work]);
  for (const name of ['first', 'second']) {
    await git(['commit', '--quiet', '--allow-empty', '-m', name], { cwd: work });
  }
  await git(['tag', '-a', '-m', 'tagged', 'tagged', 'main'], { cwd: work });
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

describe('stored objects of a pack that no command reached', () => {
  it('GIT-111, GIT-149: are verified when an empty pack and a command name them later, also after a restart', async () => {
    const repo = await server.createRepo('later');
    const [second, first, tag] = (await git(['rev-parse', 'main', 'main~', 'tagged'], { cwd: work }))
      .trim()
      .split('\n') as [string, string, string];
    const pack = await gitBytes(['pack-objects', '--revs', '--stdout', '--quiet'], { cwd: work, input: `${tag}\n` });
    const push = async (value: string, ref: string, bytes: Uint8Array): Promise<string[]> => {
      const body = pushBody([{ old: none, new: value, ref }], bytes);
      return reportOf((await post(repo, body, { service: 'git-receive-pack', version: 0 })).body);
    };
    expect(await push(first, 'refs/heads/main', pack)).toEqual(['unpack ok', 'ok refs/heads/main']);
    expect(await push(tag, 'refs/tags/tagged', emptyPack)).toEqual(['unpack ok', 'ok refs/tags/tagged']);
    await server.restart();
    expect(await push(second, 'refs/heads/next', emptyPack)).toEqual(['unpack ok', 'ok refs/heads/next']);
    expect(await push('1'.repeat(40), 'refs/heads/none', emptyPack)).toEqual([
      'unpack ok',
      'ng refs/heads/none missing necessary objects',
    ]);
    const clone = join(folder, 'clone.git');
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
    await git(['fsck', '--full', '--strict'], { cwd: clone });
    const refs = await git(['for-each-ref', '--format=%(objectname) %(refname)'], { cwd: clone });
    expect(refs).toBe(`${first} refs/heads/main\n${second} refs/heads/next\n${tag} refs/tags/tagged\n`);
  });

  it('GIT-111, GIT-155: are kept when there are so many that their graph goes to a file', async () => {
    const repo = await server.createRepo('many-left');
    const base = change('base');
    const left: MadeObject[] = [];
    for (let i = 0; i < 45_000; i++) left.push(commit(`${i}`, base.root, left.slice(-1)));
    await pushTo(repo, [set('refs/heads/main', base)], packOfObjects(...base.all, ...left));
    const value = left.at(-1) as MadeObject;
    expect(await pushTo(repo, [set('refs/heads/left', value)], emptyPack)).toEqual(['unpack ok', 'ok refs/heads/left']);
    await server.restart();
    const clone = join(folder, 'many-left.git');
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
    expect((await git(['rev-list', '--count', 'left'], { cwd: clone })).trim()).toBe('45000');
  });
});
