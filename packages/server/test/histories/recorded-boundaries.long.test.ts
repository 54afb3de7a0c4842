/**
 * GIT-072 to GIT-076: boundary lines and packs as stock `git` sent them when the exchanges of `fixtures/` were
 * recorded.
 */

import { exchangeBody, prepareScenario, readRecordings, scenarios, type Scenario } from '@packhouse/fixtures';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { post, push } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadParts, type ReplyPart } from '../differential/reply-parts.ts';
import { git, gitBytes } from '../support/git.ts';
import { openTestHost, type TestHost } from '../support/test-host.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

let host: TestHost;
let made = 0;

beforeAll(async () => {
  host = await openTestHost();
});

afterAll(async () => {
  expect(host.failures).toEqual([]);
  await host.close();
});

const recorded = readRecordings().filter(({ exchanges }) =>
  exchanges.some(({ request }) => Buffer.from(exchangeBody(request.body)).includes('deepen ')),
);

/** Returns the packets of the boundary, with the bytes of each, and the ids in the pack. */
function boundaryAndPack(parts: readonly ReplyPart[]): unknown {
  const lines = parts.flatMap((part) => (part.kind === 'line' ? [part.text] : []));
  const pack = parts.find((part) => part.kind === 'pack');
  return {
    boundary: lines.filter((text) => /^(?:un)?shallow/.test(text)),
    pack: pack?.objects.map(({ oid }) => oid).sort(),
  };
}

it.each(recorded)('GIT-072, GIT-074, GIT-076: $scenario v$version', async ({ scenario: name, version, exchanges }) => {
  const folder = makeFolder();
  try {
    const { server } = prepareScenario(scenarios.find((one) => one.name === name) as Scenario, folder);
    const pack = await gitBytes(['pack-objects', '--all', '--stdout', '--quiet'], { cwd: server });
    const objects = [...readPack(pack).objects.values()];
    const { result } = await host.rest('POST', '/repos', { name: `recorded-${made++}` });
    const { remote, token } = result as { remote: string; token: string };
    const repo = { remote, token, fetch: host.fetch };
    const refs = (await git(['for-each-ref', '--format=%(objectname) %(refname)'], { cwd: server })).trim().split('\n');
    const commands = refs.map((line) => ({ old: '0'.repeat(40), new: line.slice(0, 40), ref: line.slice(41) }));
    expect((await push(repo, commands, pack))[0]).toBe('unpack ok');
    const posts = exchanges.filter(({ request }) => request.method === 'POST');
    expect(posts.length).toBeGreaterThan(0);
    for (const { request, response } of posts) {
      const { body } = await post(repo, exchangeBody(request.body), { version });
      const expected = boundaryAndPack(uploadParts(Buffer.from(exchangeBody(response.body)), objects));
      expect(boundaryAndPack(uploadParts(body, objects))).toEqual(expected);
    }
  } finally {
    removeFolder(folder);
  }
});
