/** Requests with more lines about boundaries than any client has. */

import { fetchRequestBody, readFetchReply, versions } from '@packhouse/conformance/tools/fetch-request';
import { change, pack, type MadeCommit } from '@packhouse/conformance/tools/made-objects';
import { post, push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const lines = 100_000;
let server: TestServer;
let repo: TestRepo;
const commits: MadeCommit[] = [];

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('lines');
  for (let i = 0; i < 50; i++) commits.push(change(`${i}`, ...commits.slice(-1)));
  const report = await push(repo, [set('refs/heads/main', at(49))], pack(...commits.flatMap(({ all }) => all)));
  expect(report).toContain('ok refs/heads/main');
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

function at(number: number): MadeCommit {
  return commits[number] as MadeCommit;
}

describe.each(versions)('in version %s', (version) => {
  const ask = async (shallow: readonly string[], depth: readonly string[]) => {
    const request = { wants: [at(49).oid], shallow, depth };
    const { status, body } = await post(repo, fetchRequestBody(version, request), { version });
    return status === 200 ? readFetchReply(version, body, request) : body.toString();
  };

  it('GIT-076: any number of unknown commits is ignored', async () => {
    const unknown = Array.from({ length: lines }, (_, i) => i.toString(16).padStart(40, 'a'));
    expect(await ask(unknown, ['deepen 10'])).toMatchObject({ boundary: [`shallow ${at(40).oid}`] });
  });

  it('GIT-076: a commit that is named many times counts once', async () => {
    const same = Array.from({ length: lines }, (_, i) => at(30 + (i % 15)).oid);
    const inside = [40, 41, 42, 43, 44].slice(1).map((i) => `unshallow ${at(i).oid}`);
    expect(await ask(same, ['deepen 10'])).toMatchObject({ boundary: inside.sort() });
  });

  it('GIT-073: any number of refs is looked up', async () => {
    const known = Array.from({ length: lines }, () => 'deepen-not main');
    const error = 'no commits selected for shallow requests';
    expect(await ask([], known)).toMatchObject({ error });
    expect(await ask([], [...known.slice(1), 'deepen-not none'])).toMatchObject({ error });
  });
});
