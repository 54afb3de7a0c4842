/** The service sends a stored pack unchanged only if the request has no bounds (GIT-065, GIT-078). */

import { askFor, packIn, versions } from '@packhouse/conformance/tools/fetch-request';
import { blob, change, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { push, pushBody, packet, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importBody } from '../support/import-body.ts';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const main = 'refs/heads/main';
// Too large for rows.
const large = blob(noise(1_700_000, 3));
const root = tree({ large });
const before = commit('before', root);
const first = commit('first', root, [before]);
const second = change('second', first);

let server: TestServer;
let repo: TestRepo;
let shallowRepo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('whole');
  const stored = pack(large, root, before, first, ...second.all);
  expect(await push(repo, [set(main, second)], stored)).toContain(`ok ${main}`);
  shallowRepo = await server.createRepo('shallow');
  const body = pushBody([set(main, second)], pack(large, root, first, ...second.all));
  const own = await importBody(server, shallowRepo, Buffer.concat([packet(`shallow ${first.oid}\n`), body]));
  expect(own).toEqual([first.oid]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

describe.each(versions)('in version %s', (version) => {
  const wants = [second.oid];
  const sent = async (bounds: { shallow?: readonly string[]; depth?: readonly string[]; filter?: string }) => {
    const reply = await askFor(repo, version, { wants, ...bounds });
    return [...readPack(packIn(reply)).objects.keys()].sort();
  };
  const ids = (...objects: readonly MadeObject[]): string[] => objects.map(({ oid }) => oid).sort();

  it('GIT-065: all of it, if nothing does', async () => {
    expect(await sent({})).toEqual(ids(large, root, before, first, ...second.all));
  });

  it('GIT-072: no more than the depth', async () => {
    expect(await sent({ depth: ['deepen 1'] })).toEqual(ids(...second.all));
    expect(await sent({ depth: ['deepen-not main', 'deepen-since 1'] }).catch(String)).toContain('no commits selected');
  });

  it("GIT-076: no more than the client's boundary", async () => {
    expect(await sent({ shallow: [first.oid] })).toEqual(ids(large, root, first, ...second.all));
  });

  it('GIT-080: no more than the filter lets through', async () => {
    expect(await sent({ filter: 'blob:none' })).toEqual(ids(root, before, first, second, second.root));
  });

  it("GIT-075: with the repository's own boundary", async () => {
    const { boundary } = await askFor(shallowRepo, version, { wants });
    expect(boundary).toEqual(version === 2 ? [`shallow ${first.oid}`] : undefined);
  });
});
